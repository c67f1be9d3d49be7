import { statfs } from 'node:fs/promises';
import { NeedsPerson } from '../domain/errors.ts';

/** Below this a model is not asked: its reply might have no place to go. */
const LEAST_FREE_BYTES = 64 * 1024 * 1024;

/** An error of the file system in words: what a person can repair becomes `NeedsPerson`, all else stays as it is. */
export function diskProblem(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return new NeedsPerson(
        'disk',
        `The disk that holds ${folder} is full.`,
        'Free some space on it.',
        {
          cause: error,
        },
      );
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return new NeedsPerson(
        'disk',
        `The folder ${folder} cannot be written (${code}).`,
        'Make it writable.',
        {
          cause: error,
        },
      );
    default:
      return error;
  }
}

/** Throws `NeedsPerson` while the disk of `folder` is nearly full. */
export async function requireFreeSpace(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize >= LEAST_FREE_BYTES) return;
  throw new NeedsPerson(
    'disk',
    `The disk that holds ${folder} has ${Math.floor((bavail * bsize) / 1024 / 1024)} MB left; a model's reply might not fit.`,
    `Free at least ${LEAST_FREE_BYTES / 1024 / 1024} MB on it.`,
  );
}
