import type { Experiment, Measure } from '../domain/experiment.ts';
import { isNamedIn } from './measure-names.ts';
import type { ModuleMap } from './module-map.ts';
import { loadedFrom } from './module-reach.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

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
  const all = experiments.flatMap(({ measures }) => measures.map(({ name }) => name));
  return experiments.flatMap((experiment) => {
    const own = ownCode(map, experiment, live);
    const ownWrites = writableNames(own, data);
    return experiment.measures.flatMap((measure) => {
      // What another program writes is named there.
      const writers = measure.file.trim() === '' || ownWrites(measure.file) ? own : live;
      const isNamed = isNamedIn(writers, { data, others: all })(measure);
      const isWritten = measure.file.trim() === '' || writes(measure.file);
      if (isNamed && isWritten) return [];
      const home = runnerOf(map, experiment) ?? live.find(({ isScript }) => isScript) ?? live[0];
      return home === undefined
        ? []
        : [unwritten(home, experiment, { measure, isNamed, isWritten })];
    });
  });
}

/** The code that an experiment's program loads; all where it is not known, or starts other programs. */
function ownCode(
  map: ModuleMap,
  experiment: Experiment,
  live: readonly ParsedFile[],
): readonly ParsedFile[] {
  const runner = runnerOf(map, experiment);
  if (runner === undefined) return live;
  const loaded = loadedFrom(map, [runner.path]);
  const own = live.filter(({ path }) => loaded.has(path));
  const startsOthers = own.some(
    ({ settings }) =>
      settings.looksUpNames || settings.strings.some((one) => /\.(py|sh)$/.test(one)),
  );
  return startsOthers || own.length === 0 ? live : own;
}

/** Code that a command, or any script, leads to. */
function reachable(
  map: ModuleMap,
  code: readonly ParsedFile[],
  experiments: readonly Experiment[],
): ParsedFile[] {
  const runners = experiments.flatMap((experiment) => runnerOf(map, experiment) ?? []);
  const starts = [
    ...runners,
    ...code.filter(({ isScript, settings }) => isScript || settings.flow.sources.length > 0),
  ];
  if (starts.length === 0 || code.some(({ settings }) => settings.looksUpNames)) return [...code];
  const loaded = loadedFrom(
    map,
    starts.map(({ path }) => path),
  );
  return code.filter(({ path }) => loaded.has(path));
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
  // Loggers of Lightning name their files themselves.
  const isLogged = live.some(
    ({ settings }) =>
      settings.names.includes('CSVLogger') &&
      !settings.classes.some(({ name }) => name === 'CSVLogger'),
  );
  if (isLogged) literals.add('metrics.csv');
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
