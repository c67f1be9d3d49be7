import { constants } from 'node:fs';
import { access, lstat, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../domain/errors.ts';
import { diskProblem } from '../store/disk-problem.ts';
import { hasCode } from '../store/durable.ts';
import { claim, type Claim } from '../store/lock.ts';
import { waitForClaim } from '../store/wait-for-claim.ts';
import { isFolder, makeFolder } from '../store/make-folder.ts';
import { OWN_FOLDER, readMarker, type ExportMarker } from './export-marker.ts';
import { hashOf } from './project-files.ts';

const LOCK_POLL_MS = 50;
/** May stand in a folder that we have not written to: ours from before, and a repository that a person made for it. */
const HARMLESS = [OWN_FOLDER, '.git'];

/** What we wrote to a folder before. */
export interface KnownFolder {
  /** SHA-256 by path, also of an export that was cut off; empty for a new folder. */
  readonly files: Readonly<Record<string, string>>;
  /** By path, the content that a person was told we would have written over their change. */
  readonly told: Readonly<Record<string, string>>;
}

/**
 * Throws `UsageError` where the repository of `run` could not be written to `folder`: said before anything is paid.
 * Makes nothing.
 */
export async function requireUsableFolder(folder: string, run: string): Promise<void> {
  await openFolder(folder, run);
  let there = folder;
  while (!(await isFolder(there)) && dirname(there) !== there) there = dirname(there);
  await access(there, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw unusable(folder, error);
  });
}

/** What is ours in the folder. Throws `UsageError` for one that holds what is not. */
export async function openFolder(folder: string, run: string): Promise<KnownFolder> {
  const entries: string[] = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw unusable(folder, error);
  });
  if (entries.includes(OWN_FOLDER) && !(await lstat(join(folder, OWN_FOLDER))).isDirectory())
    throw new UsageError(
      `${join(folder, OWN_FOLDER)} is a link or a file, and must be our folder: remove it, or name another folder with --out.`,
    );
  const marker = await readMarker(folder);
  if (marker && marker.run !== run)
    throw new UsageError(
      `${folder} holds the repository of the run "${marker.run}": name another folder with --out.`,
    );
  if (!marker && entries.some((entry) => !HARMLESS.includes(entry)))
    throw new UsageError(
      `${folder} holds files that deeprepro did not write: name an empty or new folder with --out.`,
    );
  return marker ? { files: await filesOf(folder, marker), told: marker.told } : NOTHING;
}

const NOTHING: KnownFolder = { files: {}, told: {} };

async function filesOf(folder: string, { files, writing }: ExportMarker) {
  const known = { ...files };
  for (const [path, hash] of Object.entries(writing))
    if ((await hashOf(folder, path)) === hash) known[path] = hash;
  return known;
}

function unusable(folder: string, cause: unknown): UsageError {
  const reason = hasCode(cause, 'ENOTDIR')
    ? ' (it is a file, or lies below one)'
    : hasCode(cause, 'EACCES') || hasCode(cause, 'EROFS')
      ? ' (it cannot be written)'
      : '';
  return new UsageError(
    `${folder} cannot be used as the folder of the repository${reason}: name another with --out.`,
    { cause },
  );
}

/** The right to write to the folder, or the number of the process that has had it for longer than `waitMs`. */
export async function claimFolder(folder: string, waitMs: number): Promise<Claim | number> {
  const own = join(folder, OWN_FOLDER);
  const attempt = async () => {
    await makeFolder(own).catch((error: unknown) => {
      throw hasCode(error, 'ENOENT') ? unusable(folder, error) : diskProblem(error, folder);
    });
    return claim(own, 'export.lock').catch((error: unknown) => {
      throw diskProblem(error, folder);
    });
  };
  const claimed = await waitForClaim(attempt, { waitMs, pollMs: LOCK_POLL_MS });
  return 'release' in claimed ? claimed : claimed.heldBy.pid;
}
