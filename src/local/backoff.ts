/** A process that lived for so long did start; its end is not counted as a failed start. */
export const SETTLED_AFTER_MS = 10_000;
/** After so many failed starts in a row we ask the person. */
export const MAX_FAILED_STARTS = 5;

/** How long to wait before a process is started again after so many failed starts in a row: none, then doubling. */
export function restartDelayMs(failedStarts: number): number {
  return failedStarts <= 1 ? 0 : Math.min(250 * 2 ** (failedStarts - 2), 10_000);
}
