import { z } from 'zod';
import { RepositoryPath } from './path.ts';
import { Problem } from './finding.ts';
import { Ref } from './ref.ts';

/** A file to write in this round, after the files of the same round that it needs. */
export const Target = z.strictObject({
  path: RepositoryPath,
  needs: z.array(RepositoryPath),
  /** Model replies it may take in this round, where that is not the run's own bound. */
  turns: z.int().min(1).exactOptional(),
});
export type Target = Readonly<z.infer<typeof Target>>;

/** One of Q_t: what must hold of a file after the round, and who decides it: a diagnostic, a run of the gate, or a model. */
export const AcceptanceCheck = z.strictObject({
  path: RepositoryPath,
  text: z.string().min(1),
  decidedBy: z.enum(['static', 'run', 'model']),
});
export type AcceptanceCheck = Readonly<z.infer<typeof AcceptanceCheck>>;

/** What a subplan says of one target: I and N of B_t, for that file. */
export const Assignment = z.strictObject({
  /** Why it is a target now; empty where the plan's order is the reason. */
  reason: z.string(),
  instructions: z.string(),
  integrationNotes: z.string(),
});
export type Assignment = Readonly<z.infer<typeof Assignment>>;

/** What A_sub says beyond G_t and its order: ρ, I, N, Q, and the amendments of the blueprint. */
export const Guidance = z.strictObject({
  rationale: z.string(),
  /** By target's path. */
  assignments: z.record(z.string(), Assignment),
  acceptanceChecks: z.array(AcceptanceCheck),
  /** What was changed in the blueprint and why, a sentence each. */
  amendments: z.array(z.string()),
  /** What of the answer could not stand, and what was done instead. */
  corrections: z.array(z.string()),
});
export type Guidance = Readonly<z.infer<typeof Guidance>>;

/** B_t, stored: the targets G_t in their order π; in deepplan with a model's guidance. */
export const Subplan = z.strictObject({
  schemaVersion: z.literal(1),
  round: z.int().min(1),
  targets: z.array(Target),
  /** Absent where code alone chose. */
  guidance: Guidance.exactOptional(),
  /** The blueprint as this subplan amended it; absent where it did not. */
  blueprint: Ref.exactOptional(),
});
export type Subplan = Readonly<z.infer<typeof Subplan>>;

/** What the workflow sees of a subplan. `blueprint` is the amended one, or null while it is unchanged. */
export const RoundPlan = z.strictObject({
  subplan: Ref,
  targets: z.array(Target),
  blueprint: Ref.nullable(),
  /** A model decides a check of this round, so that the judge is asked after the writes. */
  isJudged: z.literal(true).exactOptional(),
});
export type RoundPlan = Readonly<z.infer<typeof RoundPlan>>;

/** What became of one target: accepted content, or all its writes refused (`lastAttempt` is the last one's content). */
export const TargetResult = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('written'),
    path: RepositoryPath,
    file: Ref,
    /** What its writer was unsure of, as text; absent where it said nothing, or in fast mode. */
    doubts: Ref.exactOptional(),
  }),
  z.strictObject({
    kind: z.literal('refused'),
    path: RepositoryPath,
    reasons: z.array(z.string()),
    lastAttempt: Ref.nullable(),
  }),
]);
export type TargetResult = Readonly<z.infer<typeof TargetResult>>;

/** The memory agent's notes on one content of one file; `text` is null when the model gave none that could be used. */
export const Note = z.strictObject({ path: RepositoryPath, file: Ref, text: Ref.nullable() });
export type Note = Readonly<z.infer<typeof Note>>;

/** A_diag's reading of the tree after a round, stored: what is wrong, each written file's interface, what was rolled back. */
export const Diagnosis = z.strictObject({
  schemaVersion: z.literal(1),
  problems: z.array(Problem),
  /** Interface reference by path, for files written in the round. */
  interfaces: z.record(z.string(), Ref),
  /** Repairs that made things worse: their old content stays. */
  rolledBack: z.array(RepositoryPath),
  /** Why, by path; absent where nothing was rolled back. */
  undone: z.record(z.string(), z.array(z.string())).optional(),
  /** Why the type checker did not run, where it should have; its earlier findings then stay open. */
  typesUnchecked: z.string().exactOptional(),
});
export type Diagnosis = Readonly<z.infer<typeof Diagnosis>>;

/** What a commit folds into the state. An inspection looks at the whole repository when no target is left. */
export const RoundRecord = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('round'),
    subplan: Ref,
    results: z.array(TargetResult),
    diagnosis: Ref,
    notes: z.array(Note),
    /** The judge's verdicts, stored; absent where no check of the round is a model's to decide. */
    judgement: Ref.exactOptional(),
    /** The verifier's verdicts, stored, where each round is verified. */
    verification: Ref.exactOptional(),
  }),
  z.strictObject({ kind: z.literal('inspection'), diagnosis: Ref, notes: z.array(Note) }),
  /** What the gate does when the inspection has left nothing to do. */
  z.strictObject({
    kind: z.literal('proof'),
    verification: Ref,
  }),
  z.strictObject({ kind: z.literal('notes'), notes: z.array(Note) }),
]);
export type RoundRecord = Readonly<z.infer<typeof RoundRecord>>;

/** The little of S_t that the loop, queries and the run folder need; at most 16 KB. */
export const View = z.strictObject({
  round: z.int().min(0),
  commits: z.int().min(0),
  files: z.strictObject({
    planned: z.int(),
    written: z.int(),
    broken: z.int(),
    retired: z.int(),
  }),
  /** The next round's choice where no model makes it; null where `planRound` must be asked. */
  next: RoundPlan.nullable(),
  /** The first open blocking findings, and how many there are in all. */
  openBlocking: z.array(z.strictObject({ id: z.string(), path: z.string() })),
  openBlockingCount: z.int().min(0),
  /** Written files whose notes have not been folded in. */
  withoutNotes: z.array(z.strictObject({ path: RepositoryPath, file: Ref })),
  stop: z.enum(['inspected', 'stalled']).nullable(),
  isProofDue: z.literal(true).exactOptional(),
});
export type View = Readonly<z.infer<typeof View>>;

/** Where the loop stands: a reference to S_t, and its view. */
export const At = z.strictObject({ stateRef: Ref, blueprint: Ref, view: View });
export type At = Readonly<z.infer<typeof At>>;
