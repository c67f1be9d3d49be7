import { randomFrom } from '../fakes/random.ts';
import type { Fault, Repository } from './corpus.ts';
import { replanned } from './corpus.ts';
import { ATTRIBUTES } from './operators/attributes.ts';
import { BREAKING } from './operators/breaking.ts';
import { LINKING } from './operators/linking.ts';
import { LOSING } from './operators/losing.ts';
import type { Mutation, Operator } from './operators/operator.ts';
import { SETTING } from './operators/setting.ts';
import { STRAYING } from './operators/straying.ts';
import { TRACING } from './operators/tracing.ts';

/** Every way of making a clean repository faulty. */
export const OPERATORS: readonly Operator[] = [
  ...BREAKING,
  ...LINKING,
  ...SETTING,
  ...TRACING,
  ...ATTRIBUTES,
  ...LOSING,
  ...STRAYING,
];

/** Faults made over clean repositories: operators in turn, each at a place drawn by the seed, no place twice. */
export function mutants(clean: readonly Repository[], seed: number, count: number): Fault[] {
  const random = randomFrom(seed);
  const piles = OPERATORS.map((operator) =>
    random.shuffled(
      clean.flatMap((base) =>
        operator.sites(base).map((site) => () => mutant(base, operator.name, site)),
      ),
    ),
  );
  const made: Fault[] = [];
  for (let turn = 0; made.length < count && piles.some((pile) => turn < pile.length); turn++) {
    for (const pile of piles) {
      const next = pile[turn];
      if (next !== undefined && made.length < count) made.push(next());
    }
  }
  return made;
}

function mutant(base: Repository, source: string, site: Mutation): Fault {
  const tree = new Map(base.tree);
  for (const [path, text] of Object.entries(site.changes)) {
    if (text === null) tree.delete(path);
    else tree.set(path, text);
  }
  const planned = [...base.tree.keys()].map((path) => site.moved?.[path] ?? path);
  return {
    name: `${source} in ${base.name}: ${site.what}`,
    source,
    what: site.what,
    kinds: site.kinds,
    paths: site.paths,
    word: site.word,
    tree,
    blueprint: replanned(base.blueprint, planned),
  };
}
