import type { Blueprint } from '../domain/blueprint.ts';
import type { Requirement } from '../domain/requirement.ts';

/** What the plan promises of values and files, as far as checks of the tree compare it with the code. */
export interface Ledger {
  readonly files: readonly Pick<Blueprint['files'][number], 'path' | 'owns'>[];
  /** Those in scope. */
  readonly requirements: readonly Pick<Requirement, 'id' | 'demand' | 'quote' | 'values'>[];
  readonly configuration: Blueprint['configuration'];
}

/** That of a repository without a plan. */
export const NO_LEDGER: Ledger = { files: [], requirements: [], configuration: [] };

/** The part of a plan that the checks need. */
export function ledgerOf({ files, requirements, configuration }: Blueprint): Ledger {
  return {
    files: files.map(({ path, owns }) => ({ path, owns })),
    requirements: requirements
      .filter(({ scope }) => scope !== 'excluded')
      .map(({ id, demand, quote, values }) => ({ id, demand, quote, values })),
    configuration,
  };
}

/** The names of one thing in several spellings, as one. */
const SAME: Readonly<Record<string, string>> = {
  learningrate: 'lr',
  stepsize: 'lr',
  numepochs: 'epochs',
  nepochs: 'epochs',
  numsteps: 'steps',
  nsteps: 'steps',
  maxsteps: 'steps',
  bs: 'batchsize',
  wd: 'weightdecay',
  discount: 'gamma',
  discountfactor: 'gamma',
};

/** A name without case and separators, and of several usual ones the same: `learning_rate` and `lr`. */
export function plainName(name: string): string {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  return SAME[plain] ?? plain;
}

/** How many keys end in each name, by the name as it is compared. */
export function countNames(keys: Iterable<{ readonly key: string }>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { key } of keys) {
    const name = plainName(lastPart(key));
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}

/** The last part of a dotted key. */
export function lastPart(key: string): string {
  return key.split('.').at(-1) ?? key;
}

/** A number as papers and settings write it (`3e-4`, `1,000`, `3 × 10^{-4}`), as JavaScript does; undefined for anything else. */
export function numberIn(written: string): string | undefined {
  const plain = written
    .replace(/[$\s{}]|\\,/g, '')
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/(?:×|\\times|\*|·|\\cdot)10(?:\^|\*\*)/, 'e')
    .replace(/^10(?:\^|\*\*)(?=-?\d)/, '1e')
    .replace(/_(?=\d)/g, '')
    .replace('−', '-');
  return /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i.test(plain) ? String(Number(plain)) : undefined;
}

/** The numbers that a requirement gives a name: `lr=3e-4`. */
export function statedNumbers(
  { values }: Pick<Requirement, 'values'>,
  name: string,
): readonly string[] {
  return values.flatMap((value) => {
    const [, left = '', right = ''] = /^(.+?)\s*(?:=|:|≈)\s*(.+)$/.exec(value.trim()) ?? [];
    const number = numberIn(right);
    return number !== undefined && plainName(left) === plainName(name) ? [number] : [];
  });
}

/** The files that own any of some requirements. */
export function ownersOf({ files }: Ledger, ids: readonly string[]): string[] {
  return files.filter(({ owns }) => owns.some((id) => ids.includes(id))).map(({ path }) => path);
}
