import type { ParsedFile } from './parsed-file.ts';
import type { DefinedKey } from './settings-facts.ts';

/** A mapping that settings files define together; the same key may stand in several. */
export interface KeyTree {
  readonly children: Map<string, KeyTree>;
  holds: DefinedKey['holds'];
  /** The file that defines it, the first by path. */
  readonly path: string;
}

/** What a path of keys leads to: `missing` names the first that nothing defines. */
export type Lookup =
  | { readonly kind: 'defined' | 'unknowable' }
  | {
      readonly kind: 'missing';
      readonly depth: number;
      readonly siblings: readonly string[];
      readonly path: string;
    };

/** All keys that these files define. Where files are composed by folder, as Hydra does, those of `conf/model/a.yaml` stand under `model` too. */
export function uniteKeys(files: readonly ParsedFile[]): KeyTree {
  const root: KeyTree = { children: new Map(), holds: 'keys', path: files[0]?.path ?? '' };
  const areComposed = files.some((file) =>
    file.settings.defines?.some(({ path: [first] }) => first === 'defaults'),
  );
  for (const { path, settings } of files)
    for (const prefix of areComposed ? prefixesOf(path) : [[]])
      for (const key of settings.defines ?? [])
        define(root, [...prefix, ...key.path], key.holds, path);
  return root;
}

/** Looks a path of keys up. */
export function lookUp(root: KeyTree, path: readonly string[]): Lookup {
  let tree = root;
  for (const [depth, name] of path.entries()) {
    if (tree.holds !== 'keys') return { kind: 'unknowable' };
    const inner = tree.children.get(name);
    if (inner === undefined) {
      if (tree.children.has('<<')) return { kind: 'unknowable' };
      return { kind: 'missing', depth, siblings: [...tree.children.keys()], path: tree.path };
    }
    tree = inner;
  }
  return { kind: 'defined' };
}

function define(
  root: KeyTree,
  path: readonly string[],
  holds: DefinedKey['holds'],
  file: string,
): void {
  let tree = root;
  for (const [index, name] of path.entries()) {
    const isLast = index === path.length - 1;
    let inner = tree.children.get(name);
    if (inner === undefined) {
      inner = { children: new Map(), holds: isLast ? holds : 'keys', path: file };
      tree.children.set(name, inner);
      // What one file gives a value, another may give keys.
    } else if (isLast && inner.holds !== holds) inner.holds = 'open';
    tree = inner;
  }
}

/** `conf/model/net/a.yaml` may stand for `model.net`, for `net`, or for the whole. */
function prefixesOf(path: string): string[][] {
  const folders = path.split('/').slice(0, -1);
  return [[], ...folders.map((_, index) => folders.slice(index))];
}
