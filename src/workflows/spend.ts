import { condition, isCancellation, patched } from '@temporalio/workflow';
import { canReserve, reserve, settle, type Settlement } from '../domain/budget.ts';
import { Cut, cuttable, detailsOf } from './cut.ts';
import type { Notebook } from './notebook.ts';
import { applyPendingSettings } from './settings.ts';

/** One step as the run's control sees it. */
export interface Step {
  /** Unique in the run; shown to people. */
  readonly label: string;
  /** Model calls it may have under way at once; 0 for a step that costs nothing. */
  readonly calls: number;
  /** The type of its activity, where that can be cut and started again: of paid steps. */
  readonly verb?: string;
  /** Yields its place to every other paid step that waits for one. */
  readonly yields?: boolean;
}

/** Thrown through the loop where a step would wait but the run was told to end instead: by a person, or at its cap. */
export class EndRun extends Error {
  override readonly name = 'EndRun';
  readonly reason: 'out-of-budget' | 'stopped';
  constructor(reason: 'out-of-budget' | 'stopped') {
    super(`The run ends: ${reason}.`);
    this.reason = reason;
  }
}

/** The one wrapper around all activities: paused? a place free? affordable? Then it books what was spent. */
export interface Till {
  free<Result>(step: Step, run: () => Promise<Result>): Promise<Result>;
  paid<Result extends { readonly settlement: Settlement }>(
    step: Step,
    run: (allowance: number) => Promise<Result>,
  ): Promise<Result>;
}

/** How often an endpoint that cannot be reached is tried again while the run waits for it. */
const NETWORK_LOOK = '5 minutes';

/** In histories of earlier versions a call waited for a person though other settings were there already. */
const TAKES_PENDING = 'waits-take-pending-settings';

const NOTHING: Settlement = { spent: 0, maybePaid: 0, calls: 0, reused: 0 };

