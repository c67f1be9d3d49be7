import { patched, setHandler } from '@temporalio/workflow';
import * as messages from './messages.ts';
import type { Notebook } from './notebook.ts';
import { applyPendingSettings } from './settings.ts';
import { waitsOf } from './waits.ts';

/** Update ids remembered across continue-as-new; more than any person sends while one is in flight. */
const REMEMBERED_UPDATES = 100;

/** Query, signals and updates. All are synchronous: they write in the notebook and leave the work to the loop. */
export function setHandlers(notebook: Notebook): void {
  setHandler(messages.statusQuery, () => statusOf(notebook));
  setHandler(messages.pauseSignal, () => void (notebook.paused = true));
  setHandler(messages.stopSignal, () => {
    notebook.stopping = true;
    // The round can only end when its steps may start.
    notebook.paused = false;
    // Before there is a plan no round will end: nothing but the calls' replies is kept, and those are in the journal.
    if (notebook.phase !== 'planning' || !patched(STOP_DROPS_PLAN)) return;
    notebook.isPlanDropped = true;
    for (const { cut } of notebook.underWay.values()) cut();
  });
  setHandler(messages.resumeSignal, ({ liftPause }) => {
    if (liftPause) notebook.paused = false;
    notebook.attempts += 1;
  });
  setHandler(messages.approveBlueprintUpdate, (approval) => approve(notebook, approval), {
    validator: (approval: messages.Approval) => validateApproval(notebook, approval),
  });
  setHandler(messages.setBudgetUpdate, ({ id, cap }) => {
    if (isFirst(notebook, id)) notebook.purse = { ...notebook.purse, cap };
    return notebook.purse.cap;
  });
  setHandler(messages.setParallelUpdate, ({ id, parallel }) => {
    if (isFirst(notebook, id)) notebook.parallel = parallel;
    return notebook.parallel;
  });
  setHandler(
    messages.retryFileUpdate,
    (retry) => {
      if (isFirst(notebook, retry.id)) notebook.retries = [...notebook.retries, retry];
      return 'at the next commit';
    },
    { validator: ({ path }: messages.FileRetry) => validateRetry(notebook, path) },
  );
  setHandler(messages.setModelUpdate, (update) =>
    isFirst(notebook, update.id) ? setModel(notebook, update) : 'seen before',
  );
}

/** In histories of earlier versions a stop while planning waited for the first round. */
const STOP_DROPS_PLAN = 'stop-drops-an-unfinished-plan';
/** In histories of earlier versions settings changed while planning waited for the first round's commit. */
const BETWEEN_STEPS = 'settings-change-between-steps-of-planning';

/** Replies under older settings stay: a step that is started again finds them, so that no answered call is asked anew. */
function setModel(notebook: Notebook, { settings, failing = [] }: messages.ModelUpdate): string {
  notebook.pendingSettings = settings;
  const hopeless = [...notebook.underWay.values()].filter(({ verb }) => failing.includes(verb));
  const isWaiting = [...notebook.problems.values()].some(({ kind }) => kind !== 'disk');
  const isAtOnce = isWaiting || hopeless.length > 0;
  const isRound = notebook.phase === 'rounds';
  if (!isAtOnce && (isRound || !patched(BETWEEN_STEPS))) return 'at the next commit';
  applyPendingSettings(notebook);
  // A step keeps the settings that it was started with, however often it is tried.
  for (const { cut } of hopeless) cut();
  return isAtOnce ? 'now' : 'from the next step on';
}

export function statusOf(notebook: Notebook): messages.RunStatus {
  const { phase, at, blueprint, purse, calls, reused, paused, stopping, live, outcome } = notebook;
  return {
    schemaVersion: 1,
    phase,
    view: at?.view ?? null,
    stateRef: at?.stateRef ?? null,
    blueprint,
    purse,
    calls,
    reused,
    paused,
    stopping,
    waits: waitsOf(notebook),
    live: [...live],
    outcome,
    newestSettings: notebook.pendingSettings ?? notebook.settings,
  };
}

function approve(notebook: Notebook, { id, amendment }: messages.Approval): string {
  if (isFirst(notebook, id)) notebook.approved = amendment ?? notebook.blueprint;
  return amendment ? 'amended' : 'approved';
}

function validateApproval(notebook: Notebook, { id, expected }: messages.Approval): void {
  if (notebook.seenUpdates.includes(id)) return;
  if (notebook.phase !== 'approval' || notebook.blueprint === null) {
    throw new Error(`No blueprint waits for approval: the run is in phase "${notebook.phase}".`);
  }
  if (notebook.blueprint.sha256 !== expected) {
    throw new Error(
      `The blueprint that waits is ${notebook.blueprint.sha256.slice(0, 12)}, not ${expected.slice(0, 12)}: read it again with \`deeprepro status ${notebook.input.run} --blueprint\`.`,
    );
  }
}

function validateRetry({ phase }: Notebook, path: string): void {
  if (phase === 'rounds') return;
  throw new Error(
    phase === 'report' || phase === 'ended'
      ? `The run is writing its report: retry ${path} in a moment, once it has ended.`
      : `${path} has not been written yet: the run is still planning.`,
  );
}

function isFirst(notebook: Notebook, id: string): boolean {
  if (notebook.seenUpdates.includes(id)) return false;
  notebook.seenUpdates = [...notebook.seenUpdates, id].slice(-REMEMBERED_UPDATES);
  return true;
}
