import { sidesOf, stem, wordsOf } from './demand-words.ts';
import type { FoundRequirement, RequirementKind } from './requirement.ts';

/** Kinds that are confused with each other; demands of different families are never the same. */
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

/** Two lenses call one demand by different kinds: a layer count is architecture or setting, a compared run is a baseline or one. */
const CONFUSED = new Set([
  'method protocol',
  'baseline protocol',
  'baseline method',
  'measure protocol',
]);

/** Words that stand in lists of names but name a class, not one thing of it. */
const CLASSES = new Set(
  (
    'run dataset data method model task table figure row column time second step sample environment value seed weight ' +
    'train training test'
  )
    .split(' ')
    .map(stem),
);

/** A demand as it is compared with others. */
export interface ComparedDemand {
  readonly found: FoundRequirement;
  /** Of the demand. Names and numbers bear a mark `^`. */
  readonly words: ReadonlySet<string>;
  readonly quoted: ReadonlySet<string>;
  /** Right-hand sides: `0.0003` of `lr=3e-4`. */
  readonly values: ReadonlySet<string>;
  /** Left-hand sides: `lr`. */
  readonly keys: ReadonlySet<string>;
}

/** Prepares a demand for comparison; `names` are the words that name things in this ledger, in lower case. */
export function comparedDemand(
  found: FoundRequirement,
  names: ReadonlySet<string> = new Set(),
): ComparedDemand {
  const sides = found.values.map(sidesOf);
  return {
    found,
    words: wordsOf(found.demand.replace(ASIDE, ' '), names),
    quoted: wordsOf(found.quote, names),
    values: new Set(sides.map(({ value }) => value).filter((value) => value !== '')),
    keys: new Set(sides.map(({ key }) => key).filter((key) => key !== '')),
  };
}

/** A remark that demands nothing of its own: a reason in brackets, or what a thing is not. */
const ASIDE =
  /\((?:inferred|not|no|choice|for instance|e\.g\.)\b[^()]{0,400}\)|, not [^,;.()]{0,80}/gi;

/**
 * Words that name one thing among several, such as the data sets and methods of a ledger: bare values, and what a
 * result is stated for.
 */
export function namesIn(demands: readonly FoundRequirement[]): Set<string> {
  const names = demands.flatMap(({ kind, values }) =>
    values.flatMap((value) => {
      const [left = '', right] = value.split('=');
      if (right !== undefined && kind !== 'result') return [];
      return left.length <= 40 ? (left.toLowerCase().match(/\p{L}{3,}/gu) ?? []) : [];
    }),
  );
  return new Set(names.map(stem).filter((name) => !CLASSES.has(name)));
}

/** Whether two demands of one reading are one: near-identical wordings, with nothing in them that differs. */
export function isSameDemand(one: ComparedDemand, other: ComparedDemand): boolean {
  if (FAMILY[one.found.kind] !== FAMILY[other.found.kind]) return false;
  if (one.values.size > 0 && other.values.size > 0 && shared(one.values, other.values) === 0)
    return false;
  const common = shared(one.words, other.words);
  const smaller = Math.min(one.words.size, other.words.size);
  const likeness = common / (one.words.size + other.words.size - common || 1);
  if (common > 0 && likeness < 0.5) return false;
  const onlyOne = missingFrom(other.words, one.words);
  const onlyOther = missingFrom(one.words, other.words);
  if (onlyOne.length === 0 && onlyOther.length === 0) return true;
  if (onlyOne.some(isMarked) || onlyOther.some(isMarked)) {
    const extendsOther = onlyOne.length === 0 || onlyOther.length === 0;
    return extendsOther && isSameQuote(one, other) && smaller >= 3 && likeness >= 0.5;
  }
  if (isSameQuote(one, other))
    return likeness >= 0.75 && !areSiblings(one, other, onlyOne, onlyOther);
  return (onlyOne.length === 0 || onlyOther.length === 0) && smaller >= 3 && likeness >= 0.8;
}

