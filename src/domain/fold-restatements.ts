import type { Requirement, Restatement } from './requirement.ts';
import { comparedDemand } from './same-demand.ts';

/** Rows of the ledger that demand one thing: the one that stays, and those that say nothing beyond it. */
export interface SameDemands {
  readonly stays: string;
  readonly goes: readonly string[];
}

/**
 * The ledger in which each demand is one row. A row that goes leaves its places, its id and its words with the one that
 * stays. It stays where it cannot be the same: another value, a result beside a demand, another scope.
 */
export function foldRestatements(
  requirements: readonly Requirement[],
  same: readonly SameDemands[],
): Requirement[] {
  const rows = new Map(requirements.map((row) => [row.id, row]));
  for (const { stays, goes } of same) {
    for (const id of goes) {
      const [first, second] = [rows.get(stays), rows.get(id)];
      if (!first || !second || first === second || !mayBeOne(first, second)) continue;
      rows.set(stays, folded(first, second));
      rows.delete(id);
    }
  }
  return requirements.flatMap(({ id }) => rows.get(id) ?? []);
}

/** The row that each id stands for: its own, or the one that it was folded into. */
export function rowsById(requirements: readonly Requirement[]): ReadonlyMap<string, string> {
  return new Map(
    requirements.flatMap(({ id, restates = [] }) =>
      [id, ...restates.map((one) => one.id)].map((each) => [each, id] as const),
    ),
  );
}

function mayBeOne(first: Requirement, second: Requirement): boolean {
  if (first.scope !== second.scope) return false;
  if ((first.kind === 'result') !== (second.kind === 'result')) return false;
  const [has, wants] = [comparedDemand(first), comparedDemand(second)];
  // A value that the first says in its words is no other value.
  return [...wants.values].every((value) => has.values.has(value) || has.words.has(`^${value}`));
}

function folded(first: Requirement, second: Requirement): Requirement {
  const places = [second.place, ...second.otherPlaces].filter((place) => place !== '');
  const place = first.place || (places[0] ?? '');
  const words: Restatement = { id: second.id, demand: second.demand };
  return {
    ...first,
    place,
    otherPlaces: [...new Set([...first.otherPlaces, ...places])].filter((each) => each !== place),
    quote: first.quote || second.quote,
    restates: [...(first.restates ?? []), words, ...(second.restates ?? [])],
  };
}
