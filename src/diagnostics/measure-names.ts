import type { Measure } from '../domain/experiment.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Words of a measure's name that say nothing about the column it is in. */
const EMPTY_WORDS = new Set(
  'the and for per each with from over all its value values number count mean average std of to in on at by as final'.split(
    ' ',
  ),
);
/** Words that code writes for others. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['time', 'seconds', 'elapsed', 'duration', 'runtime', 'wall', 'latency', 'ms', 'secs', 'clock'],
  ['accuracy', 'acc', 'correct', 'top1'],
  ['error', 'err', 'loss', 'mse', 'rmse', 'mae', 'difference', 'deviation', 'nll', 'risk'],
  ['return', 'reward', 'score', 'returns', 'rewards'],
  ['memory', 'mib', 'bytes', 'gb', 'mb', 'vram'],
  ['parameters', 'params', 'weights', 'sparsity'],
  ['perplexity', 'ppl'],
  ['probability', 'prob', 'rate', 'ratio', 'fraction', 'percentage', 'share'],
  ['correlation', 'corr'],
  ['variance', 'var'],
  ['gradient', 'grad'],
  ['iteration', 'iter', 'step'],
  ['validation', 'valid', 'val', 'dev', 'test', 'eval', 'heldout'],
  ['train', 'training'],
];
/** Parts of the data, of which a name tells at most one. */
const PARTS: readonly (readonly string[])[] = [
  ['train', 'training'],
  ['test', 'val', 'valid', 'validation', 'eval', 'dev', 'heldout'],
];

/** Names under which code and settings may show or keep a value. */
interface Names {
  readonly said: readonly (readonly string[])[];
  /** Arguments, which name what a function is given as well as what is written. */
  readonly passed: readonly (readonly string[])[];
  /** Given to what is made: names of files as well as of values. */
  readonly given: readonly string[];
  /** Any other name may come of parts. */
  readonly areComputed: boolean;
}

/** Whether something that code shows or keeps is named like a measure. */
export function isNamedIn(
  code: readonly ParsedFile[],
  { data, others }: { readonly data: readonly ParsedFile[]; readonly others: readonly string[] },
): (measure: Measure) => boolean {
  const { said, given, passed, areComputed } = namesIn(code, data);
  return (measure) => {
    const words = wordsOf(measure.name);
    const wanted = words.length > 0 ? words : wordsOf(measure.unit);
    if (wanted.length === 0) return true;
    const stem = (measure.file.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
    const own = spelled(measure.name);
    const other = new Set(others.map(spelled).filter((one) => one !== own));
    const labels = [...said, ...given.filter((one) => one !== stem).map(splitWords)];
    const isColumn = /^[\w-]+$/.test(measure.name.trim()) && words.length > 0;
    return (
      (areComputed && wanted.every((word) => labels.some((label) => tells(label, word)))) ||
      labels.some((label) => !other.has(label.join(' ')) && fits(label, wanted, isColumn)) ||
      passed.some(
        (label) =>
          fits(label, wanted, isColumn) &&
          (isAbbreviated(label, wanted) || wanted.every((word) => tells(label, word))),
      )
    );
  };
}

/** Whether a label stands for a measure of these words: the last of a column's name, and any of a description's. */
function fits(label: readonly string[], wanted: readonly string[], isColumn: boolean): boolean {
  const partOf = (words: readonly string[]): readonly string[] | undefined =>
    PARTS.find((part) => words.some((word) => part.includes(word)));
  const [one, other] = [partOf(label), partOf(wanted)];
  if (one !== undefined && other !== undefined && one !== other) return false;
  const told = wanted.filter((word) => tells(label, word));
  const last = wanted.at(-1) ?? '';
  return isColumn ? told.includes(last) || isAbbreviated(label, wanted) : told.length > 0;
}

/** `ece` for `expected_calibration_error`. */
function isAbbreviated(label: readonly string[], wanted: readonly string[]): boolean {
  const initials = wanted.map((word) => word[0] ?? '').join('');
  return initials.length > 1 && label.includes(initials);
}

/** Whether a word stands in a label, whole or as the beginning of one, or in other words. */
function tells(label: readonly string[], word: string): boolean {
  const group = SYNONYMS.find((words) => words.includes(word)) ?? [];
  return [word, ...group].some((one) =>
    label.some(
      (other) =>
        other === one ||
        (other.length >= 3 &&
          (one.startsWith(other) || (one.length >= 3 && other.startsWith(one)))) ||
        stem(other) === stem(one),
    ),
  );
}

function namesIn(code: readonly ParsedFile[], data: readonly ParsedFile[]): Names {
  const traces = code.map((file) => file.code.traces);
  // Rows that are made of all that an object has.
  const fields = code.some(
    (file) => file.code.traces.readsAll || /asdict/.test(file.settings.names.join(' ')),
  )
    ? code.flatMap(({ settings }) =>
        settings.classes.flatMap((one) => one.fields.map(({ name }) => name)),
      )
    : [];
  const told = data.flatMap(({ settings }) =>
    (settings.defines ?? [])
      .filter(({ path }) => /metric|measure|column|field|log|report|track/i.test(path.join('.')))
      .flatMap(({ value }) => value ?? []),
  );
  return {
    said: [...traces.flatMap(({ labels }) => labels), ...told].map(splitWords),
    passed: [...traces.flatMap(({ argumentLabels }) => argumentLabels), ...fields].map(splitWords),
    given: traces.flatMap(({ callLabels }) => callLabels),
    areComputed: traces.some(({ labelsAreComputed }) => labelsAreComputed),
  };
}

function stem(word: string): string {
  return word.replace(/(ies|es|s|ed|ing)$/, '');
}

function spelled(name: string): string {
  return splitWords(name).join(' ');
}

function splitWords(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

function wordsOf(name: string): string[] {
  return splitWords(name).filter((word) => word.length >= 2 && !EMPTY_WORDS.has(word));
}
