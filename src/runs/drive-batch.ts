import { randomUUID } from 'node:crypto';
import {
  failEntry,
  grantMore,
  grantShare,
  reopenRun,
  retryEntry,
  settleRun,
  type Batch,
  type BatchEntry,
} from '../domain/batch.ts';
import { RetryLater, UsageError } from '../domain/errors.ts';
import type { BatchFolders } from '../store/batch-folders.ts';
import type { RunPorts } from './ports.ts';
import { resumeRun } from './resume-run.ts';
import { startRun, type StartWish } from './start-run.ts';
import type { StatusReport } from './status-report.ts';

/** How one run of a batch was left: ended, waiting for something, or not even begun. */
export interface PaperEnd {
  readonly run: string;
  readonly kind: 'ended' | 'waiting' | 'interrupted' | 'failed';
  readonly status: StatusReport | undefined;
  /** Why it could not be begun; empty otherwise. */
  readonly problem: string;
}

/** What driving a batch needs besides runs. */
export interface BatchDrive {
  readonly batches: BatchFolders;
  /** What to start for a paper, capped at `granted` in the unit of the batch, or as it says itself where null. */
  wishOf(batch: Batch, entry: BatchEntry, granted: number | null): StartWish;
  /** Follows one run until it ends, waits for somebody, or the person interrupts. */
  follow(run: string): Promise<Pick<PaperEnd, 'kind' | 'status'>>;
  /** Told of whatever a person should know of a paper that is not a run (yet). */
  onProblem(run: string, problem: string): void;
}

/**
 * Plays a batch to its end: so many runs at once, each on money that the ledger has granted it before. One that fails
 * stops no other. Also goes on with a batch whose driver has died.
 */
export async function driveBatch(
  ports: RunPorts,
  name: string,
  drive: BatchDrive,
): Promise<readonly PaperEnd[]> {
  const { batches } = drive;
  const claim = await batches.drive(name);
  const ends = new Map<string, PaperEnd>();
  const begun = new Set<string>();
  /** Stopped at the end of their money; others may leave them some. */
  const poor = new Set<string>();
  let isInterrupted = false;

  async function next(): Promise<BatchEntry | undefined> {
    if (isInterrupted) return undefined;
    for (const run of poor) {
      // Where it cannot be told of more money now, it is left as it stands.
      const cap = await addMoney(ports, drive, name, run).catch(() => undefined);
      if (cap === undefined) continue;
      poor.delete(run);
      return entryOf(await batches.read(name), run);
    }
    const batch = await batches.read(name);
    const entry = batch.entries.find(({ run }) => !begun.has(run));
    if (entry) begun.add(entry.run);
    return entry;
  }

  async function slot(): Promise<void> {
    for (let entry = await next(); entry; entry = await next()) {
      const end = await playPaper(ports, drive, name, entry);
      ends.set(entry.run, end);
      if (end.kind === 'interrupted') isInterrupted = true;
      if (isPoor(end)) poor.add(entry.run);
    }
  }

  try {
    const { parallelRuns, onBudget } = await batches.read(name);
    // None is left alone at work, with the batch free for another driver.
    await settledAll(Array.from({ length: parallelRuns }, slot));
    if (onBudget === 'stop' && !isInterrupted)
      for (const run of poor)
        ends.set(
          run,
          await endForMoney(ports, drive, name, run).catch((error: unknown) =>
            failedPaper(ports, drive, name, run, error),
          ),
        );
    return [...ends.values()];
  } finally {
    await claim.release();
  }
}

/** Never rejects: a paper that fails stops no other. */
async function playPaper(
  ports: RunPorts,
  drive: BatchDrive,
  name: string,
  { run }: BatchEntry,
): Promise<PaperEnd> {
  try {
    await begin(ports, drive, name, run);
    return await followPaper(ports, drive, name, run);
  } catch (error) {
    return failedPaper(ports, drive, name, run, error);
  }
}

/** What will pass by itself is tried again when the batch is resumed. */
async function failedPaper(
  { folders }: RunPorts,
  drive: BatchDrive,
  name: string,
  run: string,
  error: unknown,
): Promise<PaperEnd> {
  const problem = error instanceof Error ? error.message : String(error);
  drive.onProblem(run, problem);
  // A run that is there may have spent something, and may even be under way: its claim stays.
  const isThere = (await folders.names()).includes(run);
  if (!isThere && !(error instanceof RetryLater))
    await drive.batches.update(name, (batch) => failEntry(batch, run, problem));
  return { run, kind: 'failed', status: undefined, problem };
}

