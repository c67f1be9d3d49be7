/** A place in a text, from 0, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** How many UTF-16 units stand before a place. */
export function offsetOf(text: string, { line, column }: Position): number {
  const before = text.split('\n').slice(0, line);
  return before.reduce((total, each) => total + each.length + 1, column);
}

/** The place after so many UTF-16 units. */
export function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split('\n');
  return { line: lines.length - 1, column: lines.at(-1)?.length ?? 0 };
}

/** Whether the definition around a line asks what a name of an expression has or is, and so may know of others than are declared. */
export function isAskedAbout(text: string, line: number, expression: string): boolean {
  const names = new Set(expression.match(/[A-Za-z_][\w.]*/g));
  const block = topBlockAt(text, line);
  const asked = [...block.matchAll(/\b(?:hasattr|isinstance|callable)\(\s*([\w.]+)/g)];
  return asked.some(([, name = '']) => names.has(name));
}

/** The definition at the top of a text that a line stands in, whole; or the lines between such definitions. */
function topBlockAt(text: string, line: number): string {
  const lines = text.split('\n');
  const isTop = (one: string): boolean => /^(async|def|class)\b|^@/.test(one);
  const start = lines.slice(0, line + 1).findLastIndex(isTop);
  const length = lines.slice(line + 1).findIndex((one) => isTop(one));
  return lines.slice(Math.max(0, start), length < 0 ? undefined : line + 1 + length).join('\n');
}

/** Whether a line stands in a `try` that catches what Python raises for a wrong type, or where such an error is expected, by what is indented less above it. */
export function catchesTypeErrors(text: string, line: number): boolean {
  const lines = text.split('\n');
  let indent = indentOf(lines[line] ?? '');
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const above = lines[at] ?? '';
    const depth = indentOf(above);
    if (above.trim() === '' || depth >= indent || /^\s*[)\]}#]/.test(above)) continue;
    indent = depth;
    if (/^\s*with\b.*\b(\w*[rR]aises\w*|suppress)\(/.test(above)) return true;
    if (/^\s*try:/.test(above) && handlersOf(lines.slice(line), depth)) return true;
  }
  return false;
}

/** Whether the first handlers at an indent, and no others, catch such errors. */
function handlersOf(lines: readonly string[], indent: number): boolean {
  const level = lines.filter((one) => one.trim() !== '' && indentOf(one) <= indent);
  const end = level.findIndex((one) => indentOf(one) < indent || !/^\s*except\b/.test(one));
  return level
    .slice(0, end < 0 ? undefined : end)
    .some((one) => /^\s*except\s*(:|.*\b(TypeError|AttributeError|(Base)?Exception)\b)/.test(one));
}

/** How far a line is indented. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** `Trainer.fit` for a line in that method, by what is indented less above it; empty at the top level. */
export function enclosingDefinition(text: string, line: number): string {
  const lines = text.split('\n');
  const names: string[] = [];
  let indent = indentOf(lines[line] ?? '');
  for (let at = line - 1; at >= 0 && indent > 0; at -= 1) {
    const above = lines[at] ?? '';
    const depth = indentOf(above);
    if (above.trim() === '' || depth >= indent) continue;
    const [, name] = /^\s*(?:async\s+)?(?:def|class)\s+(\w+)/.exec(above) ?? [];
    if (name !== undefined) names.unshift(name);
    if (!/^\s*[)\]}#]/.test(above)) indent = depth;
  }
  return names.join('.');
}
