import { z } from 'zod';
import { Estimate } from './estimate.ts';
import { Ref } from './ref.ts';
import { View } from './round.ts';
import { Mode } from './run-settings.ts';

/** A run's name: what people type, a folder's name, part of the workflow's id. */
export const RunName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9-]{0,62}$/,
    'Expected a run name of 1 to 63 lower-case letters, digits and hyphens, starting with a letter or digit.',
  );

/** Money and calls as the workflow last told them, in the unit of the budget. */
export const Account = z.strictObject({
  unit: z.enum(['usd', 'tokens']),
  cap: z.number().nullable(),
  /** Includes `maybePaid`. */
  spent: z.number(),
  maybePaid: z.number(),
  calls: z.int().min(0),
  reused: z.int().min(0),
});
export type Account = Readonly<z.infer<typeof Account>>;

export const OutcomeName = z.enum([
  'complete',
  'complete-with-gaps',
  'out-of-budget',
  'stalled',
  'stopped',
  'cancelled',
  'failed',
]);

/** How a run is driven (see `Controls` of the workflow), as the person asked for it. */
export const ControlsRecord = z.strictObject({
  /** What the workflow needs to know of the settings' mode; absent for fast. */
  mode: Mode.exactOptional(),
  /** And of when it verifies; absent for never. */
  verify: z.enum(['gate', 'rounds']).exactOptional(),
  parallel: z.int().min(1).max(64),
  review: z.boolean(),
  onBudget: z.enum(['wait', 'stop']),
  unit: z.enum(['usd', 'tokens']),
  maxTurns: z.int().min(1),
  callAllowance: z.number().min(0),
  heartbeatMs: z.int().min(500),
  continueEvery: z.int().min(1).nullable(),
});

/**
 * `run.json`: all that is known of a run without Temporal. Three parts, each with its own guard against older writers:
 * what the client fixed at the start, the head (guarded by `commits`), and what the workflow last said (guarded by
 * `sequence` within an incarnation, and closed by an outcome).
 */
export const RunRecord = z.strictObject({
  schemaVersion: z.literal(1),
  name: RunName,
  /** ISO 8601, UTC. */
  createdAt: z.string(),
  updatedAt: z.string(),
  /** The paper's file name or title, for lists. */
  paper: z.string(),
  seed: z.string(),
  settings: Ref,
  controls: ControlsRecord,
  /** Where the workflow runs: an address, or `local` for the data folder's own server. */
  temporal: z.strictObject({ address: z.string(), namespace: z.string(), taskQueue: z.string() }),
  /** The run that this one is a fork of, and the round after which it left it: null where it had none yet. */
  forkedFrom: z.strictObject({ run: RunName, round: z.int().min(0).nullable() }).optional(),
  /** What the run was thought to cost at its start. */
  estimate: Estimate.optional(),
  /** Folder that the repository is exported to at the end, or null. */
  out: z.string().nullable(),
  /** The batch whose ledger grants its money, where it belongs to one. */
  batch: RunName.optional(),
  incarnation: z.int().min(1),
  head: z.strictObject({ stateRef: Ref, blueprint: Ref, view: View }).nullable(),
  sequence: z.int().min(0),
  phase: z.enum(['planning', 'approval', 'rounds', 'report', 'ended']),
  /** Drafted, perhaps not approved yet. */
  blueprint: Ref.nullable(),
  account: Account,
  paused: z.boolean(),
  stopping: z.boolean(),
  waits: z.array(
    z.strictObject({ kind: z.string(), step: z.string(), message: z.string(), remedy: z.string() }),
  ),
  outcome: OutcomeName.nullable(),
  /** Why it failed; empty otherwise. */
  failure: z.string(),
  /** `REPORT.md`, stored. */
  report: Ref.nullable(),
});
export type RunRecord = Readonly<z.infer<typeof RunRecord>>;
