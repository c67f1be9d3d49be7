import { statSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { CrashHarness } from './crash-harness.ts';

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** After a kill a run stands still until its heartbeats are missed: most kills are to hit it at work. */
const SHARE_UNDER_WAY = 0.8;
const NEXT_REQUEST_MS = 12_000;

/** Resolves when the model is asked again, or has not been for long. */
export async function nextRequest(log: string): Promise<void> {
  const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const before = size();
  const deadline = Date.now() + NEXT_REQUEST_MS;
  while (size() === before && Date.now() < deadline) await pause(10);
}

export interface RandomKills {
  readonly run: string;
  readonly kills: number;
  readonly seed: number;
  /** Each kill comes at most so long after server and worker stand, mostly also after a model has been asked again. */
  readonly longestMs: number;
  /** No kill comes later. Milliseconds since 1970. */
  readonly deadline?: number;
}

/** Kills the worker, the server or both, again and again, until the run has ended or the kills are used up; says how many. */
export async function killAtRandom(harness: CrashHarness, wish: RandomKills): Promise<number> {
  const random = randomFrom(wish.seed);
  const victims = ['worker', 'worker', 'server', 'both'] as const;
  for (let done = 0; done < wish.kills && Date.now() < (wish.deadline ?? Infinity); done += 1) {
    await harness.whole();
    if (random() < SHARE_UNDER_WAY) await nextRequest(harness.model.log);
    await pause(random() * wish.longestMs);
    const { outcome } = await harness.ports.folders.read(wish.run);
    if (outcome !== null) return done;
    await harness.kill(victims[Math.floor(random() * victims.length)] ?? 'worker');
  }
  return wish.kills;
}
