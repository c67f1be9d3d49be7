import type { EngineRun } from './ports.ts';

/** What the server says of a step whose worker was lost, or whose time was over: no model has failed. */
const LOST_WORKER = /^activity \w+ timeout$/i;

/** Whether a step is tried again for no fault of a model: its worker was killed. */
export function isLostWorker(failure: string): boolean {
  return LOST_WORKER.test(failure);
}

/**
 * Types of steps that come to nothing: all that are under way of the type are being tried again. Where one of them is
 * in its first attempt, its model may be answering, and none is named.
 */
export function failingSteps(run: EngineRun | undefined): string[] {
  const pending = run?.pending ?? [];
  const isFailing = ({ attempt, lastFailure }: EngineRun['pending'][number]) =>
    attempt > 1 && lastFailure !== '' && !isLostWorker(lastFailure);
  const names = new Set(pending.map(({ name }) => name));
  return [...names].filter((name) => pending.filter((each) => each.name === name).every(isFailing));
}
