import type { Context } from '@temporalio/activity';

/** An activity's sign of life: heartbeats to Temporal, and whatever else must be touched while it works. */
export interface Pulse {
  /** Aborts a call under way, when the run is cancelled or the worker must go; its reason is what to throw. */
  readonly signal: AbortSignal;
  /** Throws when nothing new may begin: for the same reasons, or because the server has given this attempt up. */
  requireWanted(): void;
  /** What the next heartbeat tells. */
  progress(text: string): void;
  /** Runs with every beat until the returned function is called. */
  onBeat(touch: () => Promise<void>): () => void;
  stop(): void;
}

const LONGEST_BEAT_MS = 10_000;

/** Beats from the activity's first moment, before any set-up, every third of its heartbeat timeout, at least every 10 s. */
export function startPulse(context: Context): Pulse {
  const signal = signalOf(context);
  const touches = new Set<() => Promise<void>>();
  let text = '';
  const timeoutMs = context.info.heartbeatTimeoutMs ?? 3 * LONGEST_BEAT_MS;
  const timer = setInterval(beat, Math.min(LONGEST_BEAT_MS, timeoutMs / 3));

  function beat(): void {
    context.heartbeat(text);
    // A marker that cannot be touched goes stale, which is what it is for.
    for (const touch of touches) void touch().catch(() => undefined);
  }

  return {
    signal,
    requireWanted: () => context.cancellationSignal.throwIfAborted(),
    progress: (next) => void (text = next),
    onBeat(touch) {
      touches.add(touch);
      return () => void touches.delete(touch);
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * A server that was down for longer than the heartbeat timeout has given our attempt up and starts another. The call
 * under way is paid for all the same: it goes on, and its reply is in the journal for the next attempt.
 */
function signalOf(context: Context): AbortSignal {
  const { cancellationSignal } = context;
  const controller = new AbortController();
  const pass = () => {
    const { timedOut, notFound } = context.cancellationDetails ?? {};
    if (timedOut !== true && notFound !== true) controller.abort(cancellationSignal.reason);
  };
  if (cancellationSignal.aborted) pass();
  else cancellationSignal.addEventListener('abort', pass, { once: true });
  return controller.signal;
}
