import type { BlueprintFile } from './blueprint.ts';

/** Turns of a file whose executor has tools: looking up, writing, checking and mending take a few each. */
const USUAL_TURNS = 12;
/** Turns of a file that must meet so many demands that it is a work of several sittings. */
const MOST_TURNS = 20;
const MANY_REQUIREMENTS = 8;

/** How many turns a file may take in one round where the executor has tools. */
export function turnsFor({ owns }: Pick<BlueprintFile, 'owns'>): number {
  return owns.length >= MANY_REQUIREMENTS ? MOST_TURNS : USUAL_TURNS;
}
