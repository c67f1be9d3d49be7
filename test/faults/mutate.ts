import type { Fault, Repository } from './corpus.ts';
import { replanned } from './corpus.ts';
import { BREAKING } from './operators/breaking.ts';
import { LINKING } from './operators/linking.ts';
import type { Mutation, Operator } from './operators/operator.ts';
import { SETTING } from './operators/setting.ts';

/** Every way of making a clean repository faulty. */
export const OPERATORS: readonly Operator[] = [...BREAKING, ...LINKING, ...SETTING];

/** Faults made over clean repositories: operators in turn, each at a place drawn by the seed, no place twice. */
export function mutants(clean: readonly Repository[], seed: number, count: number): Fault[] {
  const random = randomFrom(seed);
  const piles = OPERATORS.map((operator) =>
    shuffled(
      clean.flatMap((base) =>
        operator.sites(base).map((site) => mutant(base, operator.name, site)),
      ),
      random,
    ),
  );
  const made: Fault[] = [];
  for (let turn = 0; made.length < count && piles.some((pile) => turn < pile.length); turn++) {
    for (const pile of piles) {
      const next = pile[turn];
      if (next !== undefined && made.length < count) made.push(next);
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

/** A generator of numbers from 0 up to 1 that gives the same ones for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  return items
    .map((item) => ({ item, order: random() }))
    .sort((a, b) => a.order - b.order)
    .map(({ item }) => item);
}
