import { randomUUID } from 'node:crypto';
import {
  failEntry,
  grantMore,
  grantShare,
  reopenRun,
  settleRun,
  type Batch,
  type BatchEntry,
} from '../domain/batch.ts';
import { RetryLater } from '../domain/errors.ts';
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
      if (!(await addMoney(ports, drive, name, run))) continue;
      poor.delete(run);
      return entryOf(await batches.update(name, (batch) => batch), run);
    }
    const batch = await batches.update(name, (each) => each);
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
    const { parallelRuns, onBudget } = await batches.update(name, (batch) => batch);
    await Promise.all(Array.from({ length: parallelRuns }, slot));
    if (onBudget === 'stop' && !isInterrupted)
      for (const run of poor) ends.set(run, await endForMoney(ports, drive, name, run));
    return [...ends.values()];
  } finally {
    await claim.release();
  }
}

async function playPaper(
  ports: RunPorts,
  drive: BatchDrive,
  name: string,
  { run }: BatchEntry,
): Promise<PaperEnd> {
  try {
    await begin(ports, drive, name, run);
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error);
    drive.onProblem(run, problem);
    // What will pass by itself is tried again when the batch is resumed.
    if (!(error instanceof RetryLater))
      await drive.batches.update(name, (batch) => failEntry(batch, run, problem));
    return { run, kind: 'failed', status: undefined, problem };
  }
  return followPaper(ports, drive, name, run);
}

/** Starts the run of a paper, or goes on with it where it was started before. */
async function begin(ports: RunPorts, drive: BatchDrive, name: string, run: string): Promise<void> {
  const { batches } = drive;
  const isThere = (await ports.folders.names()).includes(run);
  if (!isThere) {
    const batch = await batches.update(name, (each) => grantShare(clean(each, run), run));
    const entry = entryOf(batch, run);
    const granted = batch.total === null ? null : entry.granted;
    await startRun(ports, { ...drive.wishOf(batch, entry, granted), batch: name });
    return;
  }
  const { outcome } = await ports.folders.read(run);
  if (outcome !== null && outcome !== 'stopped' && outcome !== 'out-of-budget') return;
  await batches.update(name, (batch) => reopenRun(batch, run));
  await resumeRun(ports, run, { model: undefined, cap: undefined });
}

/** A paper that could not be begun is tried as if for the first time. */
function clean(batch: Batch, run: string): Batch {
  const entries = batch.entries.map((entry) =>
    entry.run === run && entry.problem !== '' ? { ...entry, problem: '', settled: null } : entry,
  );
  return { ...batch, entries };
}

async function followPaper(
  ports: RunPorts,
  drive: BatchDrive,
  name: string,
  run: string,
): Promise<PaperEnd> {
  for (;;) {
    const { kind, status } = await drive.follow(run);
    const end: PaperEnd = { run, kind, status, problem: '' };
    if (kind === 'ended') await settle(ports, drive, name, run);
    if (!isPoor(end) || !(await addMoney(ports, drive, name, run))) return end;
  }
}

/** The ledger first, then the cap: what a run may spend is never more than what it was granted. */
async function addMoney(
  ports: RunPorts,
  { batches }: BatchDrive,
  name: string,
  run: string,
): Promise<boolean> {
  let before = 0;
  const batch = await batches.update(name, (each) => {
    before = entryOf(each, run).granted;
    return grantMore(each, run);
  });
  const { granted } = entryOf(batch, run);
  if (granted <= before) return false;
  const engine = await ports.engine();
  await engine.setBudget(run, { id: randomUUID(), cap: granted });
  return true;
}

/** Books what it has spent, and lowers its cap to that, so that nobody spends what is free again. */
async function settle(
  ports: RunPorts,
  { batches }: BatchDrive,
  name: string,
  run: string,
): Promise<void> {
  const { account } = await ports.folders.read(run);
  const { total } = await batches.update(name, (batch) => batch);
  if (total !== null)
    await ports.folders.update(run, (each) => ({
      ...each,
      account: { ...each.account, cap: each.account.spent },
    }));
  await batches.update(name, (batch) => settleRun(batch, run, account.spent));
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
