import type { Crash, CrashPlan } from '../fakes/crash-points.ts';
import { describeCrashes } from './deepplan-crashes.ts';

/** In about the order in which a run passes them; test/full has more. */
const WORKER_CRASHES: readonly Crash[] = [
  { point: 'journaled', activity: 'planRound', pass: 1 },
  // The turn has completed, and nothing of it is carried out.
  { point: 'store', activity: 'applyTools', pass: 1 },
  { point: 'journaled', activity: 'remember', pass: 1 },
  { point: 'journaled', activity: 'judgeRound', pass: 1 },
  // The first commit has the amended blueprint.
  { point: 'update', activity: 'commitRound', pass: 1 },
  // The second life of the workflow is the repair's.
  { point: 'continued', activity: 'applyTools', pass: 1 },
];
const SERVER_CRASHES: readonly Crash[] = [
  // It is carried out, and has not completed.
  { point: 'stored', activity: 'applyTools', pass: 1 },
  { point: 'reply-received', activity: 'judgeRound', pass: 1 },
  { point: 'continued', activity: 'diagnoseRound', pass: 1 },
];
const PLANS: readonly CrashPlan[] = [
  { run: 'worker-dies', target: 'worker', crashes: [...WORKER_CRASHES] },
  { run: 'server-dies', target: 'server', crashes: [...SERVER_CRASHES] },
];

describe('a crash in deepplan', function () {
  this.timeout(600_000);
  describeCrashes(PLANS, 0);
});
