import type { Experiment } from '../domain/experiment.ts';
import { runnerOf } from './check-measures.ts';
import type { Ledger } from './ledger.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { LoadedPart } from './trace-facts.ts';

const TRAIN = /(^|[_.])(train|training|trn)(?=[_\d]|$|er\b)/i;
const HELD_OUT =
  /(^|[_.])(test|val|valid|validation|eval|evaluation|dev|heldout|held_out|holdout)(?=[_\d]|$)/i;
/** Names of data, of any part. */
const DATA = /(loader|data|dataset|set|iter|batches|dl|ds|split|[xXyY])\d?$/;
/** Words of a demand that ask for data which training does not see. */
const ASKS = /\b(test|held[- ]?out|validation|unseen|generali[sz]\w*)\b/i;

/** Data that is both trained and measured on, where the repository has no other part. */
export function checkSplit(
  map: ModuleMap,
  planned: readonly string[],
  { ledger, experiments }: { readonly ledger: Ledger; readonly experiments: readonly Experiment[] },
): Sighting[] {
  const files = [...map.files.values()].filter(
    ({ language, path }) => language === 'python' && !isTest(path),
  );
  return [
    ...files.flatMap((file) => leaked(file)),
    ...files.flatMap((file) => (file.code.traces.leaks.length > 0 ? [] : mislabelled(file))),
    ...(planned.some((path) => path.endsWith('.py')) ? [] : onTraining(files)),
    ...files.flatMap((file) =>
      asksForSplit(ledger, file) || measuresIn(map, experiments, file) ? onFitted(file) : [],
    ),
  ];
}

/** What is called held-out, or measured on held-out data, and is of the training part. */
function leaked(file: ParsedFile): Sighting[] {
  return file.code.traces.leaks.slice(0, 1).map((one) => {
    const what = `takes \`${one.name}\` (line ${one.line}) from the part of the data that it trains on`;
    return sighting(file, one, { what, name: one.name });
  });
}

/** `test_set = MNIST(root, train=True)`, beside the same for training. */
function mislabelled(file: ParsedFile): Sighting[] {
  const { loaded, splits } = file.code.traces;
  if (splits) return [];
  const isOf = (name: RegExp, { name: held }: LoadedPart): boolean => name.test(held);
  return loaded.flatMap((one) => {
    const isWrong = one.part === 'train' && isOf(HELD_OUT, one) && !isOf(TRAIN, one);
    const twin = loaded.find(
      (other) => isOf(TRAIN, other) && other.part === 'train' && sameSource(one, other),
    );
    if (!isWrong || twin === undefined) return [];
    const what = `fills \`${one.name}\` (line ${one.line}) with the part of the data that \`${twin.name}\` (line ${twin.line}) holds for training`;
    return [sighting(file, one, { what, name: one.name })];
  });
}

/** The same thing called, whatever else it is given. */
function sameSource({ written }: LoadedPart, other: LoadedPart): boolean {
  return written.split('(')[0] === other.written.split('(')[0];
}

/** `evaluate(model, train_loader)`, where nothing measures on anything else. */
function onTraining(files: readonly ParsedFile[]): Sighting[] {
  const measured = files.flatMap((file) =>
    file.code.traces.measured.map((one) => ({ file, one, data: one.on.filter(isData) })),
  );
  const onTrain = measured.filter(
    ({ data }) => data.length > 0 && data.every((name) => TRAIN.test(name) && !HELD_OUT.test(name)),
  );
  const isKnown = files.some(
    ({ code, settings }) =>
      code.traces.splits || settings.names.some((name) => HELD_OUT.test(name) && DATA.test(name)),
  );
  if (onTrain.length === 0 || isKnown) return [];
  // What is given data by another name may be given another part.
  if (
    measured.some(
      ({ data, one }) => data.some((name) => !TRAIN.test(name)) && !/^score$/.test(one.callee),
    )
  )
    return [];
  return onTrain.slice(0, 1).map(({ file, one, data }) => {
    const what = `calls \`${one.callee}\` (line ${one.line}) on \`${data.join('`, `')}\`, and no file has any other part of the data`;
    return sighting(file, one, { what, name: one.callee });
  });
}

function isData(name: string): boolean {
  return DATA.test(name) || (TRAIN.test(name) && /(^|[_.])(train|training)$/i.test(name));
}

/** `model.fit(x, y)` and `model.score(x, y)`, in a file that is to measure on data of its own. */
function onFitted(file: ParsedFile): Sighting[] {
  const { measured, splits } = file.code.traces;
  const knows = file.settings.names.some((name) => HELD_OUT.test(name));
  if (splits || knows) return [];
  return measured
    .filter(({ callee, fitted }) => fitted && /^score$/.test(callee))
    .slice(0, 1)
    .map((one) => {
      const what = `calls \`${one.callee}\` (line ${one.line}) on \`${one.on.join('`, `')}\`, which it fitted to before`;
      return sighting(file, one, { what, name: one.callee });
    });
}

function asksForSplit({ files, requirements }: Ledger, { path }: ParsedFile): boolean {
  const owned = new Set(files.find((one) => one.path === path)?.owns);
  return requirements.some(
    ({ id, demand, quote }) => owned.has(id) && ASKS.test(`${demand} ${quote}`),
  );
}

/** Whether an experiment measures with this program, and not how well training data are learned. */
function measuresIn(map: ModuleMap, experiments: readonly Experiment[], file: ParsedFile): boolean {
  return experiments.some(
    (experiment) =>
      runnerOf(map, experiment) === file &&
      experiment.measures.length > 0 &&
      !experiment.measures.some(({ name }) => TRAIN.test(name)),
  );
}

function sighting(
  { path }: ParsedFile,
  { symbol, line }: Pick<LoadedPart, 'symbol' | 'line'>,
  { what, name }: { readonly what: string; readonly name: string },
): Sighting {
  return {
    ...{ kind: 'same-split', path, line },
    symbol: symbol === '' ? name : `${symbol}: ${name}`,
    message: () => `${path} ${what}, so what it measures is how well training data are remembered.`,
    remedy:
      'Load the part that the paper measures on, and measure on that; or split the data before training.',
  };
}
