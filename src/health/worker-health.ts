import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NeedsPerson } from '../domain/errors.ts';
import { diskProblem, requireFreeSpace } from '../store/disk-problem.ts';

/** What a worker tells about itself, in Temporal's words. */
export interface WorkerState {
  /** `RUNNING` until it is told to stop; then it lets activities under way finish. */
  readonly runState: string;
  readonly workflowPollerState: string;
  readonly activityPollerState: string;
  readonly numInFlightActivities: number;
}

/** Whether a worker can do its work now; `reasons` are sentences, none when it can. */
export interface Health {
  readonly isHealthy: boolean;
  readonly reasons: readonly string[];
  readonly activities: number;
}

/** What the health of a worker is read from. */
export interface HealthSources {
  state(): WorkerState;
  /** Resolves when the Temporal server answers. */
  ping(): Promise<void>;
  /** The server's address, for messages. */
  readonly temporalAddress: string;
  /** The data folder. */
  readonly home: string;
}

const PROBE_TIMEOUT_MS = 2_000;

/** Looks whether a worker polls, its server answers and its data folder can be written; never rejects. */
export async function checkWorker(sources: HealthSources): Promise<Health> {
  const state = sources.state();
  const found = await Promise.all([serverProblem(sources), folderProblem(sources.home)]);
  const reasons = [pollingProblem(state), ...found].filter((reason) => reason !== undefined);
  return { isHealthy: reasons.length === 0, reasons, activities: state.numInFlightActivities };
}

function pollingProblem(state: WorkerState): string | undefined {
  const { runState, workflowPollerState, activityPollerState, numInFlightActivities } = state;
  if (runState === 'FAILED' || runState === 'STOPPED') return 'The worker has ended.';
  if (runState === 'INITIALIZED') return 'The worker has not started yet.';
  if (runState !== 'RUNNING')
    return `The worker drains: it takes no new work and lets ${numInFlightActivities} activities finish.`;
  if (workflowPollerState === 'POLLING' && activityPollerState === 'POLLING') return undefined;
  return `The worker does not poll (workflows: ${workflowPollerState}, activities: ${activityPollerState}).`;
}

async function serverProblem(sources: HealthSources): Promise<string | undefined> {
  try {
    await withinTime(sources.ping());
    return undefined;
  } catch (error) {
    return `The Temporal server at ${sources.temporalAddress} does not answer: ${messageOf(error)}`;
  }
}

async function folderProblem(home: string): Promise<string | undefined> {
  try {
    await withinTime(tryFolder(home));
    return undefined;
  } catch (error) {
    const problem = diskProblem(error, home);
    if (problem instanceof NeedsPerson) return `${problem.message} ${problem.remedy}`;
    return `The data folder ${home} cannot be written: ${messageOf(problem)}`;
  }
}

async function tryFolder(home: string): Promise<void> {
  // A name that no reader takes for one of its own.
  const path = join(home, `.health-${process.pid}`);
  await requireFreeSpace(home);
  await writeFile(path, 'ok');
  await rm(path, { force: true });
}

/** Both answer in milliseconds; a server that is gone, or a folder on a network, may not answer at all. */
async function withinTime(probe: Promise<void>): Promise<void> {
  const controller = new AbortController();
  const late = sleep(PROBE_TIMEOUT_MS, 'late', { signal: controller.signal });
  try {
    if ((await Promise.race([probe, late])) === 'late')
      throw new Error(`no answer in ${PROBE_TIMEOUT_MS / 1000} s`);
  } finally {
    controller.abort();
    await late.catch(() => undefined);
    // It may still fail when nobody waits for it any more.
    probe.catch(() => undefined);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
