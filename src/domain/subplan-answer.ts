import type { BlueprintAmendments } from './blueprint-draft.ts';
import type { AcceptanceCheck } from './round.ts';

/** A target as A_sub names it. Nothing of it is checked yet. */
export interface NamedTarget {
  readonly path: string;
  readonly reason: string;
  readonly instructions: string;
  readonly integrationNotes: string;
  /** Targets of the same round that it must follow, besides those it needs. */
  readonly after: readonly string[];
  readonly checks: readonly Pick<AcceptanceCheck, 'text' | 'decidedBy'>[];
}

/** What A_sub answers: G_t in its order π, ρ, I, N, Q, and how the blueprint should change. */
export interface SubplanAnswer {
  readonly rationale: string;
  readonly targets: readonly NamedTarget[];
  readonly changes: BlueprintAmendments;
  /** Why, by path, id, key or name of what changes. */
  readonly reasons: ReadonlyMap<string, string>;
}

/** Nothing to change. */
export const NO_CHANGES: BlueprintAmendments = {
  plan: {},
  files: [],
  retired: [],
  owners: [],
  requirements: [],
  experiments: [],
  configuration: [],
  methodCards: [],
  environment: {},
};

/** The answer that stands for none. */
export const NO_ANSWER: SubplanAnswer = {
  rationale: '',
  targets: [],
  changes: NO_CHANGES,
  reasons: new Map(),
};