/**
 * Whether demands of two readings are one, said in different words or found at different places. Each reading keeps
 * its own demands apart, so what two of them share is mostly one thing: it is enough that the values agree and the
 * subject does, or that both quote one sentence for it. A name or number on each side that the other lacks keeps them apart.
 */
export function isSameAcrossReadings(one: ComparedDemand, other: ComparedDemand): boolean {
  const agreement = agreementOf(one.values, other.values);
  if (agreement === 'none' || !mayBeOneKind(one.found.kind, other.found.kind)) return false;
  const common = shared(one.words, other.words);
  const overlap = common / (Math.min(one.words.size, other.words.size) || 1);
  if (overlap < 0.25) return false;
  const named = strangers(one, other);
  if (named === 'both') return false;
  if (isSameQuote(one, other)) {
    const onlyOne = missingFrom(other.words, one.words);
    const onlyOther = missingFrom(one.words, other.words);
    if (areSiblings(one, other, onlyOne, onlyOther)) return false;
    return common >= 2 && overlap >= (agreement === 'all' ? 0.4 : 0.75);
  }
  if (agreement !== 'all' || named === 'one') return false;
  return overlap >= 0.5 || isSameSet(one.keys, other.keys);
}

/** Whether a wording says all that a demand of another reading does: the same sentence quoted, its values, its words. */
export function isContained(demand: ComparedDemand, wording: ComparedDemand): boolean {
  if (!mayBeOneKind(demand.found.kind, wording.found.kind)) return false;
  if (demand.values.size === 0 || missingFrom(wording.values, demand.values).length > 0)
    return false;
  return (
    isSameQuote(demand, wording) && shared(demand.words, wording.words) >= 0.8 * demand.words.size
  );
}

function mayBeOneKind(one: RequirementKind, other: RequirementKind): boolean {
  const families = [FAMILY[one], FAMILY[other]];
  return families[0] === families[1] || CONFUSED.has(families.sort().join(' '));
}

/** All: the same values on both sides. Some: one side's are among the other's, or one says none. */
function agreementOf(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): 'all' | 'some' | 'none' {
  const common = shared(one, other);
  if (common < Math.min(one.size, other.size)) return 'none';
  return one.size === other.size && one.size > 0 ? 'all' : 'some';
}

/** Which sides have a name or number that the other has neither in its words nor in its values nor in its quote. */
export function strangers(one: ComparedDemand, other: ComparedDemand): 'none' | 'one' | 'both' {
  const sides = Number(isStranger(one, other)) + Number(isStranger(other, one));
  return sides === 0 ? 'none' : sides === 1 ? 'one' : 'both';
}

function isStranger(one: ComparedDemand, other: ComparedDemand): boolean {
  return [...one.words].some(
    (word) =>
      isMarked(word) &&
      !other.words.has(word) &&
      !other.quoted.has(word) &&
      !other.values.has(word.slice(1)),
  );
}

/** One sentence that names both of the words in which two demands differ makes two demands: "sparse and dense". */
function areSiblings(
  one: ComparedDemand,
  other: ComparedDemand,
  onlyOne: readonly string[],
  onlyOther: readonly string[],
): boolean {
  const quoted = (word: string): boolean => one.quoted.has(word) || other.quoted.has(word);
  return onlyOne.some(quoted) && onlyOther.some(quoted);
}

function isSameQuote(one: ComparedDemand, other: ComparedDemand): boolean {
  const smaller = Math.min(one.quoted.size, other.quoted.size);
  return smaller >= 3 && shared(one.quoted, other.quoted) >= 0.8 * smaller;
}

function isMarked(word: string): boolean {
  return word.startsWith('^');
}

function isSameSet(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && one.size > 0 && shared(one, other) === one.size;
}

function shared(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [smaller, larger] = one.size < other.size ? [one, other] : [other, one];
  let count = 0;
  for (const word of smaller) if (larger.has(word)) count += 1;
  return count;
}

function missingFrom(other: ReadonlySet<string>, words: ReadonlySet<string>): string[] {
  return [...words].filter((word) => !other.has(word));
}
