import { readdir, readFile, rename, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../domain/errors.ts';
import { hasCode } from './durable.ts';
import { claim } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { pathInSweep, sweepFolder } from './sweep-path.ts';

/** A value as it lies in the store. */
export interface StoredValue {
  readonly sha256: string;
  readonly bytes: number;
  /** When it was last put, in milliseconds since 1970; up to an hour too early. */
  readonly putAtMs: number;
}

/** What only the keeping of a store needs: to see all values, and to remove some. */
export interface StoreKeeper {
  list(): Promise<readonly StoredValue[]>;
  /** The bytes of a value, unchecked, as Latin-1; undefined when it is not there. */
  text(sha256: string): Promise<string | undefined>;
  /**
   * Removes those of `values` that nobody has put since `putBeforeMs`, at least two hours ago. Safe beside writers in
   * any process: a value that is put meanwhile stays. Returns those that are gone. Throws `UsageError` while another
   * sweep is under way.
   */
  sweep(values: readonly StoredValue[], putBeforeMs: number): Promise<readonly StoredValue[]>;
}

/** Longer than a writer may leave a value untouched that it puts again. */
const LEAST_AGE_MS = 2 * 60 * 60 * 1000;

/** Keeps the store in `folder`. */
export function createFolderKeeper(folder: string): StoreKeeper {
  const pathOf = (sha256: string) => join(folder, sha256.slice(0, 2), sha256);

  async function look(shelf: string, sha256: string): Promise<StoredValue[]> {
    const found = await stat(join(folder, shelf, sha256)).catch(ignoreMissing);
    return found ? [{ sha256, bytes: found.size, putAtMs: found.mtimeMs }] : [];
  }

  /** Aside, looked at again, and only then gone: a writer touches a value in place, or finds none and writes it anew. */
  async function remove(value: StoredValue, putBeforeMs: number): Promise<boolean> {
    const aside = pathInSweep(folder, value.sha256);
    try {
      await rename(pathOf(value.sha256), aside);
    } catch (error) {
      ignoreMissing(error);
      return false;
    }
    if ((await stat(aside)).mtimeMs >= putBeforeMs) {
      await rename(aside, pathOf(value.sha256));
      return false;
    }
    await unlink(aside);
    return true;
  }

  return {
    async list() {
      const shelves = (await listIfThere(folder)).filter((name) => /^[0-9a-f]{2}$/.test(name));
      const found: StoredValue[] = [];
      for (const shelf of shelves) {
        const names = await listIfThere(join(folder, shelf));
        const values = names.filter(isHash).map((name) => look(shelf, name));
        found.push(...(await Promise.all(values)).flat());
      }
      return found;
    },
    async text(sha256) {
      return readFile(pathOf(sha256), 'latin1').catch(ignoreMissing);
    },
    async sweep(values, putBeforeMs) {
      if (Date.now() - putBeforeMs < LEAST_AGE_MS)
        throw new Error('A sweep takes only values of at least two hours ago.');
      if (values.length === 0) return [];
      const claimed = await claim(folder, 'sweep.lock');
      if (!('release' in claimed))
        throw new UsageError(
          `Process ${claimed.heldBy.pid} is pruning this data folder already: wait until it has finished.`,
        );
      try {
        await makeFolder(sweepFolder(folder), 0o700);
        // What a sweep that was killed left behind was not decided on.
        for (const name of (await listIfThere(sweepFolder(folder))).filter(isHash))
          await rename(pathInSweep(folder, name), pathOf(name)).catch(ignoreMissing);
        const gone: StoredValue[] = [];
        for (const value of values) if (await remove(value, putBeforeMs)) gone.push(value);
        return gone;
      } finally {
        await claimed.release();
      }
    },
  };
}

function isHash(name: string): boolean {
  return /^[0-9a-f]{64}$/.test(name);
}

async function listIfThere(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(ignoreMissing)) ?? [];
}

function ignoreMissing(error: unknown): undefined {
  if (!hasCode(error, 'ENOENT')) throw error;
  return undefined;
}
