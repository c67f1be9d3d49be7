import { randomUUID } from 'node:crypto';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Batch } from '../domain/batch.ts';
import { RetryLater, UsageError } from '../domain/errors.ts';
import { RunName } from '../domain/run-record.ts';
import { diskProblem } from './disk-problem.ts';
import { hasCode, replaceDurably } from './durable.ts';
import { claim, type Claim } from './lock.ts';
import { makeFolder } from './make-folder.ts';
import { parseStored } from './stored-json.ts';
import { whileClaimed } from './wait-for-claim.ts';

/** Batches of a data folder: one folder each, with `batch.json`, the ledger of its money. */
export interface BatchFolders {
  /** Throws `UsageError` when the name is taken. */
  create(batch: Batch): Promise<void>;
  /** Undefined when there is none of that name. */
  find(name: string): Promise<Batch | undefined>;
  /** The ledger as it stands. Throws `UsageError` when there is none of that name. */
  read(name: string): Promise<Batch>;
  names(): Promise<readonly string[]>;
  /** Changes the ledger; one process at a time. */
  update(name: string, change: (batch: Batch) => Batch): Promise<Batch>;
  /** Forgets the batch, not its runs. Throws `UsageError` while a process drives it, or when there is none of that name. */
  remove(name: string): Promise<void>;
  /** Makes this process the one that drives the batch. Throws `UsageError` while another does. */
  drive(name: string): Promise<Claim>;
}

export function createBatchFolders(folder: string): BatchFolders {
  const fileOf = (name: string) => join(folder, name, 'batch.json');

  async function find(name: string): Promise<Batch | undefined> {
    if (!RunName.safeParse(name).success) return undefined;
    const path = fileOf(name);
    const text = await readFile(path, 'utf8').catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return undefined;
      throw diskProblem(error, path);
    });
    return text === undefined ? undefined : parseStored(Batch, text, `the batch ${path}`);
  }

  async function read(name: string): Promise<Batch> {
    const batch = await find(name);
    if (batch) return batch;
    throw new UsageError(`There is no batch "${name}": \`deeprepro batch\` lists them.`);
  }

  function withLock<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    return whileClaimed(
      () => claim(join(folder, name), 'ledger.lock'),
      ({ pid }) =>
        new RetryLater(
          `The ledger of the batch "${name}" has been held by process ${pid} for long.`,
        ),
      work,
    );
  }

  async function drive(name: string): Promise<Claim> {
    await read(name);
    const claimed = await claim(join(folder, name), 'driver.lock');
    if ('release' in claimed) return claimed;
    throw new UsageError(
      `The batch "${name}" is driven by process ${claimed.heldBy.pid} already: \`deeprepro batch ${name}\` shows it.`,
    );
  }

  return {
    find,
    read,
    async create(batch) {
      await makeFolder(join(folder, batch.name), 0o700);
      await withLock(batch.name, async () => {
        if (await find(batch.name))
          throw new UsageError(
            `The batch name "${batch.name}" is taken: give another with --name, or go on with \`deeprepro resume ${batch.name}\`.`,
          );
        await replaceDurably(fileOf(batch.name), JSON.stringify(batch, null, 2));
      });
    },
    async names() {
      const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
        if (hasCode(error, 'ENOENT')) return [];
        throw diskProblem(error, folder);
      });
      return entries
        .filter((entry) => entry.isDirectory() && RunName.safeParse(entry.name).success)
        .map(({ name }) => name)
        .sort();
    },
    async update(name, change) {
      await read(name);
      return withLock(name, async () => {
        const batch = await read(name);
        const next = change(batch);
        if (next !== batch) await replaceDurably(fileOf(name), JSON.stringify(next, null, 2));
        return next;
      });
    },
    drive,
    async remove(name) {
      const driven = await drive(name);
      // A name with a dot in front is no batch's.
      const aside = join(folder, `.${randomUUID()}.removed`);
      await rename(join(folder, name), aside).catch(async (error: unknown) => {
        await driven.release();
        throw diskProblem(error, join(folder, name));
      });
      await rm(aside, { recursive: true, force: true });
    },
  };
}
