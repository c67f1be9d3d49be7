import { open, mkdir, readdir, rm, utimes, writeFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** A file or folder that an archive holds. */
interface Entry {
  readonly path: string;
  readonly isFolder: boolean;
  readonly isProgram: boolean;
  readonly modifiedSeconds: number;
  /** Where its content begins. */
  readonly offset: number;
  readonly bytes: number;
}

const BLOCK = 512;
const COPY_BYTES = 1024 * 1024;
const MAX_PATH_BYTES = 1024;
/** A time that every file system can hold. */
const LAST_SECOND = 2 ** 32 - 1;

/**
 * Makes a folder hold what a tar archive of an untrusted command holds, and nothing else: its regular files, with
 * times and the right to be run, and its folders; links, devices and all else are left out, and so are paths that do
 * not lie below the folder. False, and nothing is changed, when the archive has no end or more than `maxEntries`.
 */
export async function unpackArchive(
  archive: string,
  folder: string,
  maxEntries: number,
): Promise<boolean> {
  const file = await open(archive, 'r');
  try {
    const entries = await readEntries(file, maxEntries);
    if (entries === undefined) return false;
    for (const name of await readdir(folder))
      await rm(join(folder, name), { recursive: true, force: true });
    // Every name is new and made by us, so no link can stand in the way.
    for (const entry of entries) await unpackEntry(file, folder, entry).catch(ignoreClash);
    return true;
  } finally {
    await file.close();
  }
}

async function unpackEntry(file: FileHandle, folder: string, entry: Entry): Promise<void> {
  const path = join(folder, entry.path);
  await mkdir(entry.isFolder ? path : dirname(path), { recursive: true });
  if (entry.isFolder) return;
  const mode = entry.isProgram ? 0o755 : 0o644;
  await writeFile(path, contentOf(file, entry), { flag: 'wx', mode });
  const seconds = Math.min(entry.modifiedSeconds, LAST_SECOND);
  await utimes(path, seconds, seconds);
}

/** A name that is used twice, also as file and folder, or that this file system cannot hold. */
function ignoreClash(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (!['EEXIST', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG', 'EILSEQ', 'EINVAL'].includes(String(code)))
    throw error;
}

async function* contentOf(file: FileHandle, { offset, bytes }: Entry): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; at += COPY_BYTES)
    yield await readAt(file, offset + at, Math.min(COPY_BYTES, bytes - at));
}

/** Undefined when the archive was cut, is no archive, or has too many entries. */
async function readEntries(file: FileHandle, maxEntries: number): Promise<Entry[] | undefined> {
  const { size } = await file.stat();
  const entries: Entry[] = [];
  let longName: string | undefined;
  let seen = 0;
  for (let at = 0; at + BLOCK <= size;) {
    const head = await readAt(file, at, BLOCK);
    if (head.every((byte) => byte === 0)) return entries;
    const bytes = numberAt(head, 124, 12);
    const offset = at + BLOCK;
    seen += 1;
    if (bytes === undefined || offset + bytes > size || seen > maxEntries) return undefined;
    at = offset + Math.ceil(bytes / BLOCK) * BLOCK;
    const kind = String.fromCharCode(head[156] ?? 0);
    if (kind === 'L') {
      // GNU tar: the name of the next entry, where it is longer than its field.
      longName = bytes <= MAX_PATH_BYTES ? textOf(await readAt(file, offset, bytes)) : '';
      continue;
    }
    const path = pathBelow(longName ?? textOf(head.subarray(0, 100)));
    longName = undefined;
    if (path === undefined || !['0', '\0', '5'].includes(kind)) continue;
    entries.push({
      ...{ path, offset, bytes },
      isFolder: kind === '5',
      isProgram: ((numberAt(head, 100, 8) ?? 0) & 0o100) !== 0,
      modifiedSeconds: numberAt(head, 136, 12) ?? 0,
    });
  }
  return undefined;
}

function pathBelow(name: string): string | undefined {
  const parts = name.split('/').filter((part) => part !== '' && part !== '.');
  const isOdd = name.startsWith('/') || name.includes('\ufffd') || parts.includes('..');
  return isOdd || parts.length === 0 ? undefined : parts.join('/');
}

function textOf(field: Buffer): string {
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? field.length : end).toString('utf8');
}

/** An octal number; undefined for the binary ones that stand for sizes of 8 GiB and more. */
function numberAt(head: Buffer, offset: number, length: number): number | undefined {
  const digits = textOf(head.subarray(offset, offset + length)).trim();
  return /^[0-7]*$/.test(digits) ? Number.parseInt(digits || '0', 8) : undefined;
}

async function readAt(file: FileHandle, offset: number, bytes: number): Promise<Buffer> {
  const buffer = Buffer.alloc(bytes);
  const { bytesRead } = await file.read(buffer, 0, bytes, offset);
  return buffer.subarray(0, bytesRead);
}
