import type { Experiment, Measure } from '../domain/experiment.ts';
import { resolveImport, submodule } from './module-names.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { SettingsFacts } from './settings-facts.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/** Words of a measure's name that say nothing about the column it is in. */
const EMPTY_WORDS = new Set(
  'the and for per each with from over all its value values number count mean average std of to in on at by as'.split(
    ' ',
  ),
);
/** Words that code writes for others. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['time', 'seconds', 'elapsed', 'duration', 'runtime', 'wall', 'latency', 'ms'],
  ['accuracy', 'acc', 'correct', 'top1'],
  ['error', 'err', 'loss', 'mse', 'rmse', 'mae', 'difference', 'deviation'],
  ['return', 'reward', 'score', 'returns', 'rewards'],
  ['memory', 'mib', 'bytes', 'gb', 'mb', 'vram'],
  ['parameters', 'params', 'weights', 'sparsity'],
  ['perplexity', 'ppl'],
  ['probability', 'prob', 'rate', 'ratio', 'fraction', 'percentage', 'share'],
];

/** Measures of experiments that no program writes: nothing reachable from a runner makes the results file, or nothing in it is named like the measure. */
export function checkMeasures(
  map: ModuleMap,
  planned: readonly string[],
  experiments: readonly Experiment[],
): Sighting[] {
  if (experiments.length === 0 || planned.some((path) => /\.(py|ya?ml|json|toml|sh)$/.test(path)))
    return [];
  const code = [...map.files.values()].filter(
    ({ path, language }) => language === 'python' && !isTest(path),
  );
  const live = reachable(map, code, experiments);
  if (live.length === 0) return [];
  const data = [...map.files.values()].filter(({ settings }) => settings.defines !== null);
  const shell = [...map.files.values()].filter(({ language }) => language === 'shell');
  const writes = writableNames([...live, ...shell], data);
  const words = wordsOf([...live, ...data]);
  return experiments.flatMap((experiment) =>
    experiment.measures.flatMap((measure) => {
      const isNamed =
        nameWords(measure).length === 0 || nameWords(measure).some((word) => words(word));
      const isWritten = measure.file.trim() === '' || writes(measure.file);
      if (isNamed && isWritten) return [];
      const home = runnerOf(map, experiment) ?? live.find(({ isScript }) => isScript) ?? live[0];
      return home === undefined
        ? []
        : [unwritten(home, experiment, { measure, isNamed, isWritten })];
    }),
  );
}

/** Code that a command, or any script, leads to. */
function reachable(
  map: ModuleMap,
  code: readonly ParsedFile[],
  experiments: readonly Experiment[],
): ParsedFile[] {
  const runners = experiments.flatMap((experiment) => runnerOf(map, experiment) ?? []);
  const work = [
    ...runners,
    ...code.filter(({ isScript, settings }) => isScript || settings.flow.sources.length > 0),
  ];
  if (work.length === 0 || code.some(({ settings }) => settings.looksUpNames)) return [...code];
  const seen = new Set<ParsedFile>();
  for (let file = work.pop(); file !== undefined; file = work.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const use of file.imports) {
      const module = resolveImport(map, file.path, use);
      if (module === undefined) continue;
      const inner = (use.names ?? []).map(({ name }) => submodule(map, module, name)?.path);
      for (const path of [module.path, ...inner]) {
        const target = path === undefined ? undefined : map.files.get(path);
        if (target && !isTest(target.path)) work.push(target);
      }
      // Importing `a.b.c` runs the packages around it too.
      for (const package_ of packagesAround(map, module.folder)) work.push(package_);
    }
  }
  return code.filter((file) => seen.has(file));
}

function packagesAround(map: ModuleMap, folder: string): ParsedFile[] {
  const parts = folder.split('/');
  return parts.flatMap(
    (_, index) => map.files.get([...parts.slice(0, index), '__init__.py'].join('/')) ?? [],
  );
}

