import type { FindingKind, Problem } from '../domain/finding.ts';

/** A problem as it shows in one place; the same problem may show in several. */
export interface Sighting {
  readonly kind: FindingKind;
  readonly path: string;
  readonly symbol: string;
  /** From 1; 0 when no line shows it. */
  readonly line: number;
  /** The sentence, given the places as `(line 3)` or `(lines 3, 9 and 12)`. */
  readonly message: (places: string) => string;
  readonly remedy: string;
}

const MAX_LINES = 6;

/** One problem for each kind, path and symbol, its lines gathered in its message. */
export function gather(sightings: readonly Sighting[]): Problem[] {
  const groups = new Map<string, Sighting[]>();
  for (const sighting of sightings) {
    const key = JSON.stringify([sighting.kind, sighting.path, sighting.symbol]);
    groups.set(key, [...(groups.get(key) ?? []), sighting]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const { kind, path, symbol, remedy } = first;
    const message = first.message(placesOf(group.map(({ line }) => line)));
    return [{ kind, path, symbol, message, remedy }];
  });
}

function placesOf(lines: readonly number[]): string {
  const unique = [...new Set(lines)].filter((line) => line > 0).sort((a, b) => a - b);
  const [first] = unique;
  if (first === undefined) return '';
  if (unique.length === 1) return `(line ${first})`;
  const shown = unique.slice(0, MAX_LINES);
  const rest = unique.length - shown.length;
  const last = rest > 0 ? `${rest} more` : String(shown.pop());
  return `(lines ${shown.join(', ')} and ${last})`;
}
