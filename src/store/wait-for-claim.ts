import { setTimeout as pause } from 'node:timers/promises';
import type { Claim } from './lock.ts';
import type { Owner } from './owner.ts';

/** How long to wait for a claim that another holds, and how often to look. */
export interface ClaimPatience {
  readonly waitMs: number;
  readonly pollMs: number;
}

/** For records that are changed in milliseconds: a lock held for longer is of a process that hangs. */
export const SHORT_WORK: ClaimPatience = { waitMs: 10_000, pollMs: 20 };

/** Makes `attempt` until it gives the claim; after `waitMs`, at the first look when that is 0, says who holds it. */
export async function waitForClaim(
  attempt: () => Promise<Claim | { heldBy: Owner }>,
  { waitMs, pollMs }: ClaimPatience,
): Promise<Claim | { heldBy: Owner }> {
  const deadline = Date.now() + waitMs;
  for (;;) {
    const claimed = await attempt();
    if ('release' in claimed || Date.now() >= deadline) return claimed;
    await pause(pollMs);
  }
}

/** Works while it holds the claim that `attempt` makes, and gives it back. Throws what `tooLong` makes of who holds it. */
export async function whileClaimed<Result>(
  attempt: () => Promise<Claim | { heldBy: Owner }>,
  tooLong: (heldBy: Owner) => Error,
  work: () => Promise<Result>,
): Promise<Result> {
  const claimed = await waitForClaim(attempt, SHORT_WORK);
  if (!('release' in claimed)) throw tooLong(claimed.heldBy);
  try {
    return await work();
  } finally {
    await claimed.release();
  }
}
