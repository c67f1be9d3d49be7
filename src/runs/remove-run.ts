import { settleRun } from '../domain/batch.ts';
import { BlobUnreadable, UsageError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { keyNamesOf } from './change-model.ts';
import type { BatchFolders, RunPorts } from './ports.ts';
import { elsewhere, isAt } from './read-status.ts';

/** What removing a run would take away, for the question that comes before. */
export interface Removal {
  readonly name: string;
  /** Undefined where its record cannot be read. */
  readonly record: RunRecord | undefined;
  /** Replies that nobody could use again without paying, since no other run has them. */
  readonly replies: number;
  /** Replies that are kept, for the runs that share them. */
  readonly keptReplies: number;
  /** Runs that share its replies, which are kept for them. */
  readonly sharedWith: readonly string[];
}

/** Looks at a run that is to be removed. Throws `UsageError` when there is none, or it is under way. */
export async function planRemoval(ports: RunPorts, name: string): Promise<Removal> {
  const record = await ports.folders.read(name).catch((error: unknown) => {
    if (error instanceof BlobUnreadable) return undefined;
    throw error;
  });
  if (!record) return { name, record, replies: 0, keptReplies: 0, sharedWith: [] };
  await requireAtRest(ports, record);
  const sharedWith = await runsOfSeed(ports, record);
  const { length } = await ports.journal.entries(record.seed);
  const [replies, keptReplies] = sharedWith.length > 0 ? [0, length] : [length, 0];
  return { name, record, replies, keptReplies, sharedWith };
}

/** Removes the run's folder, and its journal where no fork shares it. What only it used of the store goes with `prune`. */
export async function removeRun(ports: RunPorts, { name, record }: Removal): Promise<void> {
  // First out of the lists: a crash after this leaves a journal that no run names, which `prune` removes.
  await ports.folders.remove(name);
  if (!record) return;
  // A fork may have been made since we looked.
  const others = await runsOfSeed(ports, record);
  if (others.length === 0) await ports.journal.remove(record.seed);
}

/** What a removed run has spent stays booked in its batch, which would else hand out its share again. */
export async function settleInBatch(
  batches: BatchFolders,
  { name, record }: Removal,
): Promise<void> {
  if (record?.batch === undefined || !(await batches.find(record.batch))) return;
  const { spent } = record.account;
  await batches.update(record.batch, (batch) =>
    batch.entries.some(({ run, settled }) => run === name && settled === null)
      ? settleRun(batch, name, spent)
      : batch,
  );
}

async function requireAtRest(ports: RunPorts, record: RunRecord): Promise<void> {
  const { name, outcome } = record;
  if (outcome !== null) return;
  const engine = await ports.engine(await keyNamesOf(ports, record));
  if (!isAt(record.temporal, engine.place)) throw new UsageError(elsewhere(record, engine));
  if ((await engine.describe(name))?.isRunning !== true) return;
  throw new UsageError(
    `The run "${name}" is under way: \`deeprepro cancel ${name}\` ends it, and then it can be removed.`,
  );
}

/** Other runs that were answered from the same journal. One that cannot be read might be: then nothing is given up. */
async function runsOfSeed({ folders }: RunPorts, { name, seed }: RunRecord): Promise<string[]> {
  const others = (await folders.names()).filter((other) => other !== name);
  const shares = async (other: string) =>
    folders.read(other).then(
      (record) => record.seed === seed,
      () => true,
    );
  const shared = await Promise.all(others.map(shares));
  return others.filter((_, index) => shared[index]);
}
