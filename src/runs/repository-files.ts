import { createHash } from 'node:crypto';
import { Blueprint } from '../domain/blueprint.ts';
import { ignoreFile } from '../domain/ignored-paths.ts';
import type { RunState } from '../domain/run-state.ts';
import { keptJson } from '../store/kept-reader.ts';
import type { Store } from '../store/store.ts';

/** One file of the repository as it is given to people. */
export interface RepositoryFile {
  readonly path: string;
  readonly sha256: string;
  readonly read: () => Promise<Uint8Array>;
}

const readBlueprint = keptJson(Blueprint);
const IGNORE = '.gitignore';

/**
 * The files of a state's tree in the order of their paths, and last a `.gitignore` where none was planned: the one file
 * that we write ourselves, as a list of folders is no work for a model.
 */
export async function repositoryFiles(store: Store, state: RunState): Promise<RepositoryFile[]> {
  const { tree } = state;
  const files = Object.entries(tree)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, ref]) => ({ path, sha256: ref.sha256, read: () => store.get(ref) }));
  if (files.length === 0 || tree[IGNORE]) return files;
  const text = Buffer.from(ignoreFile(await readBlueprint(store, state.blueprint)));
  const sha256 = createHash('sha256').update(text).digest('hex');
  return [...files, { path: IGNORE, sha256, read: () => Promise.resolve(text) }];
}

/** Whether a file is to be started by its name: a shell script, or one that names its interpreter. */
export function isExecutable(path: string, content: Uint8Array): boolean {
  return path.endsWith('.sh') || (content[0] === 0x23 && content[1] === 0x21);
}
