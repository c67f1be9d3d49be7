import { setTimeout as sleep } from 'node:timers/promises';
import { killProcess } from '../processes/kill-process.ts';
import { MAX_FAILED_STARTS, restartDelayMs, SETTLED_AFTER_MS } from './backoff.ts';
import { findTemporal } from './temporal-binary.ts';
import type { TemporalBinary } from './temporal-binary.ts';
import { isServing } from './temporal-health.ts';
import { openServer } from './temporal-server.ts';
import type { TemporalServer } from './temporal-server.ts';

const HEALTH_INTERVAL_MS = 10_000;
const HEALTH_TIMEOUT_MS = 10_000;
/** A machine under heavy load can miss one. */
const MISSED_HEALTH_CHECKS = 3;

/** What the keeper tells its owner. */
export interface ServerEvents {
  readonly onProgress: (line: string) => void;
  /** A server serves, perhaps not at the address of the one before. */
  readonly onServing: (server: TemporalServer) => void;
  /** It cannot be started; no more tries until `retry`. */
  readonly onProblem: (message: string) => void;
}

/** Keeps one Temporal server running on a data folder. */
export interface ServerKeeper {
  readonly server: TemporalServer | undefined;
  /** Tries again after a problem. */
  retry(): void;
  /** Ends the server and resolves when it is gone. */
  stop(): Promise<void>;
}

/** Finds or gets the program, then keeps its server running. The caller holds the claim of `home`. */
export function keepServer(home: string, events: ServerEvents): ServerKeeper {
  const stopping = new AbortController();
  const { signal } = stopping;
  let server: TemporalServer | undefined;
  let wake: () => void = () => undefined;

  async function open(binary: TemporalBinary | undefined): Promise<TemporalBinary> {
    const found =
      binary ??
      (await findTemporal({ environment: process.env, report: events.onProgress, signal }));
    server = await openServer(home, found);
    return found;
  }

  async function run(): Promise<void> {
    let binary: TemporalBinary | undefined;
    let failedStarts = 0;
    while (!signal.aborted) {
      const startedAtMs = Date.now();
      try {
        binary = await open(binary);
        if (server) await serve(server);
        failedStarts = Date.now() - startedAtMs > SETTLED_AFTER_MS ? 1 : failedStarts + 1;
      } catch (error) {
        if (signal.aborted) return;
        failedStarts++;
        // A program that was there may have been removed since.
        binary = undefined;
        if (!server || failedStarts >= MAX_FAILED_STARTS) {
          events.onProblem(error instanceof Error ? error.message : String(error));
          await new Promise<void>((resolve) => (wake = resolve));
          failedStarts = 0;
        }
      }
      if (!signal.aborted) await sleep(restartDelayMs(failedStarts));
    }
  }

  /** Resolves when the server has ended or we stop. */
  async function serve(serving: TemporalServer): Promise<void> {
    if (signal.aborted) return;
    events.onServing(serving);
    const health = setInterval(() => void checkHealth(serving), HEALTH_INTERVAL_MS);
    let missed = 0;
    async function checkHealth({ address, pid }: TemporalServer): Promise<void> {
      missed = (await isServing(address, HEALTH_TIMEOUT_MS)) ? 0 : missed + 1;
      if (missed >= MISSED_HEALTH_CHECKS) killProcess(pid, 'SIGKILL');
    }
    await Promise.race([
      serving.ended,
      new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
    ]);
    clearInterval(health);
    if (!signal.aborted) events.onProgress('The Temporal server has ended; starting it again.');
  }

  const finished = run();
  return {
    get server() {
      return server;
    },
    retry: () => wake(),
    async stop() {
      stopping.abort();
      wake();
      await finished;
      await server?.stop();
    },
  };
}
