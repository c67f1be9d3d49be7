import type { WaitKind } from './errors.ts';

/** Something a run waits for, in words: what happened, and what would let it go on. */
export interface Wait {
  readonly kind: WaitKind;
  /** The step that waits, such as `write src/model.py`; empty for the run as a whole. */
  readonly step: string;
  readonly message: string;
  readonly remedy: string;
}
