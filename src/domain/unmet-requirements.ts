import type { Blueprint } from './blueprint.ts';
import { requirementsInScope } from './blueprint-audit.ts';
import { ownersOf } from './owners.ts';
import { openBlocking, type FileStatus } from './progress.ts';
import type { RequirementKind } from './requirement.ts';
import type { RunState } from './run-state.ts';
import { standingVerdicts } from './verified.ts';

/** Demands that no sound file meets yet, by the file that owns them. */
export interface UnmetGroup {
  /** The owner, or null where no file has it. */
  readonly path: string | null;
  readonly ids: readonly string[];
  /** Their weights together. */
  readonly weight: number;
}

/** How much the demands of a paper usually count: what is measured and compared, before single formulas. */
const WEIGHTS: Readonly<Record<RequirementKind, number>> = {
  measurement: 4,
  baseline: 4,
  metric: 3,
  setting: 3,
  loss: 2,
  equation: 2,
  architecture: 2,
  dataset: 2,
  'hyper-parameter': 1,
  result: 1,
};

/**
 * The requirements in scope that are not met, heaviest group first: as the verifier found where its verdict stands, at
 * the file that its fix belongs in; else those whose owners are all unwritten or have something blocking open. Until it
 * is verified, a requirement counts as met with a sound owner.
 */
export function unmetRequirements(
  blueprint: Pick<Blueprint, 'files' | 'requirements'>,
  state: Pick<RunState, 'findings' | 'tree' | 'requirementVerdicts'>,
  statuses: ReadonlyMap<string, FileStatus>,
): UnmetGroup[] {
  const standing = standingVerdicts(state);
  // What one demand of a file lacks says nothing of its others.
  const isSound = (path: string): boolean =>
    statuses.get(path) === 'written' &&
    openBlocking(state, path).every(({ kind }) => kind === 'not-met');
  const groups = new Map<string | null, { ids: string[]; weight: number }>();
  for (const { id, kind, scope } of requirementsInScope(blueprint)) {
    const verdict = standing.get(id);
    const owners = ownersOf(id, blueprint);
    if (verdict === undefined ? owners.some(isSound) : verdict.verdict === 'met') continue;
    const path = verdict?.fixIn ?? owners[0] ?? null;
    const group = groups.get(path) ?? { ids: [], weight: 0 };
    group.ids.push(id);
    group.weight += WEIGHTS[kind] * (scope === 'main' ? 2 : 1);
    groups.set(path, group);
  }
  return [...groups]
    .map(([path, group]) => ({ path, ...group }))
    .sort((one, other) => other.weight - one.weight);
}
