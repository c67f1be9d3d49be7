/** One line of planned signatures. */
export interface PlannedSignature {
  /** The class it belongs to, or empty. */
  readonly owner: string;
  readonly name: string;
  /** Names of its parameters, without self; null where the line shows none, and for classes. */
  readonly parameters: readonly string[] | null;
  readonly text: string;
}

/** Lines as planners write them: decorators in front, a class and its fields or method on one line, several on one line. */
export function plannedSignatures(text: string): PlannedSignature[] {
  let owner = '';
  return text.split('\n').flatMap((line) => {
    let isInClass = /^\s/.test(line);
    if (!isInClass && !/\(\s*(?:self|cls)\b/.test(line)) owner = '';
    return statementsOf(line).flatMap((statement): PlannedSignature[] => {
      const found = /^(?:async\s+)?(class|def)\s+(\w+)/.exec(statement);
      if (!found) return [];
      const [, kind, name = ''] = found;
      const isMethod = isInClass || /\(\s*(?:self|cls)\b/.test(statement);
      const parameters = kind === 'def' ? parametersOf(statement) : null;
      const signature = { owner: isMethod ? owner : '', name, parameters, text: statement };
      if (kind === 'class') {
        owner = name;
        isInClass = true;
      }
      return [signature];
    });
  });
}

function statementsOf(line: string): string[] {
  return line
    .split(/[;:]\s+(?=(?:@[\w.]+(?:\([^)]*\))?\s+)*(?:async\s+def|def|class)\s)/)
    .map((statement) => statement.trim().replace(/^(?:@[\w.]+(?:\([^)]*\))?\s+)+/, ''));
}

/** Whether every call that was planned for is one that the code takes: the same parameters in order, and behind them only optional ones. */
export function takes(actual: string, planned: readonly string[]): boolean {
  const parameters = parametersIn(actual);
  if (parameters === null) return true;
  const beyond = parameters.slice(planned.length);
  return (
    planned.every((name, index) => parameters[index]?.name === name) &&
    beyond.every(({ name, isOptional }) => isOptional || name.startsWith('*'))
  );
}

interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
}

function parametersOf(signature: string): string[] | null {
  return parametersIn(signature)?.map(({ name }) => name) ?? null;
}

/** Parameters in order, stars kept, also the one behind which all go by name; without self and cls; null where there are no brackets. */
function parametersIn(signature: string): Parameter[] | null {
  const open = signature.indexOf('(');
  if (open === -1) return null;
  const found: Parameter[] = [];
  let depth = 0;
  let start = open + 1;
  for (let index = open; index < signature.length; index += 1) {
    const letter = signature.charAt(index);
    if ('([{'.includes(letter)) depth += 1;
    if (')]}'.includes(letter)) depth -= 1;
    const isEnd = depth === 0;
    if (!isEnd && !(letter === ',' && depth === 1)) continue;
    const text = signature.slice(start, index);
    found.push({ name: text.split(/[:=]/)[0]?.trim() ?? '', isOptional: text.includes('=') });
    start = index + 1;
    if (isEnd) break;
  }
  return found.filter(({ name }) => !['', 'self', 'cls', '/'].includes(name));
}