/** The program that an experiment's command starts. */
export function runnerOf(map: ModuleMap, { command }: Experiment): ParsedFile | undefined {
  const module = /\bpython[\d.]*\s+-m\s+([\w.]+)/.exec(command)?.[1]?.replaceAll('.', '/');
  const script = /([\w./-]+\.py)\b/.exec(command)?.[1]?.replace(/^\.\//, '');
  const paths =
    module === undefined ? [script] : [`${module}.py`, `${module}/__main__.py`, `src/${module}.py`];
  return paths.flatMap((path) => (path === undefined ? [] : (map.files.get(path) ?? [])))[0];
}

/** Whether code can make a file of this name: by its literal name, by a pattern, or by a name put together from parts. */
function writableNames(
  live: readonly ParsedFile[],
  data: readonly ParsedFile[],
): (file: string) => boolean {
  if (!live.some(({ settings }) => settings.writes)) return () => false;
  const literals = new Set(
    [...live, ...data].flatMap(({ settings }) => settings.strings.map(baseOf)),
  );
  const templates = live
    .flatMap(({ settings }) => settings.templates.map(baseOf))
    .filter((each) => each.includes('\0'));
  const patterns = templates.map(patternOf);
  return (file) => {
    const base = baseOf(file.trim());
    if (base === '' || literals.has(base)) return true;
    const wanted = base.replace(/\{[^}]*\}|<[^>]*>|\*/g, '\0');
    const sample = wanted.replaceAll('\0', 'x');
    if (patterns.some((pattern) => pattern.test(sample))) return true;
    if (wanted.includes('\0') && [...literals].some((each) => patternOf(wanted).test(each)))
      return true;
    const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/.exec(wanted) ?? [];
    // `save(rows, "table1")` where the ending is added elsewhere.
    const isEnding = literals.has(ending) || literals.has(ending.slice(1)) || ending === '';
    return isEnding && literals.has(stem);
  };
}

function baseOf(path: string): string {
  return path.replace(/\/+$/, '').split('/').at(-1) ?? '';
}

function patternOf(template: string): RegExp {
  const parts = template.split('\0').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}

/** What a column or key may be called: a variable that is computed and not handed on under its name is none. */
function writtenNames({ strings, templates, keywords, classes }: SettingsFacts): string[] {
  const fields = classes.flatMap((one) => one.fields.map(({ name }) => name));
  // Sentences and flags name no columns.
  const labels = strings.filter((one) => !one.startsWith('-') && one.split(/\s+/).length <= 3);
  return [...labels, ...templates, ...keywords, ...fields];
}

/** Whether a word occurs in anything that is written, whole or as the beginning of one. */
function wordsOf(files: readonly ParsedFile[]): (word: string) => boolean {
  const words = new Set<string>();
  for (const { settings } of files)
    for (const text of writtenNames(settings)) for (const word of splitWords(text)) words.add(word);
  const list = [...words].filter((word) => word.length >= 3);
  const occurs = (word: string): boolean =>
    words.has(word) ||
    list.some(
      (other) =>
        word.startsWith(other) ||
        (word.length >= 3 && other.startsWith(word)) ||
        stem(word) === stem(other),
    );
  return (word) =>
    occurs(word) || SYNONYMS.some((group) => group.includes(word) && group.some(occurs));
}

function stem(word: string): string {
  return word.replace(/(ies|es|s|ed|ing)$/, '');
}

function splitWords(text: string): string[] {
  return text
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** The words of a measure that its column may be named after: those of its name and unit. */
function nameWords({ name, unit }: Measure): string[] {
  const words = [...splitWords(name), ...splitWords(unit)];
  return words.filter((word) => word.length >= 2 && !EMPTY_WORDS.has(word));
}

function unwritten(
  runner: ParsedFile,
  { id }: Experiment,
  {
    measure,
    isNamed,
    isWritten,
  }: { readonly measure: Measure; readonly isNamed: boolean; readonly isWritten: boolean },
): Sighting {
  const { name, file, when } = measure;
  const missing = [
    ...(isWritten ? [] : [`no program that can be started writes ${file}`]),
    ...(isNamed ? [] : ['nothing that is written is named like it']),
  ].join(', and ');
  return {
    ...{ kind: 'unwritten-measure', path: runner.path, symbol: `${id}: ${name}`, line: 0 },
    message: () =>
      `Experiment ${id} is to record "${name}"${when === '' ? '' : ` (${when})`}, but ${missing}.`,
    remedy: `Compute "${name}" in ${runner.path} or what it calls, and write it to ${file || 'a results file'} under a column or key of that name.`,
  };
}
