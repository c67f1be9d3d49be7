import type { CheckedBlueprint, FilesDraft, SetupDraft } from './blueprint-draft.ts';
import { repairBlueprint } from './repair-blueprint.ts';
import type { Requirement } from './requirement.ts';

/**
 * B₀ from the two halves of a draft and the requirements, repaired as `repairBlueprint` says.
 * Throws `NoBlueprint` when no usable file is planned.
 */
export function assembleBlueprint(
  { plan, experiments, files }: FilesDraft,
  { configuration, methodCards, environment }: SetupDraft,
  requirements: readonly Requirement[],
): CheckedBlueprint {
  return repairBlueprint({
    schemaVersion: 1,
    ...plan,
    files: [...files],
    experiments: [...experiments],
    requirements: [...requirements],
    configuration: [...configuration],
    methodCards: [...methodCards],
    environment,
  });
}
