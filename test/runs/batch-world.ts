import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Batch } from '../../src/domain/batch.ts';
import { UsageError } from '../../src/domain/errors.ts';
import { driveBatch, type BatchDrive, type PaperEnd } from '../../src/runs/drive-batch.ts';
import { createBatchFolders } from '../../src/store/batch-folders.ts';
import { randomFrom, type Random } from '../fakes/random.ts';
import { aWish, CLOSED, RUNNING, type Bench } from './a-run.ts';

const TOTAL = 12;

/** A model of runs that spend what they may, on the real ledger and real run folders. */
export interface World {
  readonly bench: Bench;
  readonly batches: ReturnType<typeof createBatchFolders>;
  /** What each run may spend, by what its workflow was told; gone when it has ended. */
  readonly caps: Map<string, number>;
  readonly spent: Map<string, number>;
  readonly problems: string[];
  readonly faults: number;
  /** A piece of a run's life: it spends, and then has ended or waits for money. */
  live(run: string): Promise<Followed>;
  drive(change?: Partial<BatchDrive>): Promise<readonly PaperEnd[]>;
  /** The most that the batch could come to cost if nobody did anything any more. */
  atMost(): number;
}

/** Drives a batch over and over while calls of the server fail, and looks at what it could come to cost. */
export async function spendAtRandom(bench: Bench, seed: number): Promise<void> {
  const world = await aWorld(bench, `seed-${seed}`, randomFrom(seed));
  for (let drives = 0; drives < 4; drives += 1) {
    await world.drive().catch(() => undefined);
    assert.ok(world.atMost() <= TOTAL + 1e-9, `seed ${seed}: ${world.atMost()}`);
  }
}

type Followed = Awaited<ReturnType<BatchDrive['follow']>>;

/** A run that waits for money. */
export function waitingForMoney(): Followed {
  // Of a status, drivers read the waits alone.
  // eslint-disable-next-line @typescript-eslint/no-unsafe-return -- all else of a status is never looked at
  return JSON.parse('{"kind":"waiting","status":{"waits":[{"kind":"budget"}]}}');
}

/** The runs of a batch. */
export function namesOf(batch: string): string[] {
  return Array.from({ length: 4 }, (_, index) => `${batch}-${index}`);
}

/** Four papers on a purse of 12 USD; so many calls of the server fail, before or after they have done something. */
export async function aWorld(
  bench: Bench,
  name: string,
  random: Random,
  faults = 0.15,
): Promise<World> {
  const caps = new Map<string, number>();
  const spent = new Map<string, number>();
  const problems: string[] = [];
  const batches = createBatchFolders(join(bench.folder, 'batches'));
  await batches.create(aBatch(name, bench.paper));
  const { engine } = bench;
  const mayFail = (): void => {
    if (random.chance(faults)) throw new UsageError('The Temporal server does not answer.');
  };
  engine.start = async ({ run, purse }) => {
    mayFail();
    caps.set(run, purse.cap ?? Infinity);
    // The server may have begun what its answer could not tell.
    mayFail();
    return true;
  };
  engine.describe = async (run) => {
    mayFail();
    return caps.has(run) ? RUNNING : CLOSED;
  };
  engine.resume = async () => mayFail();
  engine.setBudget = async (run, { cap }) => {
    mayFail();
    if (caps.has(run)) caps.set(run, cap ?? Infinity);
    await bench.ports.folders.update(run, (record) => ({
      ...record,
      account: { ...record.account, cap },
    }));
    mayFail();
  };
  const world: World = {
    ...{ bench, batches, caps, spent, problems, faults },
    live: (run) => live(world, random, run),
    drive: (change = {}) => driveBatch(bench.ports, name, { ...driveOf(world, random), ...change }),
    atMost: () =>
      namesOf(name).reduce(
        (sum, run) => sum + Math.max(spent.get(run) ?? 0, caps.get(run) ?? 0),
        0,
      ),
  };
  return world;
}

function driveOf(world: World, random: Random): BatchDrive {
  const { batches, problems } = world;
  return {
    batches,
    wishOf(_batch, { run, paper }, granted) {
      // A paper that is gone for a while, or a disk that is full.
      if (world.problems.length < 20 && random.chance(world.faults / 2))
        throw new UsageError('No paper.');
      return aWish(paper.paper, { name: run, budgetUsd: granted ?? 1 });
    },
    follow: (run) => live(world, random, run),
    onProblem: (run, problem) => void problems.push(`${run}: ${problem}`),
  };
}

async function live({ bench, caps, spent }: World, random: Random, run: string): Promise<Followed> {
  const cap = caps.get(run);
  const record = await bench.ports.folders.read(run);
  if (cap === undefined || record.outcome !== null)
    return { kind: record.outcome === null ? 'waiting' : 'ended', status: undefined };
  const before = spent.get(run) ?? 0;
  const now = random.chance(0.3) ? cap : before + ((cap - before) * random.below(100)) / 100;
  spent.set(run, now);
  if (now >= cap && random.chance(0.8)) return waitingForMoney();
  caps.delete(run);
  const outcome = random.chance(0.3) ? 'stopped' : 'complete';
  await bench.ports.folders.update(run, (each) => ({
    ...each,
    outcome,
    account: { ...each.account, spent: now },
  }));
  return { kind: 'ended', status: undefined };
}

function aBatch(name: string, paper: string): Batch {
  return {
    schemaVersion: 1,
    ...{ name, createdAt: '2026-01-01T00:00:00.000Z', unit: 'usd', total: TOTAL },
    ...{ onBudget: 'wait', parallelRuns: 2, parallel: 8, maxOutputTokens: 8000 },
    ...{ review: false, out: null, replay: null },
    entries: namesOf(name).map((run) => ({
      run,
      paper: { paper, supplements: [], figures: [], requests: [] },
      ...{ granted: 0, settled: null, problem: '' },
    })),
  };
}
