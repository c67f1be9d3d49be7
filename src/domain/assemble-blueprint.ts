import type { CheckedBlueprint, FilesDraft, SetupDraft } from './blueprint-draft.ts';
import { foldRestatements } from './fold-restatements.ts';
import { repairBlueprint } from './repair-blueprint.ts';
import type { Requirement } from './requirement.ts';

/**
 * B₀ from the two halves of a draft and the requirements, repaired as `repairBlueprint` says.
 * Throws `NoBlueprint` when no usable file is planned.
 */
export function assembleBlueprint(
  { plan, experiments, files, configuration: missed }: FilesDraft,
  { configuration, methodCards, environment, same }: SetupDraft,
  requirements: readonly Requirement[],
): CheckedBlueprint {
  const known = new Set(configuration.map(({ key }) => key));
  return repairBlueprint({
    schemaVersion: 1,
    ...plan,
    files: [...files],
    experiments: [...experiments],
    requirements: foldRestatements(requirements, same),
    configuration: [...configuration, ...missed.filter(({ key }) => !known.has(key))],
    methodCards: [...methodCards],
    environment,
  });
}
