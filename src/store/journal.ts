import type { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';

/** The right to make one call, held while it is under way. */
export interface OpenCall {
  /** Calls of this key that ended without anybody seeing how: each may have been paid. */
  readonly lost: readonly JournalMarker[];
  /** Says that the call is still under way; call it at least every 10 s. */
  touch(): Promise<void>;
  /** Keeps the reply, durably. The entry that stands is returned: another's, when that one was first. */
  close(entry: JournalEntry): Promise<JournalEntry>;
  /** The call ended without a reply. */
  abandon(end: { readonly maybePaid: boolean }): Promise<void>;
}

export type Opening =
  | {
      readonly kind: 'answered';
      readonly entry: JournalEntry;
      readonly lost: readonly JournalMarker[];
    }
  /** Another attempt that may still be alive is calling. */
  | { readonly kind: 'busy' }
  | { readonly kind: 'open'; readonly call: OpenCall };

/** What a run has spent according to its journal, in the unit of its budget. */
export interface JournalTotals {
  readonly spent: number;
  /** Worst cases of calls whose end nobody saw. */
  readonly maybePaid: number;
  readonly calls: number;
  readonly maybePaidCalls: number;
}

/** What calls of a run have cost, or still may: replies, calls whose end nobody saw, and calls under way. */
export interface PastCalls {
  readonly entries: readonly JournalEntry[];
  readonly lost: readonly JournalMarker[];
  readonly underWay: readonly JournalMarker[];
}

/** Every reply received for a seed, by key. Shared by a run and its forks, and by any number of processes. */
export interface Journal {
  /** Finds the reply of `key`, or takes the right to ask for it. Throws `NeedsPerson` when the disk is nearly full. */
  open(seed: string, marker: JournalMarker): Promise<Opening>;
  entries(seed: string): Promise<readonly JournalEntry[]>;
  /** Calls that `run` made and whose end nobody saw, in all its lives. */
  lost(seed: string, run: string): Promise<readonly JournalMarker[]>;
  /** All calls that `run` made with labels that start with `prefix`. */
  past(seed: string, run: string, prefix: string): Promise<PastCalls>;
  /** Of the calls that `run` paid for itself, in all its lives. */
  totals(seed: string, run: string): Promise<JournalTotals>;
  /** Every seed that something was asked under. */
  seeds(): Promise<readonly string[]>;
  /** Forgets all replies of a seed, for good. */
  remove(seed: string): Promise<void>;
}
