import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { spawnProcess } from '../processes/spawn-process.ts';
import type { SpawnedProcess } from '../processes/spawn-process.ts';
import { MAX_FAILED_STARTS, restartDelayMs, SETTLED_AFTER_MS } from './backoff.ts';
import { readLogEnd } from './log-end.ts';
import { nodeArguments } from './node-arguments.ts';

/** What the worker tells by its channel. */
const WorkerMessage = z.object({ kind: z.literal('ready') });

/** A worker lets calls in flight finish for up to 60 s; after this it is killed. */
const STOP_GRACE_MS = 70_000;

/** What the keeper tells its owner. */
export interface WorkerEvents {
  readonly onReady: () => void;
  /** It failed to start again and again; no more tries until the environment changes or `retry`. */
  readonly onProblem: (message: string) => void;
  readonly onRestart: (line: string) => void;
}

/** Keeps one worker running. */
export interface WorkerKeeper {
  readonly pid: number | null;
  readonly isReady: boolean;
  /** Starts the worker, or replaces it by one with this environment; the old one finishes its calls meanwhile. */
  start(environment: NodeJS.ProcessEnv): void;
  /** Tries again after a problem. */
  retry(): void;
  /** Asks all workers to finish and resolves when they are gone. */
  stop(): Promise<void>;
}

interface Worker {
  readonly process: SpawnedProcess;
  readonly startedAtMs: number;
  isReady: boolean;
  /** Set once it was asked to finish; a second signal could cut its calls off. */
  retirement?: Promise<void>;
}

/** Keeps `node modulePath` running, its output in `logPath`. Nothing is started yet. */
export function createWorkerKeeper(
  modulePath: string,
  logPath: string,
  events: WorkerEvents,
): WorkerKeeper {
  const running = new Set<Worker>();
  let current: Worker | undefined;
  let environment: NodeJS.ProcessEnv | undefined;
  let failedStarts = 0;
  let hasGivenUp = false;
  /** Raised by whatever makes a delayed restart pointless. */
  let epoch = 0;

  function launch(env: NodeJS.ProcessEnv): void {
    const args = nodeArguments(modulePath);
    const child = spawnProcess({ command: process.execPath, args, env, logPath, ipc: true });
    const worker: Worker = { process: child, startedAtMs: Date.now(), isReady: false };
    running.add(worker);
    current = worker;
    child.onMessage((message) => {
      if (!WorkerMessage.safeParse(message).success) return;
      worker.isReady = true;
      if (worker === current) events.onReady();
    });
    void child.ended.then(() => handleEnd(worker));
  }

  async function handleEnd(worker: Worker): Promise<void> {
    running.delete(worker);
    if (worker !== current || !environment) return;
    current = undefined;
    const hadSettled = worker.isReady && Date.now() - worker.startedAtMs > SETTLED_AFTER_MS;
    failedStarts = hadSettled ? 1 : failedStarts + 1;
    if (failedStarts >= MAX_FAILED_STARTS) return giveUp(worker);
    events.onRestart('The worker has ended; starting it again.');
    const mine = ++epoch;
    await sleep(restartDelayMs(failedStarts));
    if (mine === epoch && environment) launch(environment);
  }

  async function giveUp({ process: child }: Worker): Promise<void> {
    hasGivenUp = true;
    const { exitCode, signal, failure } = await child.ended;
    const how = failure || (signal ? `signal ${signal}` : `exit code ${exitCode ?? 'unknown'}`);
    const log = await readLogEnd(logPath, child.logOffset).catch(() => '');
    events.onProblem(
      `The worker does not stay up: it ended ${MAX_FAILED_STARTS} times in a row, last with ${how}. ` +
        `The end of its log (${logPath}):\n${log}`,
    );
  }

  function retire(worker: Worker): Promise<void> {
    worker.retirement ??= endGracefully(worker.process);
    return worker.retirement;
  }

  function start(wanted: NodeJS.ProcessEnv): void {
    environment = wanted;
    epoch++;
    failedStarts = 0;
    hasGivenUp = false;
    if (current) void retire(current);
    launch(wanted);
  }

  return {
    get pid() {
      return current?.process.pid ?? null;
    },
    get isReady() {
      return current?.isReady ?? false;
    },
    start,
    retry() {
      if (hasGivenUp && environment) start(environment);
    },
    async stop() {
      environment = undefined;
      current = undefined;
      epoch++;
      await Promise.all([...running].map(retire));
    },
  };
}

async function endGracefully(child: SpawnedProcess): Promise<void> {
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.killGroup('SIGKILL'), STOP_GRACE_MS);
  await child.ended;
  clearTimeout(timer);
}
