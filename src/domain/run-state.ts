import { z } from 'zod';
import { Finding } from './finding.ts';
import { MemoryEntry } from './memory.ts';
import { Ref } from './ref.ts';
import { Tree } from './tree.ts';
import { RequirementVerdict } from './verification.ts';
import { Verdict } from './verdict.ts';

/** P_t for one file. Its status follows from the rest of the state (`statusOf`), so that the two cannot disagree. */
export const FileProgress = z.strictObject({
  /** How many contents were accepted. */
  revision: z.int().min(0),
  /** Repairs used up, one for each round that tried to repair it or ended with all its writes refused. */
  repairs: z.int().min(0),
  /** The same for what the verifier found; absent for none. */
  fidelityRepairs: z.int().min(0).exactOptional(),
  /** Why all its writes were refused, while it has never been accepted. */
  refusals: z.array(z.string()),
  /** The last refused or rolled-back content, shown to the next repair. */
  lastAttempt: Ref.nullable(),
  /** Why the last attempt was refused or rolled back; empty where there is none. */
  lastReasons: z.array(z.string()).default([]),
  retired: z.boolean(),
});
export type FileProgress = Readonly<z.infer<typeof FileProgress>>;

/** S_t = (B₀, P_t, M_t, Δ_t) and the repository R as of round t. Its only writer is `commitRound`. */
export const RunState = z.strictObject({
  schemaVersion: z.literal(1),
  round: z.int().min(0),
  /** Commits so far: rounds, inspections and late notes. */
  commits: z.int().min(0),
  previous: Ref.nullable(),
  settings: Ref,
  paper: Ref,
  blueprint: Ref,
  tree: Tree,
  progress: z.record(z.string(), FileProgress),
  memory: z.record(z.string(), MemoryEntry),
  findings: z.array(Finding),
  /** Repair rounds opened by inspections, and the open blocking findings at the last one. */
  gate: z.strictObject({ rounds: z.int().min(0), openAtLast: z.int().min(0).nullable() }),
  /** The best pair so far: files accepted, open blocking findings; and rounds since without a better one. */
  best: z.strictObject({ accepted: z.int().min(0), open: z.int().min(0) }),
  stalledRounds: z.int().min(0),
  stop: z.enum(['inspected', 'stalled']).nullable(),
  /** The inspection left nothing to do; verifying, where it was asked for, is still to come. */
  isProofDue: z.literal(true).exactOptional(),
  /** What the last round was told and what its checks came to; absent where code alone plans. */
  subplan: Ref.exactOptional(),
  verdicts: z.array(Verdict).exactOptional(),
  /** Why the type checker did not run at the last diagnosis; absent where it did, or is not used. */
  typesUnchecked: z.string().exactOptional(),
  /** The newest verdict on each requirement, also where what it was given on has changed since (`stands`). */
  requirementVerdicts: z.array(RequirementVerdict).exactOptional(),
});
export type RunState = Readonly<z.infer<typeof RunState>>;
