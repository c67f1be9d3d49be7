import type { Settlement } from './budget.ts';
import type { Wait } from './wait.ts';

/** What an activity puts into a failure that only the workflow can answer. Plain JSON. */
export interface FailureDetails {
  /** The allowance that would let the activity go on. */
  readonly needed?: number;
  /** What a person must repair before the activity is tried again. */
  readonly wait?: Omit<Wait, 'step'>;
  /** What the failed activity's calls cost so far, this time and before. */
  readonly settlement?: Settlement;
}
