/** The candidate most like a name, if it is like enough to be what was meant. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined;
  // A third of the letters may differ: `build_mdl` is `build_model`, `fit` is not `set`.
  let bestDistance = Math.floor(name.length / 3) + 1;
  for (const candidate of candidates) {
    // As many letters must change at least as the lengths differ by.
    if (candidate === name || Math.abs(candidate.length - name.length) >= bestDistance) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best;
}

/** How many letters must be put in, taken out, replaced or swapped with the next to make one word of the other. */
export function editDistance(from: string, to: string): number {
  const letters = Array.from(from);
  const others = Array.from(to);
  let before: readonly number[] = [];
  let row = Array.from({ length: others.length + 1 }, (_, index) => index);
  for (const [i, letter] of letters.entries()) {
    const next = [i + 1];
    for (const [j, other] of others.entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      const isSwap = i > 0 && j > 0 && letter === others[j - 1] && letters[i - 1] === other;
      const swapped = isSwap ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
