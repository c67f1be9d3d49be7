import type { Settlement } from '../domain/budget.ts';
import { AllowanceTooSmall } from '../domain/errors.ts';
import type { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';

/** Counts what the calls of one activity cost, over all its attempts, and holds them to its allowance. */
export interface Meter {
  /** Sets aside a call's worst case. Throws `AllowanceTooSmall` where it does not fit. */
  reserve(worstCost: number): void;
  /** Gives it back when the call has ended. */
  release(worstCost: number): void;
  /** Books a reply: paid in this life of the run, or found in the journal from another. */
  bookReply(entry: JournalEntry, isFromJournal: boolean): void;
  /** Books calls that may have been paid, each once. */
  bookLost(markers: readonly JournalMarker[]): void;
  readonly settlement: () => Settlement;
}

export function openMeter(run: string, incarnation: number, allowance: number): Meter {
  let reserved = 0;
  let total: Settlement = { spent: 0, maybePaid: 0, calls: 0, reused: 0 };
  const lost = new Set<string>();
  const isOurs = (paid: { readonly run: string; readonly incarnation: number }) =>
    paid.run === run && paid.incarnation === incarnation;

  return {
    reserve(worstCost) {
      const needed = total.spent + total.maybePaid + reserved + worstCost;
      if (needed > allowance) throw new AllowanceTooSmall(needed);
      reserved += worstCost;
    },
    release(worstCost) {
      reserved -= worstCost;
    },
    bookReply(entry, isFromJournal) {
      const paid = isOurs(entry);
      total = {
        ...total,
        spent: total.spent + (paid ? entry.cost : 0),
        calls: total.calls + (paid ? 1 : 0),
        reused: total.reused + (isFromJournal ? 1 : 0),
      };
    },
    bookLost(markers) {
      for (const marker of markers.filter(isOurs)) {
        const id = `${marker.key} ${marker.startedAt}`;
        if (lost.has(id)) continue;
        lost.add(id);
        total = {
          ...total,
          maybePaid: total.maybePaid + marker.worstCost,
          calls: total.calls + 1,
        };
      }
    },
    settlement: () => total,
  };
}
