import type { Context } from '@temporalio/activity';

/** An activity's sign of life: heartbeats to Temporal, and whatever else must be touched while it works. */
export interface Pulse {
  /** Aborts when the run is cancelled or the worker must go; its reason is what to throw. */
  readonly signal: AbortSignal;
  /** What the next heartbeat tells. */
  progress(text: string): void;
  /** Runs with every beat until the returned function is called. */
  onBeat(touch: () => Promise<void>): () => void;
  stop(): void;
}

const LONGEST_BEAT_MS = 10_000;

/** Beats from the activity's first moment, before any set-up, every third of its heartbeat timeout, at most every 10 s. */
export function startPulse(context: Context): Pulse {
  const touches = new Set<() => Promise<void>>();
  let text = '';
  const timeoutMs = context.info.heartbeatTimeoutMs ?? 3 * LONGEST_BEAT_MS;
  const timer = setInterval(beat, Math.min(LONGEST_BEAT_MS, timeoutMs / 3));
  context.heartbeat();

  function beat(): void {
    context.heartbeat(text);
    // A marker that cannot be touched goes stale, which is what it is for.
    for (const touch of touches) void touch().catch(() => undefined);
  }

  return {
    signal: context.cancellationSignal,
    progress: (next) => void (text = next),
    onBeat(touch) {
      touches.add(touch);
      return () => void touches.delete(touch);
    },
    stop: () => clearInterval(timer),
  };
}
