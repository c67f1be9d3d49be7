import type { FindingKind } from './finding.ts';
import type { FileProgress } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/** How something was found out: by code that reads the repository, or by the verifier. Each has repairs of its own. */
export type RepairKind = 'static' | 'fidelity';

/** Repairs of one file for what only the verifier finds. */
const DEFAULT_FIDELITY_REPAIRS = 3;

/** Bounds on the repairs of one file (DESIGN section 3). */
export type RepairBounds = Pick<Limits, 'staticRepairs' | 'fidelityRepairs'>;

/** Whose repairs a finding uses. */
export function repairKindOf(kind: FindingKind): RepairKind {
  return kind === 'not-met' ? 'fidelity' : 'static';
}

/** How many repairs a file has left for what was found out in one way. */
export function repairsLeft(
  progress: FileProgress,
  kind: RepairKind,
  bounds: RepairBounds,
): number {
  return Math.max(0, mostOf(bounds, kind) - usedOf(progress, kind));
}

/** With one repair more than it has, for each way in which something was found out. */
export function withGrant(
  progress: FileProgress,
  kinds: readonly RepairKind[],
  bounds: RepairBounds,
): FileProgress {
  return kinds.reduce((current, kind) => {
    const used = usedOf(current, kind);
    const left = Math.max(0, Math.min(used, mostOf(bounds, kind)) - 1);
    return { ...current, ...(left === used ? {} : { [FIELDS[kind]]: left }) };
  }, progress);
}

/** With one repair more used up for each way in which something was found out. */
export function withRepair(progress: FileProgress, kinds: readonly RepairKind[]): FileProgress {
  return kinds.reduce(
    (current, kind) => ({ ...current, [FIELDS[kind]]: usedOf(current, kind) + 1 }),
    progress,
  );
}

/** Where a file's progress counts the repairs of each kind. */
const FIELDS = { static: 'repairs', fidelity: 'fidelityRepairs' } as const;

function usedOf(progress: FileProgress, kind: RepairKind): number {
  return progress[FIELDS[kind]] ?? 0;
}

function mostOf(bounds: RepairBounds, kind: RepairKind): number {
  switch (kind) {
    case 'static':
      return bounds.staticRepairs;
    case 'fidelity':
      return bounds.fidelityRepairs ?? DEFAULT_FIDELITY_REPAIRS;
  }
}
