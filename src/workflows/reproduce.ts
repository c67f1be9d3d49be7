import {
  ActivityFailure,
  ApplicationFailure,
  allHandlersFinished,
  CancellationScope,
  condition,
  continueAsNew,
  isCancellation,
  workflowInfo,
} from '@temporalio/workflow';
import type { StopReason } from '../domain/outcome.ts';
import type { At } from '../domain/round.ts';
import { detailsOf } from './cut.ts';
import { setHandlers } from './handlers.ts';
import { reproducePaper } from './loop.ts';
import type { ReproduceInput, ReproduceResult } from './messages.ts';
import { keepNotes, type NoteKeeper } from './notes.ts';
import { openNotebook, type Notebook } from './notebook.ts';
import { EndRun, openTill, type Till } from './spend.ts';
import { openProxies } from './proxies.ts';
import { openSteps, type OwnSteps } from './steps.ts';
import { waitsOf } from './waits.ts';

/** The durable form of `reproducePaper`: supplies activities, money, steering, and the ways a run can end. */
export async function reproduce(input: ReproduceInput): Promise<ReproduceResult> {
  const notebook = openNotebook(input);
  setHandlers(notebook);
  const notes = keepNotes(notebook);
  const till = openTill(notebook);
  const own: OwnSteps = {
    approveBlueprint: (blueprint) => awaitApproval(notebook, till, blueprint),
    mayGoOn: (at) => mayGoOn(notebook, notes, at),
    writeReport: async (at) => report(notebook, at.view.stop ?? 'stopped'),
  };
  const steps = openSteps(notebook, till, own);
  try {
    const outcome = await reproducePaper(steps, input.from ?? undefined);
    return { outcome };
  } catch (error) {
    const end = endOf(error);
    if (!end) throw error;
    const outcome = await CancellationScope.nonCancellable(() =>
      report(notebook, end.reason, end.failure),
    );
    if (isCancellation(error)) throw error;
    return { outcome };
  } finally {
    await CancellationScope.nonCancellable(() => notes.end());
  }
}

/** How an error ends a run, or undefined for one that is not an end (continue-as-new, a bug). */
function endOf(error: unknown): { reason: StopReason; failure: string } | undefined {
  if (isCancellation(error)) return { reason: 'cancelled', failure: '' };
  if (error instanceof EndRun) return { reason: error.reason, failure: '' };
  if (error instanceof ActivityFailure && error.cause instanceof ApplicationFailure) {
    return { reason: 'failed', failure: error.cause.message };
  }
  return undefined;
}

/** How long a report waits for steps under way. */
const LAST_STEPS_TIMEOUT = '90 seconds';

async function report(
  notebook: Notebook,
  reason: StopReason,
  failure = '',
): Promise<ReproduceResult['outcome']> {
  notebook.phase = 'report';
  notebook.isOver = true;
  // Let what is under way end and be booked; a call that hangs must not hold up a cancel for ever.
  await condition(() => notebook.live.size === 0 && !notebook.isNoting, LAST_STEPS_TIMEOUT);
  const { work } = openProxies(notebook.input.controls.heartbeatMs);
  const { run, incarnation } = notebook.input;
  notebook.noteSequence += 1;
  const outcome = await untilRepaired(notebook, 'write report', async () => {
    const input = {
      schemaVersion: 1 as const,
      run,
      incarnation,
      settings: notebook.settings,
      stateRef: notebook.at?.stateRef ?? null,
      reason,
      failure,
      purse: notebook.purse,
      calls: notebook.calls,
      reused: notebook.reused,
      sequence: notebook.noteSequence,
    };
    return (await work.writeReport.executeWithOptions({ summary: 'write report' }, [input]))
      .outcome;
  });
  notebook.phase = 'ended';
  notebook.outcome = outcome;
  return outcome;
}

/** The last step is behind no till, but a full disk must not end a run here either: it waits for `resume`. */
async function untilRepaired<Result>(
  notebook: Notebook,
  step: string,
  run: () => Promise<Result>,
): Promise<Result> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      const wait = detailsOf(error)?.wait;
      if (!wait) throw error;
      notebook.problems.set(step, { ...wait, step });
      const { attempts } = notebook;
      await condition(() => notebook.attempts > attempts).finally(() =>
        notebook.problems.delete(step),
      );
    }
  }
}

async function awaitApproval(
  notebook: Notebook,
  till: Till,
  blueprint: NonNullable<Notebook['blueprint']>,
) {
  if (!notebook.input.controls.review) return blueprint;
  if (!notebook.approved) {
    notebook.phase = 'approval';
    await condition(() => notebook.approved !== null || notebook.stopping);
    if (!notebook.approved) throw new EndRun('stopped');
    notebook.phase = 'planning';
  }
  const amendment = notebook.approved ?? blueprint;
  if (amendment.sha256 === blueprint.sha256) return blueprint;
  const { work } = openProxies(notebook.input.controls.heartbeatMs);
  const { run, incarnation } = notebook.input;
  const amended = await till.free({ label: 'amend blueprint', calls: 0 }, () =>
    work.amendBlueprint({
      schemaVersion: 1,
      run,
      incarnation,
      settings: notebook.settings,
      blueprint,
      amendment,
    }),
  );
  notebook.blueprint = amended.blueprint;
  return amended.blueprint;
}

/** Between rounds: a person may stop the run, and a long history is left behind. */
async function mayGoOn(notebook: Notebook, notes: NoteKeeper, { view }: At): Promise<boolean> {
  if (notebook.stopping) return false;
  const { controls, from } = notebook.input;
  const rounds = view.round - (from?.view.round ?? 0);
  const isDue = rounds >= (controls.continueEvery ?? Infinity);
  if (!workflowInfo().continueAsNewSuggested && !isDue) return true;
  // Calls under way would be lost with the history, and with them what they cost.
  await condition(() => notebook.live.size === 0 && notes.isUpToDate() && allHandlersFinished());
  // A stop may have come while we waited.
  if (notebook.stopping) return false;
  return continueAsNew<typeof reproduce>(carried(notebook));
}

function carried(notebook: Notebook): ReproduceInput {
  const { input, at, settings, pendingSettings, purse, paused, stopping, approved } = notebook;
  const { seenUpdates, calls, reused, noteSequence } = notebook;
  return {
    ...input,
    controls: { ...input.controls, parallel: notebook.parallel },
    retries: notebook.retries,
    from: at,
    settings,
    pendingSettings,
    purse,
    paused,
    stopping,
    approved,
    seenUpdates,
    calls,
    reused,
    noteSequence,
    isToldToWait: waitsOf(notebook).length > 0,
  };
}
