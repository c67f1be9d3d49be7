import type { RunRecord } from '../domain/run-record.ts';
import type { ReproduceInput } from '../workflows/messages.ts';

/** What a workflow is started with, all of it from the run's record. */
export function firstInput(record: RunRecord): ReproduceInput {
  const { unit, cap, spent, maybePaid, calls, reused } = record.account;
  return {
    schemaVersion: 1,
    run: record.name,
    incarnation: record.incarnation,
    settings: record.settings,
    controls: record.controls,
    purse: { unit, cap, spent, maybePaid, reserved: 0 },
    from: record.head && goingOn(record.head),
    noteSequence: record.sequence,
    paused: record.paused,
    stopping: false,
    approved: null,
    pendingSettings: null,
    seenUpdates: [],
    calls,
    reused,
    isToldToWait: record.waits.length > 0,
  };
}

/** Whoever resumes a stalled run wants it to go on: the next round is planned anew, with as many rounds to stall again. */
function goingOn(head: NonNullable<RunRecord['head']>): NonNullable<RunRecord['head']> {
  if (head.view.stop !== 'stalled') return head;
  return { ...head, view: { ...head.view, stop: null } };
}
