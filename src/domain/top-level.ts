const DEFINITION = /^(?:async\s+)?(?:def|class)\s+(\w+)/;
/** A line at column 0 that begins a statement, rather than going on with one. */
const STATEMENT = /^(?!(?:else|elif|except|finally)\b)[A-Za-z_@]/;
const IMPORT = /^(?:import|from)\s+[\w.]+/;

/** The names of functions and classes that a Python text defines at its top level, in order. */
export function definedNames(text: string): string[] {
  return text.split('\n').flatMap((line) => DEFINITION.exec(line)?.[1] ?? []);
}

/**
 * A cut Python text up to where its last top-level statement begins, which may be incomplete; undefined where nothing
 * would be left. Comments and decorators go with the statement below them.
 */
export function wholeStatements(text: string): string | undefined {
  const lines = text.split('\n');
  const inString = linesInsideStrings(lines);
  let start = lines.findLastIndex((line, index) => !inString[index] && STATEMENT.test(line));
  while (start > 0 && /^[@#]/.test(lines[start - 1] ?? '')) start -= 1;
  const kept = lines.slice(0, Math.max(start, 0)).join('\n').trimEnd();
  return definedNames(kept).length === 0 ? undefined : `${kept}\n`;
}

/** A Python text and a further part of it: imports at the part's head join those of the text, the rest goes to its end. */
export function appendPart(text: string, part: string): string {
  const lines = text.trimEnd().split('\n');
  const { imports, rest } = leadingImports(part.trimEnd().split('\n'));
  const place = importsEnd(lines);
  if (place === 0) return `${[...lines, '', '', ...part.trimEnd().split('\n')].join('\n')}\n`;
  const own = new Set(leadingImports(lines).imports);
  const further = imports.filter((statement) => !own.has(statement) && !isFuture(statement));
  const head = [...lines.slice(0, place), ...further, ...lines.slice(place)];
  return `${[...head, '', '', ...rest].join('\n').trimEnd()}\n`;
}

/** Says what a module means before any import, so that it cannot follow one. */
function isFuture(statement: string): boolean {
  return statement.startsWith('from __future__');
}

/** The import statements before the first other one, each as its lines; and what is left. */
function leadingImports(lines: readonly string[]): { imports: string[]; rest: string[] } {
  const end = importsEnd(lines);
  const imports: string[] = [];
  const others: string[] = [];
  for (let index = 0; index < end; index += 1) {
    const length = importLength(lines, index);
    if (length === 0) others.push(lines[index] ?? '');
    else imports.push(lines.slice(index, index + length).join('\n'));
    index += Math.max(length - 1, 0);
  }
  const rest = [...others, ...lines.slice(end)];
  const first = rest.findIndex((line) => line.trim() !== '');
  return { imports, rest: first === -1 ? [] : rest.slice(first) };
}

/** The line behind the last import before the first other statement; 0 where there is none. */
function importsEnd(lines: readonly string[]): number {
  const inString = linesInsideStrings(lines);
  let end = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const length = inString[index] ? 0 : importLength(lines, index);
    if (length > 0) {
      end = index + length;
      index = end - 1;
    } else if (!inString[index] && STATEMENT.test(lines[index] ?? '')) break;
  }
  return end;
}

/** Lines of the import statement that begins here; 0 where none does. */
function importLength(lines: readonly string[], start: number): number {
  const first = lines[start] ?? '';
  if (!IMPORT.test(first)) return 0;
  if (!first.includes('(') || first.includes(')')) return 1;
  const end = lines.findIndex((line, index) => index > start && line.includes(')'));
  return end === -1 ? 1 : end - start + 1;
}

/** For each line, whether a string in three quotes that began above is still open there. */
function linesInsideStrings(lines: readonly string[]): boolean[] {
  let open: string | undefined;
  return lines.map((line) => {
    const before = open !== undefined;
    for (const [quotes] of line.matchAll(/"""|'''/g)) {
      if (open === undefined) open = quotes;
      else if (open === quotes) open = undefined;
    }
    return before;
  });
}
