import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { StateInput } from './inputs.ts';
import { loadBlueprint, loadSettings, loadState } from './load.ts';
import { planFast } from './stand.ts';

/** A_sub: the next round's subplan. Fast mode computes it; where the view carries it already this is not called. */
export function planRound(deps: Deps) {
  return unpaid(StateInput, async ({ settings: settingsRef, stateRef }) => {
    const { settings } = await loadSettings(deps, settingsRef);
    const state = await loadState(deps, stateRef);
    return planFast(deps, state, await loadBlueprint(deps, state.blueprint), settings.limits);
  });
}
