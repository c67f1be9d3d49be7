import { describeCrashes } from '../e2e/deepplan-crashes.ts';
import type { Crash, CrashPlan } from '../fakes/crash-points.ts';

/** In about the order in which a run passes them. */
const CRASHES: readonly Crash[] = [
  { point: 'before-call', activity: 'planRound', pass: 1 },
  { point: 'reply-received', activity: 'planRound', pass: 1 },
  { point: 'marker-left', activity: 'planRound', pass: 1 },
  { point: 'journaled', activity: 'planRound', pass: 1 },
  { point: 'stored', activity: 'planRound', pass: 2 },
  { point: 'told', activity: 'planRound', pass: 1 },
  { point: 'reply-received', activity: 'takeTurn', pass: 2 },
  { point: 'journaled', activity: 'takeTurn', pass: 2 },
  { point: 'store', activity: 'applyTools', pass: 1 },
  { point: 'stored', activity: 'applyTools', pass: 1 },
  { point: 'before-call', activity: 'remember', pass: 1 },
  { point: 'reply-received', activity: 'remember', pass: 1 },
  { point: 'journaled', activity: 'remember', pass: 1 },
  { point: 'before-call', activity: 'judgeRound', pass: 1 },
  { point: 'reply-received', activity: 'judgeRound', pass: 1 },
  { point: 'journaled', activity: 'judgeRound', pass: 1 },
  { point: 'store', activity: 'diagnoseRound', pass: 1 },
  { point: 'store', activity: 'commitRound', pass: 1 },
  { point: 'update', activity: 'commitRound', pass: 1 },
  { point: 'updated', activity: 'commitRound', pass: 1 },
  { point: 'told-late', activity: 'commitRound', pass: 1 },
  { point: 'continued', activity: 'planRound', pass: 1 },
  { point: 'continued', activity: 'takeTurn', pass: 1 },
  { point: 'continued', activity: 'applyTools', pass: 1 },
  { point: 'continued', activity: 'remember', pass: 1 },
  { point: 'continued', activity: 'diagnoseRound', pass: 1 },
  { point: 'continued', activity: 'commitRound', pass: 1 },
  { point: 'store', activity: 'inspectRepository', pass: 1 },
  { point: 'updated', activity: 'writeReport', pass: 1 },
];
/** While a server is down, nothing new starts: it can die once in each step, and of those side by side in one. */
const SERVER_CRASHES: readonly Crash[] = [
  { point: 'journaled', activity: 'planRound', pass: 1 },
  { point: 'reply-received', activity: 'takeTurn', pass: 2 },
  { point: 'stored', activity: 'applyTools', pass: 1 },
  { point: 'reply-received', activity: 'judgeRound', pass: 1 },
  { point: 'update', activity: 'commitRound', pass: 1 },
  { point: 'continued', activity: 'takeTurn', pass: 1 },
  { point: 'continued', activity: 'applyTools', pass: 1 },
  { point: 'continued', activity: 'diagnoseRound', pass: 1 },
  { point: 'store', activity: 'inspectRepository', pass: 1 },
];
const PLANS: readonly CrashPlan[] = [
  { run: 'worker-dies', target: 'worker', crashes: [...CRASHES] },
  { run: 'server-dies', target: 'server', crashes: [...SERVER_CRASHES] },
];

describe('a crash at any moment in deepplan', function () {
  this.timeout(1_200_000);
  describeCrashes(PLANS, 10);
});