/** Starts the run of a paper, or goes on with it where it was started before. */
async function begin(ports: RunPorts, drive: BatchDrive, name: string, run: string): Promise<void> {
  const { batches } = drive;
  const isThere = (await ports.folders.names()).includes(run);
  if (!isThere) {
    const batch = await batches.update(name, (each) => grantShare(retryEntry(each, run), run));
    const entry = entryOf(batch, run);
    if (entry.settled !== null)
      throw new UsageError(
        `The run "${run}" was removed after it had spent its share: start that paper by itself.`,
      );
    const granted = batch.total === null ? null : entry.granted;
    await startRun(ports, { ...drive.wishOf(batch, entry, granted), batch: name });
    return;
  }
  const { outcome } = await ports.folders.read(run);
  if (outcome !== null && outcome !== 'stopped' && outcome !== 'out-of-budget') return;
  await batches.update(name, (batch) => reopenRun(batch, run));
  await resumeRun(ports, run, { model: undefined, cap: undefined });
}

async function followPaper(
  ports: RunPorts,
  drive: BatchDrive,
  name: string,
  run: string,
): Promise<PaperEnd> {
  let handedOver = 0;
  for (;;) {
    const { kind, status } = await drive.follow(run);
    const end: PaperEnd = { run, kind, status, problem: '' };
    if (kind === 'ended') await settle(ports, drive, name, run);
    if (!isPoor(end)) return end;
    const cap = await addMoney(ports, drive, name, run);
    if (cap === undefined || cap <= handedOver) return end;
    handedOver = cap;
  }
}

/**
 * The ledger first, then the cap: what a run may spend is never more than what it was granted. What a driver that died
 * had granted and not handed over is handed over before more is granted. Returns the new cap; undefined without one.
 */
async function addMoney(
  ports: RunPorts,
  { batches }: BatchDrive,
  name: string,
  run: string,
): Promise<number | undefined> {
  const { cap } = (await ports.folders.read(run)).account;
  const batch = await batches.update(name, (each) =>
    entryOf(each, run).granted > (cap ?? Infinity) ? each : grantMore(each, run),
  );
  const { granted } = entryOf(batch, run);
  if (granted <= (cap ?? Infinity)) return undefined;
  const engine = await ports.engine();
  await engine.setBudget(run, { id: randomUUID(), cap: granted });
  return granted;
}

/**
 * Books what it has spent, and lowers its cap to that, so that nobody spends what is free again. The journal also
 * knows of calls whose end the run has not seen.
 */
async function settle(
  ports: RunPorts,
  { batches }: BatchDrive,
  name: string,
  run: string,
): Promise<void> {
  const { seed, account } = await ports.folders.read(run);
  const totals = await ports.journal.totals(seed, run);
  const spent = Math.max(account.spent, totals.spent + totals.maybePaid);
  const { total } = await batches.read(name);
  const { outcome } = await ports.folders.update(run, (each) =>
    each.outcome === null || total === null
      ? each
      : { ...each, account: { ...each.account, cap: spent } },
  );
  // Somebody has taken it up again meanwhile: then it may still spend what it was granted.
  if (outcome !== null) await batches.update(name, (batch) => settleRun(batch, run, spent));
}

/** Nothing is left for it and nobody is asked: it ends with what it has. */
async function endForMoney(
  ports: RunPorts,
  drive: BatchDrive,
  name: string,
  run: string,
): Promise<PaperEnd> {
  const engine = await ports.engine();
  await engine.stop(run);
  return followPaper(ports, drive, name, run);
}

function isPoor({ kind, status }: PaperEnd): boolean {
  const waits = status?.waits ?? [];
  return kind === 'waiting' && waits.length > 0 && waits.every((wait) => wait.kind === 'budget');
}

function entryOf(batch: Batch, run: string): BatchEntry {
  const entry = batch.entries.find((each) => each.run === run);
  if (!entry) throw new Error(`The batch ${batch.name} has no run ${run}.`);
  return entry;
}

async function settledAll(promises: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(promises);
  await Promise.all(promises);
}
