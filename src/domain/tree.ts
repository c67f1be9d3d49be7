import type { Blueprint } from './blueprint.ts';
import { z } from 'zod';
import { RepositoryPath } from './path.ts';
import { Ref } from './ref.ts';

/** R, the repository as a value: path → content. */
export const Tree = z.record(RepositoryPath, Ref);
export type Tree = Readonly<Record<string, Ref>>;

/** A tree without the files that the plan no longer has: they were retired. */
export function plannedTree(tree: Tree, { files }: Pick<Blueprint, 'files'>): Tree {
  const planned = new Set(files.map(({ path }) => path));
  return Object.fromEntries(Object.entries(tree).filter(([path]) => planned.has(path)));
}
