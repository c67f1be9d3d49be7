import { withPlan } from '../domain/note-run.ts';
import { repairBlueprint } from '../domain/repair-blueprint.ts';
import { putJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { AmendInput } from './inputs.ts';
import { loadBlueprint } from './load.ts';
import { say } from './say.ts';

/** Checks a blueprint that a person edited, like one from a model: what cannot stand is corrected, and said. */
export function amendBlueprint(deps: Deps) {
  return unpaid(AmendInput, async ({ run, incarnation, amendment }) => {
    const { blueprint, corrections } = repairBlueprint(await loadBlueprint(deps, amendment));
    for (const text of corrections) {
      await say(deps, run, { kind: 'notice', round: 0, subject: text, text, ref: null });
    }
    const ref = await putJson(deps.store, blueprint);
    await deps.folders.update(run, (record) =>
      withPlan(record, incarnation, ref, deps.now().toISOString()),
    );
    const text = 'The blueprint was amended by a person.';
    await say(deps, run, { kind: 'blueprint-amended', round: 0, subject: '', text, ref });
    return { blueprint: ref };
  });
}