export function openTill(notebook: Notebook): Till {
  const { booked } = notebook;
  const { controls } = notebook.input;
  /** What a step needs at least, learned from its own refusal. */
  const needs = new Map<string, number>();
  let callsUnderWay = 0;
  let waitingToCall = 0;

  return {
    free: (step, run) => attempt(step, () => withPlace(step, 0, run)),
    paid: (step, run) => attempt(step, () => withAllowance(step, run)),
  };

  /** Tries until it succeeds; in between waits for whatever a person must repair. */
  async function attempt<Result>(step: Step, run: () => Promise<Result>): Promise<Result> {
    for (;;) {
      try {
        return await run();
      } catch (error) {
        await recover(step, error);
      }
    }
  }

  async function withAllowance<Result extends { readonly settlement: Settlement }>(
    step: Step,
    run: (allowance: number) => Promise<Result>,
  ): Promise<Result> {
    const spentBefore = costOf(booked.get(step.label) ?? NOTHING);
    return withPlace(step, step.calls, async () => {
      const allowance = allowanceFor(step);
      const reserved = Math.max(0, allowance - spentBefore);
      notebook.purse = reserve(notebook.purse, reserved);
      try {
        const result = await cuttable(notebook, step, () => run(allowance));
        book(step, reserved, result.settlement);
        return result;
      } catch (error) {
        book(step, reserved, detailsOf(error)?.settlement ?? booked.get(step.label) ?? NOTHING);
        throw error;
      }
    });
  }

  async function withPlace<Result>(
    step: Step,
    calls: number,
    run: () => Promise<Result>,
  ): Promise<Result> {
    const width = Math.min(calls, notebook.parallel);
    const isCounted = width > 0 && !step.yields;
    if (isCounted) waitingToCall += 1;
    try {
      // Checked again after each wake-up: another step may have been quicker.
      while (!mayStart(step, width)) {
        await condition(() => mayStart(step, width) || whyEnd(step) !== undefined);
        const reason = whyEnd(step);
        if (reason) throw new EndRun(reason);
      }
    } finally {
      if (isCounted) waitingToCall -= 1;
      notebook.unaffordable.delete(step.label);
    }
    callsUnderWay += width;
    notebook.live.add(step.label);
    try {
      return await run();
    } finally {
      callsUnderWay -= width;
      notebook.live.delete(step.label);
    }
  }

  function mayStart(step: Step, width: number): boolean {
    if (notebook.paused || notebook.isOver) return false;
    if (width === 0) return true;
    if (notebook.isPlanDropped) return false;
    if (callsUnderWay + width > notebook.parallel) return false;
    if (step.yields && waitingToCall > 0) return false;
    return isAffordable(step);
  }

  function isAffordable(step: Step): boolean {
    const { purse } = notebook;
    const needed = Math.max(0, allowanceFor(step) - costOf(booked.get(step.label) ?? NOTHING));
    const isEnough = canReserve(purse, needed);
    if (isEnough) notebook.unaffordable.delete(step.label);
    else notebook.unaffordable.set(step.label, needed);
    return isEnough;
  }

  /** What the step asks for; a guess, cut to what is left, until the step itself has said what it needs. */
  function allowanceFor(step: Step): number {
    const known = needs.get(step.label);
    if (known !== undefined) return known;
    const guess = controls.callAllowance * step.calls;
    const { cap, spent, reserved } = notebook.purse;
    if (cap === null || reserved > 0) return guess;
    return Math.min(guess, Math.max(0, cap - spent));
  }

  /** Others' reservations may still leave enough, so that the end of the money is known only without them. */
  function whyEnd({ label, calls }: Step): EndRun['reason'] | undefined {
    if (calls > 0 && notebook.isPlanDropped) return 'stopped';
    if (notebook.purse.reserved > 0 || !notebook.unaffordable.has(label)) return undefined;
    if (notebook.stopping) return 'stopped';
    return controls.onBudget === 'stop' ? 'out-of-budget' : undefined;
  }

  function book(step: Step, reserved: number, settlement: Settlement): void {
    const before = booked.get(step.label) ?? NOTHING;
    booked.set(step.label, settlement);
    notebook.purse = settle(notebook.purse, reserved, {
      spent: settlement.spent - before.spent,
      maybePaid: settlement.maybePaid - before.maybePaid,
    });
    notebook.calls += settlement.calls - before.calls;
    notebook.reused += settlement.reused - before.reused;
  }

  /** Whether a person has named other settings since the step was started. */
  function isOutdated({ label }: Step): boolean {
    const asked = notebook.askedUnder.get(label)?.at(-1);
    const newest = notebook.pendingSettings ?? notebook.settings;
    return asked !== undefined && asked.sha256 !== newest.sha256;
  }

  async function recover(step: Step, error: unknown): Promise<void> {
    // Tried again under the newest settings, unless the run was stopped.
    if (error instanceof Cut) return;
    if (isCancellation(error)) throw error;
    const details = detailsOf(error);
    if (details?.needed !== undefined) {
      needs.set(step.label, details.needed);
    } else if (details?.wait) {
      // A person has named another model while this call was still being tried: no commit comes before it is answered.
      if (details.wait.kind !== 'disk' && isOutdated(step) && patched(TAKES_PENDING)) {
        applyPendingSettings(notebook);
        return;
      }
      notebook.problems.set(step.label, { ...details.wait, step: step.label });
      const { attempts } = notebook;
      try {
        const isLifted = () => notebook.attempts > attempts || notebook.stopping;
        // A network comes back without anybody's doing; all else waits for a person alone.
        if (details.wait.kind === 'network') await condition(isLifted, NETWORK_LOOK);
        else await condition(isLifted);
      } finally {
        notebook.problems.delete(step.label);
      }
      if (notebook.stopping) throw new EndRun('stopped');
    } else {
      throw error;
    }
  }
}

function costOf({ spent, maybePaid }: Settlement): number {
  return spent + maybePaid;
}
