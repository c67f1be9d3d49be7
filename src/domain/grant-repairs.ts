import { openBlocking, progressOf, repairKindsOf } from './progress.ts';
import { withGrant } from './repairs.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/** Whether one more repair of a file could change anything: something blocking is open there, or it was never accepted. */
export function canRetry(state: RunState, path: string): boolean {
  return openBlocking(state, path).length > 0;
}

/**
 * The state in which each of `paths` has one more repair than it had, where something is open there: its next round
 * writes it again, and the run's own bounds on rounds without progress start anew. Pure, and the same for no paths.
 */
export function grantRepairs(state: RunState, paths: readonly string[], limits: Limits): RunState {
  const granted = paths.filter((path) => canRetry(state, path));
  if (granted.length === 0) return state;
  const progress = granted.map((path) => {
    const kinds = repairKindsOf(state, path);
    return [path, withGrant(progressOf(state, path), kinds, limits)] as const;
  });
  return {
    ...state,
    progress: { ...state.progress, ...Object.fromEntries(progress) },
    gate: { ...state.gate, openAtLast: null },
    stalledRounds: 0,
    stop: null,
  };
}
