import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether server and worker are to live on without a client is a fact of the data folder, not of one supervisor: the
 * next supervisor keeps it, and a worker whose supervisor was killed reads from it that another one is wanted.
 */
export async function markKept(home: string): Promise<void> {
  await writeFile(pathOf(home), '', { mode: 0o600 });
}

export async function clearKept(home: string): Promise<void> {
  await rm(pathOf(home), { force: true });
}

export async function isKept(home: string): Promise<boolean> {
  return stat(pathOf(home)).then(
    () => true,
    () => false,
  );
}

function pathOf(home: string): string {
  return join(home, 'kept');
}
