import type { Blueprint } from './blueprint.ts';

/** The planned files that are to meet a requirement. */
export function ownersOf(id: string, { files }: Pick<Blueprint, 'files'>): string[] {
  return files.filter(({ owns }) => owns.includes(id)).map(({ path }) => path);
}
