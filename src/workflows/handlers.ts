import { setHandler } from '@temporalio/workflow';
import * as messages from './messages.ts';
import type { Notebook } from './notebook.ts';
import { applyPendingSettings } from './steps.ts';
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
  setHandler(messages.setModelUpdate, ({ id, settings }) => {
    if (!isFirst(notebook, id)) return 'seen before';
    notebook.pendingSettings = settings;
    // A call that waits on its model has not been answered, so that no key of an answered call changes.
    if (![...notebook.problems.values()].some(({ kind }) => kind !== 'disk'))
      return 'at the next commit';
    applyPendingSettings(notebook);
    return 'now';
  });
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
