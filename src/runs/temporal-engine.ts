import {
  isGrpcServiceError,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import { UsageError } from '../domain/errors.ts';
import * as messages from '../workflows/messages.ts';
import type { Engine, EngineRun, PendingActivity, Place } from './ports.ts';

/** Longer than a worker that was just killed takes to be replaced; a server that is up answers in milliseconds. */
const REQUEST_TIMEOUT_MS = 15_000;

/** What differs between a local and a remote engine. */
export interface EngineConnection {
  readonly place: Place;
  readonly uiAddress: string | null;
  keep(): Promise<void>;
  isLost(): boolean;
}

/** The engine over Temporal's own client. */
export function createTemporalEngine(client: Client, connection: EngineConnection): Engine {
  const { place, uiAddress } = connection;

  /** A request that is cut when its time is over: nothing of it is left behind. */
  async function ask<Result>(
    run: string,
    request: (handle: WorkflowHandle) => Promise<Result>,
    timeoutMs = REQUEST_TIMEOUT_MS,
  ): Promise<Result> {
    const handle = client.workflow.getHandle(messages.workflowIdOf(run));
    try {
      return await client.withDeadline(Date.now() + timeoutMs, () => request(handle));
    } catch (error) {
      throw explain(run, place, error);
    }
  }

  return {
    place,
    uiAddress,
    get isLost() {
      return connection.isLost();
    },
    keep: () => connection.keep(),
    async start(input) {
      try {
        await client.withDeadline(Date.now() + REQUEST_TIMEOUT_MS, () =>
          client.workflow.start(messages.WORKFLOW_TYPE, {
            workflowId: messages.workflowIdOf(input.run),
            taskQueue: place.taskQueue,
            args: [input],
            workflowIdReusePolicy: 'ALLOW_DUPLICATE',
            workflowIdConflictPolicy: 'FAIL',
          }),
        );
        return true;
      } catch (error) {
        if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
        throw explain(input.run, place, error);
      }
    },
    async describe(run, timeoutMs) {
      try {
        return await ask(run, async (handle) => runOf(await handle.describe()), timeoutMs);
      } catch (error) {
        if (error instanceof Error && error.cause instanceof WorkflowNotFoundError)
          return undefined;
        throw error;
      }
    },
    status: (run, timeoutMs) => ask(run, (handle) => handle.query(messages.statusQuery), timeoutMs),
    pause: (run) => ask(run, (handle) => handle.signal(messages.pauseSignal)),
    resume: (run, options) => ask(run, (handle) => handle.signal(messages.resumeSignal, options)),
    stop: (run) => ask(run, (handle) => handle.signal(messages.stopSignal)),
    cancel: (run) =>
      ask(run, async (handle) => {
        await handle.cancel();
      }),
    approveBlueprint: (run, approval) =>
      ask(run, (handle) =>
        handle.executeUpdate(messages.approveBlueprintUpdate, {
          updateId: approval.id,
          args: [approval],
        }),
      ),
    setBudget: (run, update) =>
      ask(run, async (handle) => {
        await handle.executeUpdate(messages.setBudgetUpdate, {
          updateId: update.id,
          args: [update],
        });
      }),
    setParallel: (run, update) =>
      ask(run, async (handle) => {
        await handle.executeUpdate(messages.setParallelUpdate, {
          updateId: update.id,
          args: [update],
        });
      }),
    retryFile: (run, retry) =>
      ask(run, async (handle) => {
        await handle.executeUpdate(messages.retryFileUpdate, {
          updateId: retry.id,
          args: [retry],
        });
      }),
    setModel: (run, update) =>
      ask(run, (handle) =>
        handle.executeUpdate(messages.setModelUpdate, { updateId: update.id, args: [update] }),
      ),
  };
}

type Description = Awaited<ReturnType<WorkflowHandle['describe']>>;

function runOf({ status, raw }: Description): EngineRun {
  return {
    status: status.name,
    isRunning: status.name === 'RUNNING',
    pending: (raw.pendingActivities ?? []).map(
      ({ activityType, attempt, lastFailure }): PendingActivity => ({
        name: activityType?.name ?? 'a step',
        attempt: attempt ?? 1,
        lastFailure: lastFailure?.message ?? '',
      }),
    ),
  };
}

/** Temporal's errors in sentences; the original stays as the cause. */
function explain(run: string, place: Place, error: unknown): unknown {
  const cause = { cause: error };
  if (error instanceof WorkflowUpdateFailedError)
    return new UsageError(error.cause?.message ?? error.message, cause);
  if (error instanceof WorkflowNotFoundError)
    return new UsageError(
      `The run "${run}" is not under way: \`deeprepro resume ${run}\` goes on with it.`,
      cause,
    );
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isDeadline(error))
    return new UsageError(
      `No worker answers for "${run}" on task queue "${place.taskQueue}" of ${place.address}: start one with \`deeprepro up\` or \`deeprepro worker\`, then try again; nothing was changed for certain.`,
      cause,
    );
  if (isGrpcServiceError(error))
    return new UsageError(
      `The Temporal server at ${place.address} (namespace "${place.namespace}") does not answer: ${error.details}. Check that it runs, then try again; the run's work is kept.`,
      cause,
    );
  return error;
}

/** Of gRPC's status codes. */
const DEADLINE_EXCEEDED = 4;

function isDeadline(error: unknown): boolean {
  const inner = error instanceof Error && isGrpcServiceError(error.cause) ? error.cause : error;
  return isGrpcServiceError(inner) && inner.code.valueOf() === DEADLINE_EXCEEDED;
}
