import { z } from 'zod';
import { RunName } from './run-record.ts';

const Model = z.string().min(1).optional();

/** One paper of a batch, with what is asked for it; what is left out is as for all. Paths are absolute. */
export const BatchPaper = z.strictObject({
  paper: z.string().min(1),
  supplements: z.array(z.string().min(1)).default([]),
  figures: z.array(z.string().min(1)).default([]),
  requests: z.array(z.string().min(1)).default([]),
  model: z.string().min(1).optional(),
  baseUrl: z.string().min(1).optional(),
  /** Name of the variable that holds the key. */
  keyEnv: z.string().min(1).optional(),
  /** `IN,OUT` in USD per million tokens. */
  price: z.string().min(1).optional(),
  /** Models of single roles. */
  analysis: Model,
  planner: Model,
  executor: Model,
  memory: Model,
  judge: Model,
  vision: Model,
  /** The most that this paper may cost, in the unit of the batch. */
  budget: z.number().positive().optional(),
  name: RunName.optional(),
});
export type BatchPaper = Readonly<z.infer<typeof BatchPaper>>;

/** A paper and the run that reproduces it. `granted` is what the run may spend: never less than its cap. */
export const BatchEntry = z.strictObject({
  run: RunName,
  paper: BatchPaper,
  /** In the unit of the batch; 0 before the run is started. */
  granted: z.number().min(0),
  /** What it has spent, once it has ended; null before. What it was granted beyond that is free again. */
  settled: z.number().min(0).nullable(),
  /** Why it could not be started; empty otherwise. */
  problem: z.string(),
});
export type BatchEntry = Readonly<z.infer<typeof BatchEntry>>;

/** Several papers on one purse. The sum of what its runs may spend never exceeds `total`. */
export const Batch = z.strictObject({
  schemaVersion: z.literal(1),
  name: RunName,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  unit: z.enum(['usd', 'tokens']),
  /** Null: each run has a cap of its own, and there is none for all. */
  total: z.number().positive().nullable(),
  /** What to do with a run for which nothing is left. */
  onBudget: z.enum(['wait', 'stop']),
  /** Runs at once. */
  parallelRuns: z.int().min(1).max(64),
  /** Of each run: model calls at once, tokens asked for. */
  parallel: z.int().min(1).max(64),
  maxOutputTokens: z.int().min(1),
  review: z.boolean(),
  /** Folder that holds a folder a run, absolute, or null. */
  out: z.string().nullable(),
  /** Folder with recorded replies, absolute, or null. */
  replay: z.string().nullable(),
  entries: z.array(BatchEntry).min(1),
});
export type Batch = Readonly<z.infer<typeof Batch>>;

/** What the papers have cost so far: `known` by run, and what the ledger has booked of runs that are gone. */
export function spentOf({ entries }: Batch, known: ReadonlyMap<string, number>): number {
  return entries.reduce((sum, { run, settled }) => sum + (known.get(run) ?? settled ?? 0), 0);
}

/** What no run has a claim on; infinite without a total. */
export function freeOf({ total, entries }: Batch): number {
  if (total === null) return Infinity;
  const claimed = entries.reduce((sum, each) => sum + (each.settled ?? each.granted), 0);
  return Math.max(0, total - claimed);
}

/**
 * Grants a run its first money: an even share of the total, or less where it asks for less. Zero without a total,
 * where each run has a cap of its own.
 */
export function grantShare(batch: Batch, run: string): Batch {
  if (batch.total === null) return batch;
  const share = batch.total / batch.entries.length;
  return changed(batch, run, (entry) =>
    entry.granted > 0 || entry.settled !== null
      ? entry
      : { ...entry, granted: Math.min(share, entry.paper.budget ?? Infinity, freeOf(batch)) },
  );
}

/** A run asks for more only when it stands still, and not for a cent each time. */
const STEP = 0.05;

/**
 * Grants more to a run that has used up what it had, out of what ended runs left over. The shares of papers that were
 * not begun stay theirs. Unchanged where nothing is left, or the paper has reached a budget of its own.
 */
export function grantMore(batch: Batch, run: string): Batch {
  const { total } = batch;
  if (total === null) return batch;
  const share = total / batch.entries.length;
  const kept = batch.entries.filter(isUnbegun).length * share;
  return changed(batch, run, (entry) => {
    if (entry.settled !== null || isUnbegun(entry)) return entry;
    const room = (entry.paper.budget ?? Infinity) - entry.granted;
    const more = Math.min(Math.max(total * STEP, share / 2), freeOf(batch) - kept, room);
    return more > total * 1e-6 ? { ...entry, granted: entry.granted + more } : entry;
  });
}

/** Books what a run that has ended has spent; the rest of its grant is free again. */
export function settleRun(batch: Batch, run: string, spent: number): Batch {
  return changed(batch, run, (entry) => ({ ...entry, settled: spent }));
}

/** Takes a run that had ended up again: from here on it may spend what it has spent, and then ask for more. */
export function reopenRun(batch: Batch, run: string): Batch {
  return changed(batch, run, (entry) =>
    entry.settled === null ? entry : { ...entry, granted: entry.settled, settled: null },
  );
}

/** Notes why a paper could not be begun. It has no claim on anything then; what it has spent before is not forgotten. */
export function failEntry(batch: Batch, run: string, problem: string): Batch {
  return changed(batch, run, (entry) => ({
    ...entry,
    problem,
    granted: entry.settled ?? 0,
    settled: entry.settled ?? 0,
  }));
}

/** A paper that could not be begun is tried as if for the first time; others may have its share by now. */
export function retryEntry(batch: Batch, run: string): Batch {
  return changed(batch, run, (entry) =>
    entry.problem !== '' && entry.settled === 0
      ? { ...entry, problem: '', granted: 0, settled: null }
      : entry,
  );
}

function isUnbegun({ granted, settled }: BatchEntry): boolean {
  return granted === 0 && settled === null;
}

function changed(batch: Batch, run: string, change: (entry: BatchEntry) => BatchEntry): Batch {
  return {
    ...batch,
    entries: batch.entries.map((entry) => (entry.run === run ? change(entry) : entry)),
  };
}

/** The exit code of several runs: the worst of theirs, where 1 is worse than 4, 3 and 0. */
export function worstExitCode(codes: readonly number[]): number {
  return [1, 130, 4, 3].find((code) => codes.includes(code)) ?? 0;
}
