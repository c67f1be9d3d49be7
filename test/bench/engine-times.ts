import type { WorkflowHandle } from '@temporalio/client';

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Milliseconds for each activity in which nothing of its own work was done. */
export interface EngineTimes {
  /** From scheduled to started: the server's queue and the worker's poll. */
  readonly toStart: readonly number[];
  /** From completed to the end of the workflow task that saw it: what the next activities wait for. */
  readonly toGoOn: readonly number[];
}

/** Reads both off a history. */
export function readEngineTimes({ events }: History): EngineTimes {
  const toStart: number[] = [];
  const toGoOn: number[] = [];
  const scheduledAt = new Map<string, number>();
  let unseen: number[] = [];
  let seen: number[] = [];
  for (const event of events ?? []) {
    const at = toMs(event.eventTime);
    const started = event.activityTaskStartedEventAttributes;
    if (event.activityTaskScheduledEventAttributes) scheduledAt.set(String(event.eventId), at);
    if (started) toStart.push(at - (scheduledAt.get(String(started.scheduledEventId)) ?? at));
    if (event.activityTaskCompletedEventAttributes) unseen.push(at);
    if (event.workflowTaskStartedEventAttributes) [seen, unseen] = [unseen, []];
    if (event.workflowTaskCompletedEventAttributes) {
      toGoOn.push(...seen.map((completedAt) => at - completedAt));
      seen = [];
    }
  }
  return { toStart, toGoOn };
}

type Timestamp = NonNullable<NonNullable<History['events']>[number]['eventTime']>;

/** Seconds are a 64-bit number of the protocol's own. */
function toMs(time: Timestamp | null | undefined): number {
  return Number(String(time?.seconds ?? 0)) * 1_000 + (time?.nanos ?? 0) / 1_000_000;
}
