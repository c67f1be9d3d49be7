import { begin as beginState } from '../domain/advance.ts';
import { withHead } from '../domain/note-run.ts';
import { accountOf } from './account.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { BeginInput } from './inputs.ts';
import { loadBlueprint, loadSettings } from './load.ts';
import { standAt } from './stand.ts';

/** S₀ from the approved blueprint: nothing written, everything planned. */
export function begin(deps: Deps) {
  return unpaid(BeginInput, async (input) => {
    const { run, incarnation, settings: settingsRef, paper, blueprint: blueprintRef } = input;
    const { settings } = await loadSettings(deps, settingsRef);
    const blueprint = await loadBlueprint(deps, blueprintRef);
    const state = beginState({ settings: settingsRef, paper, blueprint: blueprintRef });
    const at = await standAt(deps, state, blueprint, settings);
    await deps.folders.update(run, (record) =>
      withHead(record, incarnation, at, accountOf(input), deps.now().toISOString()),
    );
    return at;
  });
}
