import { createHash } from 'node:crypto';
import { lstat, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { hasCode } from '../store/durable.ts';
import { isExecutable, type RepositoryFile } from './repository-files.ts';
import { writePlainly } from './write-plainly.ts';

/** What became of the files of a folder. Paths are relative to it. */
export interface Projected {
  readonly written: number;
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that a person has changed since we wrote them: left alone. */
  readonly keptChanges: readonly string[];
  /** What we know of as ours afterwards: SHA-256 by path. */
  readonly files: Readonly<Record<string, string>>;
}

/**
 * Makes a folder hold these files. `known` is what we wrote before: whatever else stands there is a person's, and is
 * neither overwritten nor removed. `temporaries` is a folder on the same disk.
 */
export async function projectFiles(
  folder: string,
  files: readonly RepositoryFile[],
  known: Readonly<Record<string, string>>,
  temporaries: string,
): Promise<Projected> {
  const wanted = new Set(files.map(({ path }) => path));
  const gone = Object.entries(known).filter(([path]) => !wanted.has(path));
  const after: Record<string, string> = {};
  const keptChanges: string[] = [];
  const removed: string[] = [];
  let written = 0;
  for (const [path, was] of gone) {
    const found = await hashOf(folder, path);
    if (found === was) {
      await removeFile(folder, path);
      removed.push(path);
    } else if (found !== undefined) {
      keptChanges.push(path);
      after[path] = was;
    }
  }
  for (const { path, sha256, read } of files) {
    const was = known[path];
    const found = await hashOf(folder, path);
    if (found !== undefined && found !== was && found !== sha256) {
      keptChanges.push(path);
      after[path] = was ?? sha256;
      continue;
    }
    after[path] = sha256;
    if (found === sha256) continue;
    const content = await read();
    const mode = isExecutable(path, content) ? 0o755 : 0o644;
    await writePlainly(join(folder, path), content, { temporaries, mode });
    written += 1;
  }
  const unchanged = files.filter(({ path }) => !keptChanges.includes(path)).length - written;
  return { written, unchanged, removed, keptChanges, files: after };
}

/** A file's SHA-256; undefined where there is nothing, and no hash at all for whatever else stands there. */
export async function hashOf(folder: string, path: string): Promise<string | undefined> {
  try {
    if (await isBehindLink(folder, path)) return 'behind a link';
    const target = join(folder, path);
    // Whatever else stands there, a link or a folder, is a person's.
    if (!(await lstat(target)).isFile()) return 'no file';
    return createHash('sha256')
      .update(await readFile(target))
      .digest('hex');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    // A file stands where the path needs a folder.
    if (hasCode(error, 'ENOTDIR')) return 'no folder';
    throw error;
  }
}

/** Whether a folder on the way is a link or a file: what lies behind may be outside, and is not ours to write. */
async function isBehindLink(folder: string, path: string): Promise<boolean> {
  const parts = path.split('/').slice(0, -1);
  for (const [index] of parts.entries())
    if (!(await lstat(join(folder, ...parts.slice(0, index + 1)))).isDirectory()) return true;
  return false;
}

/** Removes a file and the folders that it leaves empty. */
async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const isRemoved = await rmdir(join(folder, parent)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
