import type { PaperDocument } from './paper.ts';
import type { FoundRequirement, Requirement } from './requirement.ts';
import {
  comparedDemand,
  isContained,
  isSameAcrossReadings,
  isSameDemand,
  namesIn,
  strangers,
  type ComparedDemand,
} from './same-demand.ts';

interface Candidate {
  readonly compared: ComparedDemand;
  /** Whose wording it has. */
  readonly wordedBy: number;
  /** Whose demands are in it. */
  readonly lenses: ReadonlySet<number>;
  /** Known places, as indices in the order of parts. */
  readonly places: ReadonlySet<number>;
}

/** The ids that a requirement's place can name, in the paper's order, supplements last. */
export function placesOf({ paper, supplements }: PaperDocument): string[] {
  return [paper, ...supplements].flatMap(({ parts }) => parts.map(({ id }) => id));
}

/**
 * One list of what several lenses found. A demand found twice becomes one with all its places, the more precise
 * wording winning; demands that differ in a number, a name or a value stay apart, because a demand kept twice costs a
 * line and one lost costs an experiment. In the order of places, then lenses; ids R1, R2, …. Pure and deterministic.
 */
export function uniteRequirements(
  lenses: readonly (readonly FoundRequirement[])[],
  places: readonly string[],
): Requirement[] {
  const united: Candidate[] = [];
  for (const candidate of candidatesOf(lenses, places)) {
    const twin = united.findIndex((other) => isSame(other, candidate));
    const other = united[twin];
    if (other) united[twin] = merge(other, candidate);
    else united.push(candidate);
  }
  const firstPlace = (candidate: Candidate): number => Math.min(places.length, ...candidate.places);
  return united
    .map((candidate, index) => ({ candidate, index }))
    .sort((a, b) => firstPlace(a.candidate) - firstPlace(b.candidate) || a.index - b.index)
    .map(({ candidate }, index) => requirementOf(candidate, index + 1, places));
}

function candidatesOf(
  lenses: readonly (readonly FoundRequirement[])[],
  places: readonly string[],
): Candidate[] {
  const placeIndex = new Map(places.map((id, index) => [id, index]));
  const names = namesIn(lenses.flat());
  return lenses.flatMap((found, lens) =>
    found.map((each) => {
      const stated = [each.place, ...each.otherPlaces].filter((place) => placeIndex.has(place));
      return {
        compared: comparedDemand({ ...each, place: stated[0] ?? '' }, names),
        wordedBy: lens,
        lenses: new Set([lens]),
        places: new Set(stated.flatMap((place) => placeIndex.get(place) ?? [])),
      };
    }),
  );
}

function isSame(one: Candidate, { compared, wordedBy }: Candidate): boolean {
  if (isSameDemand(one.compared, compared)) return true;
  if (!one.lenses.has(wordedBy)) return isSameAcrossReadings(one.compared, compared);
  return one.wordedBy !== wordedBy && isContained(compared, one.compared);
}

/** The more precise of the two, completed with what only the other has: its whole demand where either names what the other does not. */
function merge(one: Candidate, other: Candidate): Candidate {
  const [winner, loser] = precision(other) > precision(one) ? [other, one] : [one, other];
  const [{ found, ...first }, { found: less, ...second }] = [winner.compared, loser.compared];
  const values = [...found.values];
  for (const value of less.values) {
    const [added] = comparedDemand({ ...less, values: [value] }).values;
    if (added !== undefined && !first.values.has(added)) values.push(value);
  }
  const saysMore =
    strangers(winner.compared, loser.compared) !== 'none' &&
    [...second.words].some((word) => !first.words.has(word));
  return {
    wordedBy: winner.wordedBy,
    lenses: new Set([...one.lenses, ...other.lenses]),
    places: new Set([...one.places, ...other.places]),
    compared: {
      words: first.words,
      quoted: first.quoted.size > 0 ? first.quoted : second.quoted,
      values: new Set([...first.values, ...second.values]),
      keys: new Set([...first.keys, ...second.keys]),
      found: {
        ...found,
        demand: saysMore ? `${found.demand} (Also: ${less.demand})` : found.demand,
        quote: found.quote || less.quote,
        place: found.place || less.place,
        values,
        scope: scopeOf(found, less),
      },
    },
  };
}

/** Supplements outrank the paper; then values, a quote, a place and words, in this order. */
function precision({ compared: { found, words } }: Candidate): number {
  const fromSupplement = found.place.startsWith('sup-') ? 10_000 : 0;
  const anchored = (found.quote ? 100 : 0) + (found.place ? 50 : 0);
  return (
    fromSupplement + 1000 * Math.min(found.values.length, 9) + anchored + Math.min(words.size, 49)
  );
}

/** Only a supplement takes a demand out of scope against another lens. */
function scopeOf(winner: FoundRequirement, loser: FoundRequirement): FoundRequirement['scope'] {
  const ruling = [winner, loser].find(
    ({ scope, place }) => scope === 'excluded' && place.startsWith('sup-'),
  );
  if (ruling) return 'excluded';
  if (winner.scope === 'main' || loser.scope === 'main') return 'main';
  return winner.scope === 'excluded' ? loser.scope : winner.scope;
}

function requirementOf(
  { compared: { found }, places: known }: Candidate,
  number: number,
  places: readonly string[],
): Requirement {
  const otherPlaces = [...known]
    .sort((one, other) => one - other)
    .flatMap((index) => places[index] ?? [])
    .filter((place) => place !== found.place);
  return { id: `R${number}`, ...found, otherPlaces };
}
