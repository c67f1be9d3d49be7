import {
  classOf,
  followSettings,
  type Origin,
  type Reached,
  type SettingsFlow,
} from './settings-flow.ts';
import { indexOf, meaningOf } from './called-names.ts';
import { type KeyTree, lookUp, uniteKeys } from './defined-keys.ts';
import type { ModuleMap } from './module-map.ts';
import { nearestName } from './nearest-name.ts';
import type { ParsedFile } from './parsed-file.ts';
import { findUnused } from './check-unused-keys.ts';
import type { KeyRead, Place } from './settings-facts.ts';
import type { Sighting } from './sightings.ts';

/** Tests read what is not there on purpose, and pass settings of their own. */
const IN_TESTS = /(^|\/)(tests?\/|test_[^/]*\.py$|conftest\.py$|[^/]*_test\.py$)/;
const DATA_FILE = /\.(ya?ml|json|toml)$/;

/** What the checks of settings work with. */
export interface SettingsView {
  readonly map: ModuleMap;
  readonly flow: SettingsFlow;
  /** Python files that are not tests. */
  readonly code: readonly ParsedFile[];
  /** Settings files that are loaded from somewhere. */
  readonly holders: readonly ParsedFile[];
  /** The keys that an origin has; undefined where that is not known. */
  readonly keysOf: (origin: Origin) => KeyTree | undefined;
  /** Whether code may have added the key, or taken it out. */
  readonly isChanged: (reached: Reached) => boolean;
}

/** Keys that are read and that no file defines, and keys that are defined and never read. */
export function checkSettings(map: ModuleMap, planned: readonly string[]): Sighting[] {
  const files = [...map.files.values()];
  const code = files.filter(({ language, path }) => language === 'python' && !IN_TESTS.test(path));
  const flow = followSettings(map, code);
  const holders = files.filter(
    ({ settings, path }) => settings.defines !== null && !IN_TESTS.test(path),
  );
  const view = viewOf(
    { map, flow, code, holders },
    planned.some((path) => DATA_FILE.test(path)),
  );
  const isCodePlanned = planned.some((path) => path.endsWith('.py'));
  return [
    ...code.flatMap((file) =>
      file.settings.flow.reads.flatMap((read) => undefinedKey(view, file, read)),
    ),
    ...code.flatMap((file) => refusedKeys(view, file)),
    ...(isCodePlanned ? [] : findUnused(view, files)),
  ];
}

function viewOf(
  parts: Pick<SettingsView, 'map' | 'flow' | 'code' | 'holders'>,
  areHoldersPlanned: boolean,
): SettingsView {
  const { flow, code, holders } = parts;
  const trees = new Map<string, KeyTree>();
  const treeOf = (format: string): KeyTree => {
    const known = trees.get(format);
    if (known) return known;
    const tree = uniteKeys(
      holders.filter(({ language }) => format === 'any' || language === format),
    );
    trees.set(format, tree);
    return tree;
  };
  const firstKeys = firstKeysRead(parts);
  const known = new Map<Origin, KeyTree | undefined>();
  for (const origin of flow.origins) {
    if (origin.kind !== 'load' || areHoldersPlanned) continue;
    const tree = treeOf(origin.source.format);
    known.set(origin, isKnown(origin, holders, tree, firstKeys.get(origin)) ? tree : undefined);
  }
  return {
    ...parts,
    keysOf: (origin) => known.get(origin),
    isChanged: changesIn(parts),
  };
}

function changesIn({ flow, code }: Pick<SettingsView, 'flow' | 'code'>): SettingsView['isChanged'] {
  const opened = new Map<Origin, Set<string>>();
  const removed = new Map<Origin, Set<string>>();
  const openedNames = new Set<string>();
  const note = (paths: Map<Origin, Set<string>>, { origin, path }: Reached): void => {
    paths.set(origin, (paths.get(origin) ?? new Set()).add(path.join('\0')));
  };
  for (const file of code) {
    for (const place of file.settings.flow.opened) {
      openedNames.add(place.path.at(-1) ?? '');
      for (const each of flow.at(file, place)) note(opened, each);
    }
    for (const place of file.settings.flow.removed)
      for (const each of flow.at(file, place)) note(removed, each);
  }
  return ({ origin, path }) =>
    path.some((name) => openedNames.has(name)) ||
    removed.get(origin)?.has(path.join('\0')) === true ||
    [...path.keys(), path.length].some((end) =>
      opened.get(origin)?.has(path.slice(0, end).join('\0')),
    );
}

/** Whether what is loaded is one of the repository's settings files: one that is named, or else one that has keys which are read. */
function isKnown(
  { source }: Extract<Origin, { kind: 'load' }>,
  holders: readonly ParsedFile[],
  tree: KeyTree,
  read: ReadonlySet<string> | undefined,
): boolean {
  if (tree.children.size === 0) return false;
  const named = source.files.map((name) =>
    holders.some(({ path }) => `/${path}`.endsWith(`/${name}`)),
  );
  if (named.length > 0) return named.every((isThere) => isThere);
  return source.hinted && [...(read ?? [])].some((name) => tree.children.has(name));
}

function firstKeysRead({
  flow,
  code,
}: Pick<SettingsView, 'flow' | 'code'>): ReadonlyMap<Origin, Set<string>> {
  const keys = new Map<Origin, Set<string>>();
  for (const file of code)
    for (const { at } of file.settings.flow.reads)
      for (const {
        origin,
        path: [first],
      } of flow.at(file, at))
        if (first !== undefined) keys.set(origin, (keys.get(origin) ?? new Set()).add(first));
  return keys;
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
  if (path.some((name) => /^__|^_\w/.test(name)) || view.isChanged(reached)) return undefined;
  if (origin.kind === 'class') return missingField(view, origin, path);
  // A plain dict has no attributes: what reads them has changed its form unseen.
  if (at.dotted && !origin.source.dotted && !reached.wrapped) return undefined;
  const tree = view.keysOf(origin);
  const found = tree && lookUp(tree, path);
  // A section that is missing is told where it is taken, not where its keys are read.
  if (found?.kind !== 'missing' || found.depth < path.length - at.path.length) return undefined;
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

interface Field {
  readonly path: string;
  readonly type: string;
  /** Whether the constructor takes it. */
  readonly isField: boolean;
}

/** Everything that instances of a class have, those of its bases included; undefined when it can't be known. */
function fieldsOf(
  map: ModuleMap,
  { path, name }: { readonly path: string; readonly name: string },
  hops = 0,
): ReadonlyMap<string, Field> | undefined {
  const file = map.files.get(path);
  const found = file && indexOf(file).classes.get(name);
  if (file === undefined || found === undefined || found.isDynamic || hops > 5) return undefined;
  const fields = new Map<string, Field>();
  for (const base of found.bases) {
    const meaning = meaningOf(map, file, base);
    const inherited = meaning?.kind === 'class' ? fieldsOf(map, meaning, hops + 1) : undefined;
    if (inherited === undefined) return undefined;
    for (const [key, field] of inherited) fields.set(key, field);
  }
  for (const member of found.members) fields.set(member, { path, type: '', isField: false });
  for (const each of found.fields)
    fields.set(each.name, { path, type: each.type, isField: !/\bClassVar\b/.test(each.type) });
  return fields;
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
