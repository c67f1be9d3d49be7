/** Why a call was cut: its caller wanted it, nothing came for too long, it took too long in all, or it grew too long. */
export type Cut = 'caller' | 'idle' | 'total' | 'length';

/** The limits of one call, as one signal. */
export interface CallLimits {
  readonly signal: AbortSignal;
  /** Undefined while nothing has cut the call. */
  cut(): Cut | undefined;
  /** An event came: the idle time starts anew. */
  touch(): void;
  stop(cut: Cut): void;
  /** Releases timers and connection; to be called however the call ended. */
  end(): void;
}

/** Starts the clocks of a call. Times are in milliseconds. */
export function startCallLimits(
  caller: AbortSignal,
  limits: { readonly idleMs: number; readonly totalMs: number },
): CallLimits {
  const controller = new AbortController();
  let cut: Cut | undefined;
  const stop = (reason: Cut) => {
    cut ??= reason;
    controller.abort();
  };
  const onCaller = () => stop('caller');
  caller.addEventListener('abort', onCaller, { once: true });
  const idle = setTimeout(() => stop('idle'), limits.idleMs);
  const total = setTimeout(() => stop('total'), limits.totalMs);
  return {
    signal: controller.signal,
    cut: () => cut,
    touch: () => void idle.refresh(),
    stop,
    end() {
      clearTimeout(idle);
      clearTimeout(total);
      caller.removeEventListener('abort', onCaller);
      // Ends a connection that is still open after an early return; after a whole reply it does nothing.
      controller.abort();
    },
  };
}
