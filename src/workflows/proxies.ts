import { proxyActivities, type ActivityOptions } from '@temporalio/workflow';
import type { Activities } from '../activities/index.ts';

/** A reasoning model may think for many minutes; the stream's own idle limit ends a dead call long before. */
const CALL_TIMEOUT = '30 minutes';
/** Parsing and storing take seconds; this bounds a worker that hangs. */
const WORK_TIMEOUT = '2 minutes';

/** Proxies of the activities, labelled for Temporal's page. Temporal retries without end: nothing here ends a run. */
export function openProxies(heartbeatMs: number) {
  const shared: ActivityOptions = {
    // Explicit, because 1.24 treats an absent option as TRY_CANCEL, which would leave writes running.
    cancellationType: 'WAIT_CANCELLATION_COMPLETED',
    retry: { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '2 minutes' },
    // Of all activities: without it a worker that dies would hold the run up until their whole time is over.
    heartbeatTimeout: heartbeatMs,
  };
  return {
    calls: proxyActivities<Activities>({ ...shared, startToCloseTimeout: CALL_TIMEOUT }),
    work: proxyActivities<Activities>({ ...shared, startToCloseTimeout: WORK_TIMEOUT }),
  };
}
