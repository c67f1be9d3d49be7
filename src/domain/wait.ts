import type { WaitKind } from './errors.ts';

/** Something a run waits for, in words: what happened, and what would let it go on. */
export interface Wait {
  readonly kind: WaitKind;
  /** The step that waits, such as `write src/model.py`; empty for the run as a whole. */
  readonly step: string;
  readonly message: string;
  readonly remedy: string;
}

/** Waits as whoever started the run can end them: a run of a batch gets its money from there, and from nowhere else. */
export function waitsIn<Told extends { readonly kind: string; readonly remedy: string }>(
  batch: string | undefined,
  waits: readonly Told[],
): Told[] {
  if (batch === undefined) return [...waits];
  const remedy = `Run \`deeprepro batch ${batch} --total-budget AMOUNT\` with more, and then \`deeprepro resume ${batch}\`.`;
  return waits.map((wait) => (wait.kind === 'budget' ? { ...wait, remedy } : wait));
}
