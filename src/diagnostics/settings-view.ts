import { type KeyTree, uniteKeys } from './defined-keys.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Reached, SettingsFlow } from './settings-flow.ts';
import type { Origin } from './settings-links.ts';
import type { ToldCommand } from './told-commands.ts';

/** Flags that take a settings file. */
const SETTINGS_FLAG = /^-(c$|-.*(conf|cfg|setting|param|yaml|json|toml))/;
/** A path in a format that settings and data are kept in. */
export const DATA_FILE = /\.(ya?ml|json|toml)$/;

type LoadOrigin = Extract<Origin, { kind: 'load' }>;

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
  /** The settings files that an origin may be. */
  readonly filesOf: (origin: Origin) => readonly ParsedFile[];
  /** Whether code may have added the key, or taken it out. */
  readonly isChanged: (reached: Reached) => boolean;
}

/** Puts together which keys the files define for whom. While settings files are planned none are known. */
export function viewOf(
  parts: Pick<SettingsView, 'map' | 'flow' | 'code' | 'holders'>,
  told: readonly ToldCommand[],
  areHoldersPlanned: boolean,
): SettingsView {
  const { flow, holders } = parts;
  const trees = new Map<string, KeyTree>();
  const treeOf = (files: readonly ParsedFile[]): KeyTree => {
    const key = files.map(({ path }) => path).join('\n');
    const tree = trees.get(key) ?? uniteKeys(files);
    trees.set(key, tree);
    return tree;
  };
  const firstKeys = firstKeysRead(parts);
  const known = new Map<Origin, KeyTree | undefined>();
  const files = new Map<Origin, readonly ParsedFile[]>();
  for (const origin of flow.origins) {
    if (origin.kind !== 'load') continue;
    const meant = filesMeant(origin, holders, told);
    files.set(origin, meant);
    if (areHoldersPlanned) continue;
    const tree = treeOf(meant);
    known.set(origin, isKnown(origin, holders, tree, firstKeys.get(origin)) ? tree : undefined);
  }
  return {
    ...parts,
    keysOf: (origin) => known.get(origin),
    filesOf: (origin) => files.get(origin) ?? [],
    isChanged: changesIn(parts),
  };
}

/** All of the format, or those alone that the code names and that commands which start it give. */
function filesMeant(
  { source, file }: LoadOrigin,
  holders: readonly ParsedFile[],
  told: readonly ToldCommand[],
): readonly ParsedFile[] {
  const all = holders.filter(
    ({ language }) => source.format === 'any' || language === source.format,
  );
  if (source.reads === null) return all;
  const given = told.filter(({ path }) => path === file.path).flatMap(({ target }) => target.given);
  const words = given.filter((word) => word !== null);
  // What only the shell knows, or a placeholder stands for, may be any file.
  const isOpen =
    given.some((word, index) => word === null && SETTINGS_FLAG.test(given[index - 1] ?? '')) ||
    words.some((word) => DATA_FILE.test(word) && /[{$*]/.test(word));
  const names = [...source.reads, ...words.filter((word) => DATA_FILE.test(word))];
  const meant = names.map((name) =>
    all.filter(({ path }) => `/${path}`.endsWith(`/${baseOf(name)}`)),
  );
  return isOpen || meant.some((found) => found.length === 0) ? all : [...new Set(meant.flat())];
}

function baseOf(path: string): string {
  return path.split(/[/=]/).at(-1) ?? path;
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
    // A class says itself what its methods set.
    [...path.keys(), path.length].some(
      (end) =>
        (end > 0 || origin.kind === 'load') &&
        opened.get(origin)?.has(path.slice(0, end).join('\0')),
    );
}

/** Whether what is loaded is one of the repository's settings files: one that is named, or else one that has keys which are read. */
function isKnown(
  { source }: LoadOrigin,
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
