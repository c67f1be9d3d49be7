import { UsageError } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { RunState } from '../domain/run-state.ts';
import { getJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';

/** A state of a run and where it is kept. */
export interface KeptState {
  readonly ref: Ref;
  readonly state: RunState;
}

/** Every committed state of a run, oldest first; empty while it has none. */
export async function statesOf(
  { store }: Pick<RunPorts, 'store'>,
  { head }: Pick<RunRecord, 'head'>,
): Promise<readonly KeptState[]> {
  const states: KeptState[] = [];
  let next = head?.stateRef ?? null;
  while (next) {
    const state = await getJson(store, RunState, next);
    states.push({ ref: next, state });
    next = state.previous;
  }
  return states.reverse();
}

/**
 * The state right after round `round` (0: the blueprint was approved, nothing is written), before the quality gate
 * looked at it. Throws `UsageError` when the run has no such round.
 */
export function stateAfter(
  states: readonly KeptState[],
  round: number,
  { name }: Pick<RunRecord, 'name'>,
): KeptState {
  const found = states.find(({ state }) => state.round === round);
  if (found) return found;
  const newest = states.at(-1)?.state.round;
  throw new UsageError(
    newest === undefined
      ? `The run "${name}" has no committed round yet: \`deeprepro status ${name}\` says how far it is.`
      : `The run "${name}" has no round ${round}: its newest is ${newest}. \`deeprepro rounds ${name}\` lists them.`,
  );
}
