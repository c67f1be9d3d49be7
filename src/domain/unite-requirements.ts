import type { PaperDocument } from './paper.ts';
import type { FoundRequirement, Requirement, RequirementKind } from './requirement.ts';

/** Kinds that lenses confuse with each other; demands of different families are never the same. */
const FAMILY: Readonly<Record<RequirementKind, string>> = {
  equation: 'method',
  architecture: 'method',
  loss: 'method',
  'hyper-parameter': 'protocol',
  setting: 'protocol',
  dataset: 'protocol',
  baseline: 'baseline',
  metric: 'measure',
  measurement: 'measure',
  result: 'result',
};

/** Words that carry no demand of their own. */
const FILLER = new Set(
  (
    'a an and are as at be by each every for from in into is it its of on or that the their then this to use uses ' +
    'used using via was were which with must should shall implement implements implemented apply applied set compute ' +
    'computed provide support all code model method'
  ).split(' '),
);

/** Of a demand or quote, for comparison: longer ones are told apart by less. */
const MOST_CHARACTERS = 1000;

interface Candidate {
  readonly found: FoundRequirement;
  readonly lens: number;
  /** Its index in the order of parts; the number of parts when it has no known place. */
  readonly place: number;
  readonly words: ReadonlySet<string>;
  readonly quoted: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
}

/** The ids that a requirement's place can name, in the paper's order, supplements last. */
export function placesOf({ paper, supplements }: PaperDocument): string[] {
  return [paper, ...supplements].flatMap(({ parts }) => parts.map(({ id }) => id));
}

/**
 * One list of what several lenses found. Near-duplicates become one, the more precise wording winning; two demands
 * that differ in a number, a name or a value stay apart, because a demand kept twice costs a line and one lost costs
 * an experiment. In the order of places, then lenses; ids R1, R2, …. Pure and deterministic.
 */
export function uniteRequirements(
  lenses: readonly (readonly FoundRequirement[])[],
  places: readonly string[],
): Requirement[] {
  const placeIndex = new Map(places.map((id, index) => [id, index]));
  const united: Candidate[] = [];
  for (const candidate of candidatesOf(lenses, placeIndex)) {
    const twin = united.findIndex((other) => isSameDemand(other, candidate));
    const other = united[twin];
    if (other) united[twin] = merge(other, candidate);
    else united.push(candidate);
  }
  return united
    .map((candidate, index) => ({ candidate, index }))
    .sort((a, b) => a.candidate.place - b.candidate.place || a.index - b.index)
    .map(({ candidate }, index) => ({ id: `R${index + 1}`, ...candidate.found }));
}

function candidatesOf(
  lenses: readonly (readonly FoundRequirement[])[],
  placeIndex: ReadonlyMap<string, number>,
): Candidate[] {
  return lenses.flatMap((found, lens) =>
    found.map((each) => {
      const place = placeIndex.get(each.place);
      return {
        found: place === undefined ? { ...each, place: '' } : each,
        lens,
        place: place ?? placeIndex.size,
        words: wordsOf(each.demand),
        quoted: wordsOf(each.quote),
        values: new Set(each.values.map((value) => value.toLowerCase().replace(/\s+/g, ''))),
      };
    }),
  );
}

/** Words in lower case; numbers, hyphenated names and identifiers whole. A capital or digit is kept as a mark `^`. */
function wordsOf(text: string): Set<string> {
  const words = text.slice(0, MOST_CHARACTERS).match(/[\p{L}\p{N}_][\p{L}\p{N}_.+-]*/gu) ?? [];
  return new Set(
    words
      .map((word) => word.replace(/[.+-]+$/, ''))
      .filter((word) => !FILLER.has(word.toLowerCase()))
      .map((word) => (isName(word) ? `^${word.toLowerCase()}` : stem(word.toLowerCase()))),
  );
}

/** Whether a word tells one thing from another: a number, or a name with a digit, a mark or a capital inside. */
function isName(word: string): boolean {
  return /\p{N}|[_.-]|.\p{Lu}/u.test(word);
}

function stem(word: string): string {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word;
}

function isSameDemand(one: Candidate, other: Candidate): boolean {
  if (FAMILY[one.found.kind] !== FAMILY[other.found.kind]) return false;
  if (one.values.size > 0 && other.values.size > 0 && shared(one.values, other.values) === 0)
    return false;
  const common = shared(one.words, other.words);
  const smaller = Math.min(one.words.size, other.words.size);
  const likeness = common / (one.words.size + other.words.size - common || 1);
  const onlyOne = missingFrom(other.words, one.words);
  const onlyOther = missingFrom(one.words, other.words);
  if (onlyOne.length === 0 && onlyOther.length === 0) return true;
  if (onlyOne.some(isMarked) || onlyOther.some(isMarked)) {
    const extendsOther = onlyOne.length === 0 || onlyOther.length === 0;
    return extendsOther && isSameQuote(one, other) && smaller >= 3 && likeness >= 0.5;
  }
  if (isSameQuote(one, other))
    return likeness >= 0.4 && !areSiblings(one, other, onlyOne, onlyOther);
  return (onlyOne.length === 0 || onlyOther.length === 0) && smaller >= 3 && likeness >= 0.8;
}

/** One sentence that names both of the words in which two demands differ makes two demands: "sparse and dense". */
function areSiblings(
  one: Candidate,
  other: Candidate,
  onlyOne: readonly string[],
  onlyOther: readonly string[],
): boolean {
  const quoted = (word: string): boolean => one.quoted.has(word) || other.quoted.has(word);
  return onlyOne.some(quoted) && onlyOther.some(quoted);
}

function isSameQuote(one: Candidate, other: Candidate): boolean {
  const smaller = Math.min(one.quoted.size, other.quoted.size);
  return smaller >= 3 && shared(one.quoted, other.quoted) >= 0.8 * smaller;
}

function isMarked(word: string): boolean {
  return word.startsWith('^');
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  let count = 0;
  for (const word of one) if (other.has(word)) count += 1;
  return count;
}

function missingFrom(other: ReadonlySet<string>, words: ReadonlySet<string>): string[] {
  return [...words].filter((word) => !other.has(word));
}

/** The more precise of the two, completed with what only the other has; it keeps the earlier place and lens. */
function merge(one: Candidate, other: Candidate): Candidate {
  const [winner, loser] = precision(other) > precision(one) ? [other, one] : [one, other];
  const values = [...winner.found.values];
  for (const value of loser.found.values) {
    if (!winner.values.has(value.toLowerCase().replace(/\s+/g, ''))) values.push(value);
  }
  return {
    ...winner,
    lens: Math.min(one.lens, other.lens),
    place: Math.min(one.place, other.place),
    values: new Set([...winner.values, ...loser.values]),
    found: {
      ...winner.found,
      quote: winner.found.quote || loser.found.quote,
      place: winner.found.place || loser.found.place,
      values,
      scope: scopeOf(winner.found, loser.found),
    },
  };
}

/** Supplements outrank the paper; then values, a quote, a place and words, in this order. */
function precision({ found, words }: Candidate): number {
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
