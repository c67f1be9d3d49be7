import type { ModuleMap } from './module-map.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import { DATA_FILE } from './settings-view.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';

/**
 * Keys that are read below a section of the settings files, where no file has them below a section of that name and
 * nothing else in the repository is called so. For settings that are merged, wrapped or composed, so that they cannot be followed.
 */
export function checkNamedKeys(
  map: ModuleMap,
  planned: readonly string[],
  told: readonly Sighting[],
): Sighting[] {
  if (planned.some((path) => DATA_FILE.test(path) || path.endsWith('.py'))) return [];
  const files = [...map.files.values()];
  if (files.some(({ problems }) => problems.length > 0)) return [];
  const holders = files.filter(({ settings }) => settings.defines !== null);
  const sections = sectionsIn(holders);
  if (sections.size === 0) return [];
  const known = namesIn(files, holders);
  const isTold = ({ path }: ParsedFile, line: number): boolean =>
    told.some((one) => one.path === path && one.line === line);
  return files
    .filter(({ path, language }) => language === 'python' && !isTest(path))
    .flatMap((file) =>
      file.code.traces.settingsChains.flatMap(({ keys, line, symbol }): Sighting[] => {
        const key = keys.at(-1) ?? '';
        const section = keys.at(-2) ?? '';
        const siblings = sections.get(section);
        if (siblings === undefined || siblings.has('<<') || known.has(key)) return [];
        if (key.startsWith('_') || isTold(file, line)) return [];
        const whole = keys.join('.');
        const near = nearestName(key, siblings.keys());
        const [holder = ''] = siblings.values();
        return [
          {
            ...{ kind: 'undefined-key', path: file.path, line },
            symbol: symbol === '' ? whole : `${symbol}: ${whole}`,
            message: (places) =>
              `${file.path} reads the setting \`${whole}\` ${places}, but ${holder} has no \`${key}\` in \`${section}\`, and nothing else in the repository is called so.`,
            remedy: `${near === undefined ? 'Read a key that' : `Read \`${near}\`, which`} \`${section}\` has, or define \`${key}\` there.`,
          },
        ];
      }),
    );
}

/** By the name of a section, the keys that it has in any file, each with the file. */
function sectionsIn(
  holders: readonly ParsedFile[],
): ReadonlyMap<string, ReadonlyMap<string, string>> {
  const sections = new Map<string, Map<string, string>>();
  const open = new Set<string>();
  for (const { path: file, settings } of holders)
    for (const { path, holds } of settings.defines ?? []) {
      const [key = '', section] = [path.at(-1), path.at(-2)];
      // What may hold anything says nothing of what it lacks.
      if (holds === 'open') open.add(key);
      if (section === undefined) continue;
      const keys = sections.get(section) ?? new Map<string, string>();
      sections.set(section, keys.set(key, file));
    }
  for (const name of open) sections.delete(name);
  return sections;
}

/** Everything by which a key may come into being: keys of any file, strings, fields, parameters, arguments, flags. */
function namesIn(
  files: readonly ParsedFile[],
  holders: readonly ParsedFile[],
): ReadonlySet<string> {
  const keys = holders.flatMap(({ settings }) =>
    (settings.defines ?? []).flatMap(({ path }) => path),
  );
  const code = files.flatMap(
    ({ settings, code: { traces, commandLine, attributesSet }, interface: offered }) => [
      ...settings.looseStrings.flatMap((text) => text.split(/\W+/)),
      ...settings.templates.flatMap((text) => text.split(/\W+/)),
      ...settings.classes.flatMap(({ fields, members }) => [
        ...fields.map(({ name }) => name),
        ...members,
      ]),
      ...settings.flow.functions.flatMap(({ symbol, parameters }) => [
        ...parameters,
        symbol.split('.').at(-1) ?? '',
      ]),
      ...traces.givenNames,
      ...commandLine.arguments.map(({ destination }) => destination),
      ...attributesSet,
      ...offered.names,
    ],
  );
  return new Set([...keys, ...code]);
}
