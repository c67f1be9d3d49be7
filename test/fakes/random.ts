/** Seeded random numbers, so that a test that fails fails again. */
export interface Random {
  /** From 0 up to, not including, `bound`. */
  below(bound: number): number;
  chance(probability: number): boolean;
  shuffled<Item>(items: readonly Item[]): Item[];
}

/** Marsaglia's xorshift on 32 bits: short, and good enough to choose cases. */
export function randomFrom(seed: number): Random {
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  function next(): number {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  }
  // Neighbouring seeds begin alike; a few steps part them.
  for (let step = 0; step < 8; step += 1) next();
  return {
    below: (bound) => Math.floor(next() * bound),
    chance: (probability) => next() < probability,
    shuffled(items) {
      return items
        .map((item) => ({ item, place: next() }))
        .sort((one, other) => one.place - other.place)
        .map(({ item }) => item);
    },
  };
}
