/** One thing that was looked at to see whether a run can work here. */
export interface Check {
  readonly name: string;
  /** `warning`: it works, but not as well as it could. */
  readonly result: 'good' | 'warning' | 'bad';
  /** What was found, in a few words. */
  readonly found: string;
  /** What to do about it, a sentence; empty where nothing is. */
  readonly remedy: string;
}
