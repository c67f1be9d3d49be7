import type { Problem } from '../domain/finding.ts';
import type { FileFault, HollowDefinition, ParsedFile, ParseProblem } from './parsed-file.ts';

const MAX_QUOTE_LENGTH = 80;

/**
 * What is wrong with one file, decided on it alone: it is empty, cut off, does not parse, holds hollow definitions, or
 * code that does not do what it seems to.
 */
export function checkFile(file: ParsedFile, text = ''): Problem[] {
  const lines = text.split('\n');
  const kinds = ['empty', 'cut-off', 'does-not-parse'] as const;
  const unusable = kinds.flatMap((kind) => {
    const found = file.problems.filter((problem) => problem.kind === kind);
    return found.length === 0 ? [] : [unusableProblem(file.path, kind, found, lines)];
  });
  return [
    ...unusable,
    ...file.hollow
      .filter(({ mayBeAbstract }) => !mayBeAbstract)
      .map((hollow) => hollowProblem(file.path, hollow)),
    ...oncePerSymbol(file.faults)
      .filter((fault) => !isOfHollow(file, fault))
      .map((fault) => faultProblem(file.path, fault)),
  ];
}

const REMEDIES: Readonly<Record<ParseProblem['kind'], string>> = {
  empty: 'Write the whole content of the file.',
  'cut-off': 'Write the file again from its first line to its last, leaving nothing out.',
  'does-not-parse': 'Correct the syntax and write the file again.',
};

const CONSEQUENCES: Readonly<Record<ParseProblem['kind'], string>> = {
  empty: 'nothing can use it',
  'cut-off': 'what was left out is missing',
  'does-not-parse': 'nothing in it can be loaded',
};

function unusableProblem(
  path: string,
  kind: ParseProblem['kind'],
  found: readonly ParseProblem[],
  lines: readonly string[],
): Problem {
  const details = found.map(({ line, message }) => {
    const source = lines[line - 1]?.trim().slice(0, MAX_QUOTE_LENGTH) ?? '';
    const quoted = source === '' || message.includes(source) ? '' : ` in \`${source}\``;
    return line === 0 ? message : `line ${line}: ${message}${quoted}`;
  });
  const message = `${path}: ${details.join('; ')}; ${CONSEQUENCES[kind]}.`;
  return { kind, path, symbol: '', message, remedy: REMEDIES[kind] };
}

/** What does nothing reads nothing: one finding says so. */
function isOfHollow({ hollow }: ParsedFile, { symbol }: FileFault): boolean {
  return hollow.some((one) => symbol.startsWith(`${one.symbol}: `));
}

function oncePerSymbol(faults: readonly FileFault[]): FileFault[] {
  const byKey = new Map(faults.map((fault) => [`${fault.kind} ${fault.symbol}`, fault]));
  return [...byKey.values()];
}

function faultProblem(path: string, { kind, symbol, message, remedy }: FileFault): Problem {
  return { kind, path, symbol, message: `${path}: ${message}.`, remedy };
}

/** That a function or class does nothing. */
export function hollowProblem(path: string, { symbol, line, reason }: HollowDefinition): Problem {
  return {
    kind: 'hollow',
    path,
    symbol,
    message: `${path}: \`${symbol}\` (line ${line}) ${reason}, so it does nothing where something is expected of it.`,
    remedy: `Implement \`${symbol}\`; if it is meant to do nothing, say why in a comment beside \`pass\`, and if it is abstract, mark it with @abstractmethod.`,
  };
}
