import type { FileInterface } from '../domain/interface.ts';

/** Who may rely on what a file offers. */
export interface Reliance {
  /** The planned signatures of the file. */
  readonly signatures: string;
  /** What its owned requirements say. */
  readonly demands: readonly { readonly id: string; readonly text: string }[];
  /** Written files that import it. */
  readonly callers: readonly { readonly path: string; readonly text: string }[];
}

/** A public name that a file no longer offers, and who needs it; part of a sentence. */
export interface LostSymbol {
  readonly symbol: string;
  readonly neededBy: string;
}

/** Names that `before` offers, `after` does not, and the plan, an owned requirement or a caller relies on. */
export function lostSymbols(
  before: FileInterface,
  after: FileInterface,
  reliance: Reliance,
): LostSymbol[] {
  if (after.dynamic) return [];
  return [...lostNames(before, after), ...lostMethods(before, after)].flatMap((symbol) => {
    const neededBy = whoNeeds(symbol, reliance);
    return neededBy === undefined ? [] : [{ symbol, neededBy }];
  });
}

function lostNames(before: FileInterface, after: FileInterface): string[] {
  const left = new Set(after.names);
  return before.definitions
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('_') && !left.has(name));
}

/** Methods that a class had; one whose bases changed may have got them from there. */
function lostMethods(before: FileInterface, after: FileInterface): string[] {
  return before.definitions.flatMap(({ kind, name, signature, members }) => {
    const now = after.definitions.find((other) => other.kind === kind && other.name === name);
    if (kind !== 'class' || now?.signature !== signature) return [];
    const left = new Set(now.members.map((member) => member.name));
    return members
      .filter((member) => /\bdef /.test(member.signature) && !member.name.startsWith('_'))
      .filter((member) => !left.has(member.name))
      .map((member) => `${name}.${member.name}`);
  });
}

function whoNeeds(symbol: string, { signatures, demands, callers }: Reliance): string | undefined {
  const name = symbol.split('.').at(-1) ?? symbol;
  const word = new RegExp(`(?<!\\w)${name}(?!\\w)`);
  if (word.test(signatures)) return 'which its planned signatures name';
  const demand = isDistinctive(name) ? demands.find(({ text }) => word.test(text)) : undefined;
  if (demand) return `which ${demand.id} names`;
  const used = symbol.includes('.') ? new RegExp(`\\.${name}(?!\\w)`) : word;
  const caller = callers.find(({ text }) => used.test(text));
  return caller && `which ${caller.path} uses`;
}

/** Whether a name in a sentence can only be code: `log_ratio` and `GatedSum`, not `run`. */
function isDistinctive(name: string): boolean {
  return /[a-z\d]_[a-z\d]|[a-z][A-Z]/.test(name);
}
