import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a folder and those above it, where they are not there yet; any number of processes may do so at once. Node's
 * own `recursive` never returns under `/proc` and loses the reason on a disk that can only be read, so this goes up
 * step by step. Throws what the file system says.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  const parent = dirname(path);
  const problem = await makeOne(path, mode);
  if (problem === undefined) return;
  if (!isMissing(problem) || parent === path) throw problem;
  await makeFolder(parent, mode);
  // The parent is there now: whatever is wrong still is no matter of folders above.
  const again = await makeOne(path, mode);
  if (again !== undefined) throw again;
}

/** Whether there is a folder; false where that cannot be told. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}

/** Undefined when the folder is there afterwards. */
async function makeOne(path: string, mode: number): Promise<Error | undefined> {
  try {
    await mkdir(path, { mode });
    return undefined;
  } catch (error) {
    if (await isFolder(path)) return undefined;
    return error instanceof Error ? error : new Error(String(error));
  }
}

function isMissing(error: Error): boolean {
  return 'code' in error && error.code === 'ENOENT';
}
