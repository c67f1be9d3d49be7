import { createHash } from 'node:crypto';
import {
  access,
  chmod,
  constants,
  lstat,
  mkdir,
  readFile,
  realpath,
  writeFile,
} from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { NewerVersion, UsageError } from '../domain/errors.ts';
import { requireFreeSpace } from '../store/disk-problem.ts';
import { makeFolder } from '../store/make-folder.ts';

/** Raised when a data folder of this version would be misread by the last one. */
export const DATA_SCHEMA_VERSION = 1;
const VersionFile = z.object({ schemaVersion: z.int().min(1) });

/** The kernel takes 104 bytes of a socket's path on macOS and 108 on Linux, its end mark included. */
const MAX_SOCKET_PATH_BYTES = 100;

/**
 * Makes the data folder (mode 0700), its log folder and its version file, and returns its path without symbolic links.
 * Throws a `UsageError` when it is a file, cannot be written or its disk is full, `NeedsPerson` when that is nearly
 * full, and `NewerVersion` when a newer deeprepro wrote it.
 */
export async function prepareDataFolder(home: string): Promise<string> {
  try {
    await makeFolder(home, 0o700);
    await makeFolder(join(home, 'logs'), 0o700);
    await access(home, constants.W_OK | constants.X_OK);
    await writeVersion(home);
  } catch (error) {
    throw asUsageError(home, error);
  }
  const real = await realpath(home);
  await checkDataFolder(real);
  await requireFreeSpace(real);
  return real;
}

/** Where the supervisor of a data folder listens; makes the folder of a path that had to be shortened. */
export async function prepareSocketPath(home: string): Promise<string> {
  const path = join(home, 'supervisor.sock');
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path;
  const { uid } = userInfo();
  const folder = join(tmpdir(), `deeprepro-${uid}`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  // Anyone may make a folder of this name in a temporary folder that all share.
  if (!found.isDirectory() || found.uid !== uid)
    throw new UsageError(`${folder} belongs to somebody else: remove it, or set TMPDIR.`);
  await chmod(folder, 0o700);
  return join(folder, `${createHash('sha256').update(home).digest('hex').slice(0, 16)}.sock`);
}

async function writeVersion(home: string): Promise<void> {
  const content = `${JSON.stringify({ schemaVersion: DATA_SCHEMA_VERSION })}\n`;
  try {
    await writeFile(join(home, 'version.json'), content, { flag: 'wx' });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

/**
 * Makes sure that what the folder holds can be read, if it is there; for commands that start nothing. Throws a
 * `UsageError` when it is a file or its version file is damaged, and `NewerVersion`.
 */
export async function checkDataFolder(home: string): Promise<void> {
  const path = join(home, 'version.json');
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return '';
    throw asUsageError(home, error);
  });
  // Another process may have created it a moment ago and not have written it yet.
  if (text === '') return;
  const parsed = VersionFile.safeParse(parseJson(text));
  if (!parsed.success)
    throw new UsageError(
      `${path} is damaged: it should hold {"schemaVersion":${DATA_SCHEMA_VERSION}}. Write that, or restore the file from a copy.`,
    );
  if (parsed.data.schemaVersion > DATA_SCHEMA_VERSION)
    throw new NewerVersion(
      `The data folder ${home} was written by a newer deeprepro (schema ${parsed.data.schemaVersion}, this one knows ${DATA_SCHEMA_VERSION}): update deeprepro, or set DEEPREPRO_HOME to another folder.`,
    );
}

function asUsageError(home: string, error: unknown): unknown {
  const remedy = 'Set DEEPREPRO_HOME to a folder that you can write.';
  switch (codeOf(error) ?? '') {
    case 'EEXIST':
    case 'ENOTDIR':
      return new UsageError(
        `The data folder ${home} cannot be made: a file stands in its way. ${remedy}`,
        { cause: error },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    // File systems of the kernel's own say so, where nothing can be made.
    case 'ENOENT':
      return new UsageError(`The data folder ${home} cannot be written. ${remedy}`, {
        cause: error,
      });
    case 'ENOSPC':
    case 'EDQUOT':
      return new UsageError(
        `The disk of the data folder ${home} is full. Free some space, or set DEEPREPRO_HOME to a folder elsewhere.`,
        { cause: error },
      );
    default:
      return error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
