import type { Settlement } from '../domain/budget.ts';
import { AllowanceTooSmall, RetryLater } from '../domain/errors.ts';
import type { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';

/** Counts what the calls of one activity cost, over all its attempts, and holds them to its allowance. */
export interface Meter {
  /** Sets aside a call's worst case. Throws where it does not fit: `AllowanceTooSmall`, or `RetryLater` while calls of another attempt may leave room. */
  reserve(worstCost: number): void;
  /** Gives it back when the call has ended. */
  release(worstCost: number): void;
  /** Holds back what calls of another attempt, still under way, may cost. */
  holdBack(markers: readonly JournalMarker[]): void;
  /** Books a reply: paid in this life of the run, which counts once, or found in the journal from another. */
  bookReply(entry: JournalEntry, isFromJournal: boolean): void;
  /** Books calls that may have been paid, each once. */
  bookLost(markers: readonly JournalMarker[]): void;
  readonly settlement: () => Settlement;
}

const BUSY_RETRY_MS = 1_000;

export function openMeter(run: string, incarnation: number, allowance: number): Meter {
  let reserved = 0;
  let heldBack = 0;
  let total: Settlement = { spent: 0, maybePaid: 0, calls: 0, reused: 0 };
  const lost = new Set<string>();
  const paidKeys = new Set<string>();
  const isOurs = (paid: { readonly run: string; readonly incarnation: number }) =>
    paid.run === run && paid.incarnation === incarnation;

  return {
    reserve(worstCost) {
      const needed = total.spent + total.maybePaid + heldBack + reserved + worstCost;
      if (needed > allowance && heldBack > 0)
        throw new RetryLater('An earlier attempt has calls under way that must end first.', {
          retryAfterMs: BUSY_RETRY_MS,
        });
      if (needed > allowance) throw new AllowanceTooSmall(needed);
      reserved += worstCost;
    },
    release(worstCost) {
      reserved -= worstCost;
    },
    holdBack(markers) {
      heldBack = markers.filter(isOurs).reduce((sum, { worstCost }) => sum + worstCost, 0);
    },
    bookReply(entry, isFromJournal) {
      const paid = isOurs(entry) && !paidKeys.has(entry.key);
      if (paid) paidKeys.add(entry.key);
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
