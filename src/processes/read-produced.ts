import { constants } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What became of reading a file that a command wrote; `refused` with a sentence on why. */
export type Produced =
  | {
      readonly kind: 'file';
      readonly content: Buffer;
      /** The file's size; more than `content` holds when it was cut. */
      readonly bytes: number;
    }
  | { readonly kind: 'absent' }
  | { readonly kind: 'refused'; readonly reason: string };

/** A regular file below the folder that was looked through. */
export interface ProducedFile {
  /** Relative to the folder, with `/`. */
  readonly path: string;
  readonly bytes: number;
}

/** The regular files below a folder, sorted by path; not all of them when there are more than were asked for. */
export interface ProducedFiles {
  readonly files: readonly ProducedFile[];
  readonly isWhole: boolean;
}

/** Entries of other kinds that are looked at on the way, for each file that is asked for. */
const ENTRIES_PER_FILE = 4;
const MAX_DEPTH = 32;

/**
 * Reads at most `maxBytes` from the start of a file that an untrusted command may have made, once nothing of it runs
 * any more. Only a regular file below `folder` is read: nothing is ever reached through a link, neither the file nor a
 * folder on the way, and no pipe or device is waited for. Never throws for what is there.
 */
export async function readProduced(
  folder: string,
  path: string,
  maxBytes: number,
): Promise<Produced> {
  const parts = path.split('/').filter((part) => part !== '' && part !== '.');
  if (path.startsWith('/') || path.includes('\0') || parts.length === 0 || parts.includes('..'))
    return refused(path, 'does not lie below the folder');
  try {
    let at = folder;
    for (const part of parts.slice(0, -1)) {
      at = join(at, part);
      const found = await lstat(at);
      if (!found.isDirectory()) return refused(path, `lies behind ${part}, which is no folder`);
    }
    return await readRegular(path, join(at, parts.at(-1) ?? ''), maxBytes);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
    return refused(path, `cannot be read (${code})`);
  }
}

/** The regular files below a folder, links and all else left out; at most `maxFiles`. Throws when the folder is not there. */
export async function listProduced(folder: string, maxFiles: number): Promise<ProducedFiles> {
  const files: ProducedFile[] = [];
  let left = maxFiles * ENTRIES_PER_FILE;
  let isWhole = true;
  const look = async (below: string, depth: number): Promise<void> => {
    for (const entry of await readdir(join(folder, below), { withFileTypes: true })) {
      left -= 1;
      if (left < 0 || files.length >= maxFiles) {
        isWhole = false;
        return;
      }
      const path = below === '' ? entry.name : `${below}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < MAX_DEPTH) await look(path, depth + 1).catch(() => (isWhole = false));
        else isWhole = false;
      } else if (entry.isFile()) {
        files.push({ path, bytes: (await lstat(join(folder, path))).size });
      }
    }
  };
  await look('', 0);
  files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return { files, isWhole };
}

async function readRegular(path: string, at: string, maxBytes: number): Promise<Produced> {
  const seen = await lstat(at);
  if (seen.isSymbolicLink()) return refused(path, 'is a link');
  if (!seen.isFile()) return refused(path, 'is no regular file');
  // A second name of one file may stand anywhere.
  if (seen.nlink > 1) return refused(path, 'has several names');
  const file = await open(at, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = await file.stat();
    if (!opened.isFile() || opened.ino !== seen.ino || opened.dev !== seen.dev)
      return refused(path, 'was exchanged while it was read');
    const buffer = Buffer.alloc(Math.min(opened.size, maxBytes));
    let filled = 0;
    while (filled < buffer.length) {
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return { kind: 'file', content: buffer.subarray(0, filled), bytes: opened.size };
  } finally {
    await file.close();
  }
}

function refused(path: string, why: string): Produced {
  return { kind: 'refused', reason: `${path} ${why}.` };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
