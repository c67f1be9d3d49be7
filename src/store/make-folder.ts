import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode } from './durable.ts';

/**
 * Makes a folder and those above it, where they are not there yet. Node's own `recursive` never returns under `/proc`
 * and loses the reason on a disk that can only be read, so this goes up step by step. Throws what the file system says.
 */
export async function makeFolder(path: string, mode = 0o777): Promise<void> {
  try {
    await mkdir(path, { mode });
  } catch (error) {
    if (hasCode(error, 'EEXIST') && (await isFolder(path))) return;
    const parent = dirname(path);
    if (!hasCode(error, 'ENOENT') || parent === path || (await isFolder(parent))) throw error;
    await makeFolder(parent, mode);
    await makeFolder(path, mode);
  }
}

/** Whether there is a folder; false where that cannot be told. */
export function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
