import { randomUUID } from 'node:crypto';
import { rename, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { diskProblem } from '../store/disk-problem.ts';
import { makeFolder } from '../store/make-folder.ts';

/**
 * Puts a file for people to use: readable as their other files are, whole or not at all. A crash of the machine may
 * lose it, which a new export repairs; a killed process may leave its half in `temporaries`, a folder on the same disk.
 * Throws `NeedsPerson` when the disk is full or refuses.
 */
export async function writePlainly(
  path: string,
  content: string | Uint8Array,
  { temporaries = dirname(path), mode = 0o644 } = {},
): Promise<void> {
  const folder = dirname(path);
  const temporary = join(temporaries, `.${basename(path).slice(0, 40)}.${randomUUID()}.tmp`);
  try {
    await makeFolder(folder);
    await makeFolder(temporaries);
    await writeFile(temporary, content, { mode });
    await rename(temporary, path);
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw diskProblem(error, folder);
  }
}
