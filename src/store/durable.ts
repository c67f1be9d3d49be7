import { randomUUID } from 'node:crypto';
import { link, open, rename, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { diskProblem } from './disk-problem.ts';
import { makeFolder } from './make-folder.ts';

/**
 * Puts `content` at `path` so that after a crash at any moment the file is there whole, as it was, or absent.
 * Throws `NeedsPerson` when the disk is full or refuses, which names `folder`: one that means something to a person.
 */
export async function replaceDurably(
  path: string,
  content: string | Uint8Array,
  folder = dirname(path),
): Promise<void> {
  await withTemporary({ path, content, folder }, (temporary) => rename(temporary, path));
}

/** The same, but only where nothing is there yet: false, and nothing changed, when the name is taken. */
export async function createDurably(
  path: string,
  content: string | Uint8Array,
  folder = dirname(path),
): Promise<boolean> {
  return withTemporary({ path, content, folder }, async (temporary) => {
    try {
      await link(temporary, path);
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    } finally {
      await unlink(temporary).catch(() => undefined);
    }
  });
}

async function withTemporary<Result>(
  file: {
    readonly path: string;
    readonly content: string | Uint8Array;
    readonly folder: string;
  },
  publish: (temporary: string) => Promise<Result>,
): Promise<Result> {
  const { path, content } = file;
  const folder = dirname(path);
  const temporary = join(folder, `.${randomUUID()}.tmp`);
  try {
    await writeAndSync(temporary, content).catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      await makeFolder(folder, 0o700);
      await writeAndSync(temporary, content);
    });
    const result = await publish(temporary);
    await syncFolder(folder);
    return result;
  } catch (error) {
    await unlink(temporary).catch(() => undefined);
    throw diskProblem(error, file.folder);
  }
}

async function writeAndSync(path: string, content: string | Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A new name is durable only once its folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether an error of the file system has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
