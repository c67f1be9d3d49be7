import type { Blueprint } from './blueprint.ts';
import { requirementsInScope } from './blueprint-audit.ts';
import { openBlocking, type FileStatus } from './progress.ts';
import type { RequirementKind } from './requirement.ts';
import type { RunState } from './run-state.ts';

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
 * The requirements in scope whose owners are all unwritten or have something blocking open, heaviest group first. Until
 * they are verified one by one, a requirement counts as met with a sound owner.
 */
export function unmetRequirements(
  blueprint: Pick<Blueprint, 'files' | 'requirements'>,
  state: Pick<RunState, 'findings'>,
  statuses: ReadonlyMap<string, FileStatus>,
): UnmetGroup[] {
  const isSound = (path: string): boolean =>
    statuses.get(path) === 'written' && openBlocking(state, path).length === 0;
  const groups = new Map<string | null, { ids: string[]; weight: number }>();
  for (const { id, kind, scope } of requirementsInScope(blueprint)) {
    const owners = blueprint.files.filter(({ owns }) => owns.includes(id)).map(({ path }) => path);
    if (owners.some(isSound)) continue;
    const path = owners[0] ?? null;
    const group = groups.get(path) ?? { ids: [], weight: 0 };
    group.ids.push(id);
    group.weight += WEIGHTS[kind] * (scope === 'main' ? 2 : 1);
    groups.set(path, group);
  }
  return [...groups]
    .map(([path, group]) => ({ path, ...group }))
    .sort((one, other) => other.weight - one.weight);
}
