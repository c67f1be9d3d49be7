import { type KeyTree, uniteKeys } from './defined-keys.ts';
import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Reached, SettingsFlow } from './settings-flow.ts';
import type { Origin } from './settings-links.ts';

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

/** Puts together which keys the files define for whom. While settings files are planned none are known. */
export function viewOf(
  parts: Pick<SettingsView, 'map' | 'flow' | 'code' | 'holders'>,
  areHoldersPlanned: boolean,
): SettingsView {
  const { flow, holders } = parts;
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
