import { indexOf, meaningOf } from './called-names.ts';
import { findUnused, type UnusedKey } from './check-unused-keys.ts';
import { unusedFields } from './check-unused-fields.ts';
import { fieldsOf } from './class-fields.ts';
import { type KeyTree, lookUp } from './defined-keys.ts';
import type { ModuleMap } from './module-map.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import { isHole, type KeyRead, type Place } from './settings-facts.ts';
import { followSettings, type Reached } from './settings-flow.ts';
import { classOf, type Origin } from './settings-links.ts';
import { DATA_FILE, type SettingsView, viewOf } from './settings-view.ts';
import type { Sighting } from './sightings.ts';
import { isTest } from './test-files.ts';
import type { ToldCommand } from './told-commands.ts';

/** What is wrong between settings files and the code that reads them. */
export interface SettingsSightings {
  readonly undefinedKeys: readonly Sighting[];
  readonly unusedKeys: readonly UnusedKey[];
  readonly unusedFields: readonly Sighting[];
}

/** Keys that are read and that no file defines, and keys that are defined and never read. */
export function checkSettings(
  map: ModuleMap,
  planned: readonly string[],
  told: readonly ToldCommand[],
): SettingsSightings {
  const files = [...map.files.values()];
  const code = files.filter(({ language, path }) => language === 'python' && !isTest(path));
  const flow = followSettings(map, code);
  const holders = files.filter(({ settings, path }) => settings.defines !== null && !isTest(path));
  const view = viewOf(
    { map, flow, code, holders },
    told,
    planned.some((path) => DATA_FILE.test(path)),
  );
  const isCodePlanned = planned.some((path) => path.endsWith('.py'));
  return {
    undefinedKeys: [
      ...code.flatMap((file) =>
        file.settings.flow.reads.flatMap((read) => undefinedKey(view, file, read)),
      ),
      ...code.flatMap((file) => refusedKeys(view, file)),
    ],
    unusedFields:
      isCodePlanned || files.some(({ problems }) => problems.length > 0) ? [] : unusedFields(code),
    unusedKeys: isCodePlanned ? [] : findUnused(view, files),
  };
}

function undefinedKey(
  view: SettingsView,
  file: ParsedFile,
  { at, line, symbol }: KeyRead,
): Sighting[] {
  if (at.optional) return [];
  const reached = view.flow.at(file, at);
  if (reached.length === 0 || view.flow.isUnsure(file, at)) return [];
  const missing = reached.map((each) => missingKey(view, each, at));
  const [first] = missing;
  // It fails only if none of the things that the value may be has the key.
  if (first === undefined || missing.some((each) => each === undefined)) return [];
  const { key, siblings, holder } = first;
  const name = key.at(-1) ?? '';
  const near = nearestName(name, siblings);
  const whole = key.join('.');
  const nearest = near === undefined ? undefined : [...key.slice(0, -1), near].join('.');
  return [
    {
      ...{ kind: 'undefined-key', path: file.path, line },
      symbol: symbol === '' ? whole : `${symbol}: ${whole}`,
      message: (places) =>
        `${file.path} reads the setting \`${whole}\` ${places}, which ${holder} does not define, so reading it fails.`,
      remedy:
        nearest === undefined
          ? `Define \`${whole}\` in ${holder}, or read a key that it defines.`
          : `Read \`${nearest}\`, which ${holder} defines, or define \`${whole}\` there.`,
    },
  ];
}

interface MissingKey {
  readonly key: readonly string[];
  readonly siblings: readonly string[];
  readonly holder: string;
}

function missingKey(view: SettingsView, reached: Reached, at: Place): MissingKey | undefined {
  const { origin, path } = reached;
  if (path.some((name) => isHole(name) || /^__|^_\w/.test(name))) return undefined;
  if (origin.kind === 'class')
    return view.isChanged(reached) ? undefined : missingField(view, origin, path);
  // A plain dict has no attributes: what reads them has changed its form unseen.
  if (at.dotted && !origin.source.dotted && !reached.wrapped) return undefined;
  const tree = view.keysOf(origin);
  const found = tree && lookUp(tree, path);
  // A section that is missing is told where it is taken, not where its keys are read.
  if (found?.kind !== 'missing' || found.depth < path.length - at.path.length) return undefined;
  if (view.isChanged({ ...reached, path: path.slice(0, found.depth + 1) })) return undefined;
  const holder = found.path;
  return { key: path.slice(0, found.depth + 1), siblings: found.siblings, holder };
}

function missingField(
  { map }: SettingsView,
  origin: Extract<Origin, { kind: 'class' }>,
  path: readonly string[],
): MissingKey | undefined {
  let at: { readonly path: string; readonly name: string } | undefined = origin;
  for (const [depth, name] of path.entries()) {
    if (at === undefined) return undefined;
    const fields = fieldsOf(map, at);
    if (fields === undefined) return undefined;
    const field = fields.get(name);
    if (field === undefined)
      return {
        ...{ key: [at.name, name], siblings: [...fields.keys()] },
        holder: `the class ${at.name} of ${at.path}`,
      };
    const file = map.files.get(field.path);
    at = file && depth < path.length - 1 ? classOf(map, file, field.type) : undefined;
  }
  return undefined;
}

/** Keys of a section that is handed whole to a dataclass which has no such field. */
function refusedKeys(view: SettingsView, file: ParsedFile): Sighting[] {
  return file.settings.flow.spreads.flatMap(({ callee, at, line, symbol }) => {
    const meaning = meaningOf(view.map, file, callee);
    const target = meaning?.kind === 'class' ? view.map.files.get(meaning.path) : undefined;
    const isDataclass = target && meaning && indexOf(target).classes.get(meaning.name)?.isDataclass;
    const reached = view.flow.at(file, at);
    const [only] = reached;
    if (!isDataclass || reached.length !== 1 || only === undefined) return [];
    if (view.flow.isUnsure(file, at)) return [];
    const fields = fieldsOf(view.map, meaning);
    const section = sectionAt(view.keysOf(only.origin), only.path);
    if (fields === undefined || section === undefined) return [];
    return [...section.children].flatMap(([key, { path }]): Sighting[] => {
      const isTaken = view.isChanged({ ...only, path: [...only.path, key] });
      if (fields.get(key)?.isField === true || key === '<<' || isTaken) return [];
      const near = nearestName(key, fields.keys());
      const whole = [...only.path, key].join('.');
      return [
        {
          ...{ kind: 'undefined-key', path: target.path, line: 0 },
          symbol: `${meaning.name}: ${whole}`,
          message: () =>
            `${file.path} makes a ${meaning.name} of the settings ${only.path.join('.')} (line ${line}${symbol === '' ? '' : ` in ${symbol}`}), and ${path} defines \`${whole}\` there, for which ${meaning.name} has no field, so the call fails.`,
          remedy: `${near === undefined ? '' : `Call the key \`${near}\` in ${path}, or a`}${near === undefined ? 'A' : ''}dd the field \`${key}\` to ${meaning.name} in ${target.path}, or remove the key.`,
        },
      ];
    });
  });
}

function sectionAt(tree: KeyTree | undefined, path: readonly string[]): KeyTree | undefined {
  let section = tree;
  for (const name of path)
    section = section?.holds === 'keys' ? section.children.get(name) : undefined;
  return section?.holds === 'keys' ? section : undefined;
}
