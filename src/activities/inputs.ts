import { z } from 'zod';
import { Ref } from '../domain/ref.ts';
import { RepositoryPath } from '../domain/path.ts';
import { RoundRecord, TargetResult } from '../domain/round.ts';

/** What every activity is told: whose work it is, and under which settings. */
export const Call = z.strictObject({
  schemaVersion: z.literal(1),
  run: z.string(),
  incarnation: z.int().min(1),
  settings: Ref,
});
export type Call = Readonly<z.infer<typeof Call>>;

/** Settings that the same step was asked under before a person changed them; absent for none. */
const Earlier = z.array(Ref).optional();

/** A paid activity's call, with what all its attempts together may cost, in the unit of the budget. */
export const PaidCall = Call.extend({ allowance: z.number().min(0), earlier: Earlier });
export type PaidCall = Readonly<z.infer<typeof PaidCall>>;

export const PaperInput = PaidCall.extend({ paper: Ref });
export type PaperInput = Readonly<z.infer<typeof PaperInput>>;

export const DraftInput = PaperInput.extend({
  views: z.strictObject({ figures: Ref, concepts: Ref, algorithms: Ref, requirements: Ref }),
});
export type DraftInput = Readonly<z.infer<typeof DraftInput>>;

export const AmendInput = Call.extend({ blueprint: Ref, amendment: Ref });
export type AmendInput = Readonly<z.infer<typeof AmendInput>>;

export const StateInput = Call.extend({ stateRef: Ref });
export type StateInput = Readonly<z.infer<typeof StateInput>>;

/** A_sub's call; where no model plans, nothing is reserved for it. */
export const PlanInput = StateInput.extend({
  allowance: z.number().min(0).default(0),
  earlier: Earlier,
});
export type PlanInput = Readonly<z.input<typeof PlanInput>>;

/** The judge's call on the files that a round has written. */
export const JudgeInput = PaidCall.extend({
  stateRef: Ref,
  subplan: Ref,
  blueprint: Ref,
  round: z.int().min(1),
  results: z.array(TargetResult),
});
export type JudgeInput = Readonly<z.infer<typeof JudgeInput>>;

/** The verifier's call: on what a round wrote, or at the gate on all that no verdict decides as it is now. */
export const VerifyInput = PaidCall.extend({
  stateRef: Ref,
  blueprint: Ref,
  round: z.int().min(1),
  results: z.array(TargetResult),
  /** The round's subplan, whose checks are decided too; null where code alone planned, and at the gate. */
  subplan: Ref.nullable(),
  scope: z.enum(['round', 'gate']),
});
export type VerifyInput = Readonly<z.infer<typeof VerifyInput>>;

/** Files of this round that a target needs. */
const Needed = z.array(z.strictObject({ path: RepositoryPath, file: Ref }));

/** Turns that the file may take after this one; absent in calls of earlier versions. */
const Left = z.int().min(0).optional();

export const TurnInput = PaidCall.extend({
  stateRef: Ref,
  /** The amended blueprint of this round, or the state's own. */
  blueprint: Ref,
  round: z.int().min(1),
  path: RepositoryPath,
  turn: z.int().min(1),
  conversation: Ref.nullable(),
  needed: Needed,
  left: Left,
  /** The round's subplan, where a model made it; absent in fast mode. */
  subplan: Ref.optional(),
});
export type TurnInput = Readonly<z.infer<typeof TurnInput>>;

export const ToolsInput = Call.extend({
  round: z.int().min(1),
  path: RepositoryPath,
  turn: z.int().min(1),
  conversation: Ref,
  reply: Ref,
  /** The state that the round started from; absent, as what follows, in calls of earlier versions. */
  stateRef: Ref.optional(),
  /** As in the turn itself. */
  blueprint: Ref.optional(),
  needed: Needed.optional(),
  left: Left,
});
export type ToolsInput = Readonly<z.infer<typeof ToolsInput>>;

export const RememberInput = PaidCall.extend({ blueprint: Ref, path: RepositoryPath, file: Ref });
export type RememberInput = Readonly<z.infer<typeof RememberInput>>;

export const DiagnoseInput = StateInput.extend({
  results: z.array(TargetResult),
  /** The blueprint as this round's subplan amended it; absent where it is the state's own. */
  blueprint: Ref.optional(),
});
export type DiagnoseInput = Readonly<z.infer<typeof DiagnoseInput>>;

const Purse = z.strictObject({
  unit: z.enum(['usd', 'tokens']),
  cap: z.number().nullable(),
  spent: z.number(),
  maybePaid: z.number(),
  reserved: z.number(),
});

const Spending = z.object({
  purse: Purse,
  calls: z.int().min(0),
  reused: z.int().min(0),
});

export const BeginInput = Call.extend({ paper: Ref, blueprint: Ref, ...Spending.shape });
export type BeginInput = Readonly<z.infer<typeof BeginInput>>;

export const CommitInput = StateInput.extend({
  record: RoundRecord,
  ...Spending.shape,
  /** Files that a person gave one more repair since the last commit. */
  retries: z.array(RepositoryPath).optional(),
});
export type CommitInput = Readonly<z.infer<typeof CommitInput>>;

/** What the run folder is told of the workflow, under a growing number: an older note never replaces a newer one. */
export const NoteInput = Call.extend({
  sequence: z.int().min(0),
  phase: z.enum(['planning', 'approval', 'rounds', 'report', 'ended']),
  ...Spending.shape,
  paused: z.boolean(),
  stopping: z.boolean(),
  blueprint: Ref.nullable(),
  waits: z.array(
    z.strictObject({ kind: z.string(), step: z.string(), message: z.string(), remedy: z.string() }),
  ),
});
export type NoteInput = Readonly<z.infer<typeof NoteInput>>;

export const ReportInput = Call.extend({
  stateRef: Ref.nullable(),
  reason: z.enum(['inspected', 'stalled', 'stopped', 'out-of-budget', 'cancelled', 'failed']),
  /** Why it failed; empty otherwise. */
  failure: z.string(),
  ...Spending.shape,
  sequence: z.int().min(0),
});
export type ReportInput = Readonly<z.infer<typeof ReportInput>>;
