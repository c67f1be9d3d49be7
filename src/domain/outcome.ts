/** How a run ended. A closed union: whatever is not here is not an end but a wait. */
export type Outcome =
  | 'complete'
  | 'complete-with-gaps'
  | 'out-of-budget'
  | 'stalled'
  | 'stopped'
  | 'cancelled'
  | 'failed';

/** Why the loop ended: nothing left to do within bounds, no progress, or a person or the budget said so. */
export type StopReason =
  'inspected' | 'stalled' | 'stopped' | 'out-of-budget' | 'cancelled' | 'failed';

/** Facts that decide between `complete` and `complete-with-gaps`; each is a count. */
export interface Gaps {
  readonly unwrittenFiles: number;
  readonly brokenFiles: number;
  readonly openBlocking: number;
  /** Requirements in scope that no file owns. */
  readonly unowned: number;
  /** Requirements in scope that were to be verified and that no verdict decides as the code stands. */
  readonly unverified: number;
  /** 1 where no requirement is in scope: then nothing says what the repository has to meet. */
  readonly emptyLedger: number;
  /** 1 where most of what the ledger quotes is not in the paper: then the repository is of another one. */
  readonly otherPaper: number;
}

/** The one place where the word `complete` is earned. */
export function outcomeOf(reason: StopReason, gaps: Gaps): Outcome {
  if (reason !== 'inspected') return reason;
  const isWhole = Object.values(gaps).every((count) => count === 0);
  return isWhole ? 'complete' : 'complete-with-gaps';
}

/** Whether `resume` starts a run with this outcome anew from its head. */
export function canResume(outcome: Outcome): boolean {
  return ['stopped', 'stalled', 'out-of-budget', 'cancelled'].includes(outcome);
}

/** The exit code of a command that followed a run to this outcome. */
export function exitCodeOf(outcome: Outcome): 0 | 1 | 3 | 4 | 130 {
  switch (outcome) {
    case 'complete':
      return 0;
    case 'failed':
      return 1;
    case 'complete-with-gaps':
      return 3;
    case 'out-of-budget':
    case 'stalled':
    case 'stopped':
      return 4;
    case 'cancelled':
      return 130;
  }
}
