import { chooseTargets } from '../domain/choose-targets.ts';
import type { Blueprint } from '../domain/blueprint.ts';
import type { Ref } from '../domain/ref.ts';
import type { At, RoundPlan } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Limits, RunSettings } from '../domain/run-settings.ts';
import { isWorthPlanning } from '../domain/target-standing.ts';
import { viewOf } from '../domain/view.ts';
import { putJson } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

/** Stores a state and says where the loop now stands, with the next round's choice where no model is to make it. */
export async function standAt(
  deps: Deps,
  state: RunState,
  blueprint: Blueprint,
  { limits, mode }: Pick<RunSettings, 'limits' | 'mode'>,
): Promise<At> {
  const isAsked = mode === 'deepplan' && isWorthPlanning(state, blueprint, limits);
  const [stateRef, next] = await Promise.all([
    putJson(deps.store, state),
    state.stop || isAsked ? null : planFast(deps, state, blueprint, limits),
  ]);
  return { stateRef, blueprint: state.blueprint, view: viewOf(state, blueprint, limits, next) };
}

/** B_t of fast mode, stored: computed, so that no call is needed to plan a round. */
export async function planFast(
  deps: Deps,
  state: RunState,
  blueprint: Blueprint,
  limits: Limits,
): Promise<RoundPlan> {
  const targets = chooseTargets(state, blueprint, limits);
  const subplan: Ref = await putJson(deps.store, {
    schemaVersion: 1,
    round: state.round + 1,
    targets,
  });
  return { subplan, targets, blueprint: null };
}
