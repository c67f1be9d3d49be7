import type { Blueprint } from './blueprint.ts';
import type { JournalEntry, JournalMarker } from './journal-entry.ts';
import type { Role } from './message.ts';
import type { Outcome } from './outcome.ts';
import type { FileStatus } from './progress.ts';
import type { RoundChange } from './round-change.ts';
import type { Account } from './run-record.ts';
import type { Mode } from './run-settings.ts';
import type { RunState } from './run-state.ts';

/** A model call that was paid for by the run: what the journal holds of it, without the reply. */
export type PaidReply = Pick<
  JournalEntry,
  'label' | 'role' | 'model' | 'usage' | 'cost' | 'startedAt' | 'durationMs'
>;

/** A call whose end nobody saw, at its worst case. */
export type LostCall = Pick<JournalMarker, 'label' | 'worstCost' | 'startedAt'>;

/** What the executor itself was unsure of when it wrote the content of a file that stands. */
export interface StatedDoubt {
  readonly path: string;
  readonly text: string;
}

/** All that can be said of a run at one of its states, gathered from everything that is kept. Amounts are in `account.unit`. */
export interface RunFacts {
  readonly run: string;
  readonly mode: Mode;
  /** The paper's file name. */
  readonly paper: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly updatedAt: string;
  /** Null while the run has not ended. */
  readonly outcome: Outcome | null;
  /** Where the state is an earlier round's: the newest round, and how the run ended after all; `outcome` is null then. */
  readonly later: { readonly round: number; readonly outcome: Outcome | null } | null;
  /** Why it failed; empty otherwise. */
  readonly failure: string;
  /** Null where the run has no plan yet; then there is no blueprint either. */
  readonly state: RunState | null;
  readonly blueprint: Blueprint | null;
  /** Of every planned file. */
  readonly statuses: ReadonlyMap<string, FileStatus>;
  /** What each round up to the state changed, oldest first. */
  readonly rounds: readonly RoundChange[];
  /** Up to the state; `reused` is not known of an earlier round, and 0 there. */
  readonly account: Account;
  readonly replies: readonly PaidReply[];
  readonly lost: readonly LostCall[];
  readonly doubts: readonly StatedDoubt[];
  /** What was corrected, missing or guessed on the way. */
  readonly notices: readonly string[];
  readonly models: readonly { readonly role: Role; readonly model: string }[];
}
