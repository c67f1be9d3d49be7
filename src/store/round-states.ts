import { begin } from '../domain/advance.ts';
import type { Ref } from '../domain/ref.ts';
import { RunState } from '../domain/run-state.ts';
import { keptJson } from './kept-reader.ts';
import type { Store } from './store.ts';

/** S_t as it was when round t was committed. */
export interface RoundState {
  readonly stateRef: Ref;
  readonly state: RunState;
}

const readState = keptJson(RunState);

/** A state by its reference, with it. */
export async function readStateAt(store: Store, stateRef: Ref): Promise<RoundState> {
  return { stateRef, state: await readState(store, stateRef) };
}

/**
 * The states right after each round, oldest first, up to `head`. Inspections and late notes belong to the round before
 * them and are passed over. With `after`, only those later than that state; all of them where it is not on the way.
 */
export async function readRoundStates(
  store: Store,
  head: Ref,
  after?: string,
): Promise<{ readonly before: RunState; readonly rounds: readonly RoundState[] }> {
  const rounds: RoundState[] = [];
  let current = await readStateAt(store, head);
  for (;;) {
    const { state } = current;
    if (current.stateRef.sha256 === after) break;
    const previous = state.previous && (await readStateAt(store, state.previous));
    if (state.round > (previous?.state.round ?? 0)) rounds.push(current);
    if (!previous) return { before: beginningOf(state), rounds: rounds.reverse() };
    current = previous;
  }
  return { before: current.state, rounds: rounds.reverse() };
}

/** The state after round `round`, or undefined where the run has not come so far. Round 0 is the empty beginning. */
export async function readRound(
  store: Store,
  head: Ref,
  round: number,
): Promise<RoundState | undefined> {
  const { before, rounds } = await readRoundStates(store, head);
  if (round === 0)
    return { stateRef: rounds[0]?.state.previous ?? head, state: beginningOf(before) };
  return rounds.find(({ state }) => state.round === round);
}

function beginningOf({ settings, paper, blueprint }: RunState): RunState {
  return begin({ settings, paper, blueprint });
}
