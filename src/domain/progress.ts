import { isBlocking, type Finding } from './finding.ts';
import { repairKindOf, repairsLeft, type RepairBounds, type RepairKind } from './repairs.ts';
import type { FileProgress, RunState } from './run-state.ts';

/** Where a file stands. `broken` means that its repairs are used up and something blocking is still open. */
export type FileStatus = 'planned' | 'written' | 'broken' | 'retired';

const UNTOUCHED: FileProgress = {
  revision: 0,
  repairs: 0,
  refusals: [],
  lastAttempt: null,
  lastReasons: [],
  retired: false,
};

/** The progress of a planned file, also before anything was tried. */
export function progressOf(state: Pick<RunState, 'progress'>, path: string): FileProgress {
  return state.progress[path] ?? UNTOUCHED;
}

/** The open findings that block `complete`; of one file, when a path is given. */
export function openBlocking(state: Pick<RunState, 'findings'>, path?: string): Finding[] {
  return state.findings.filter(
    (finding) =>
      finding.resolvedInRound === null &&
      isBlocking(finding) &&
      (path === undefined || finding.path === path),
  );
}

/**
 * The open blocking findings that a repair of their file could still close: it has repairs left for what was found out
 * in that way, and it was not written since, so that it is known to hold.
 */
export function openRepairable(
  state: Pick<RunState, 'findings' | 'progress'>,
  bounds: RepairBounds,
  path?: string,
): Finding[] {
  return openBlocking(state, path).filter(
    (finding) =>
      finding.awaits === undefined &&
      repairsLeft(progressOf(state, finding.path), repairKindOf(finding.kind), bounds) > 0,
  );
}

/** Whose repairs one more repair of a file uses up: those of what blocks there, else of all that is open there. */
export function repairKindsOf(state: Pick<RunState, 'findings'>, path: string): RepairKind[] {
  const open = state.findings.filter(
    (finding) => finding.path === path && finding.resolvedInRound === null,
  );
  const blocking = open.filter((finding) => isBlocking(finding) && finding.awaits === undefined);
  const kinds = (blocking.length > 0 ? blocking : open).map(({ kind }) => repairKindOf(kind));
  return kinds.length === 0 ? ['static'] : [...new Set(kinds)];
}

/**
 * A file's status, derived from the tree, its repairs and the open findings. A demand that is not met does not break a
 * file that does all else.
 */
export function statusOf(
  state: Pick<RunState, 'progress' | 'findings' | 'tree'>,
  path: string,
  bounds: RepairBounds,
): FileStatus {
  if (progressOf(state, path).retired) return 'retired';
  const faults = openBlocking(state, path).filter(
    ({ kind, awaits }) => kind !== 'not-met' && awaits === undefined,
  );
  if (faults.length > 0 && openRepairable(state, bounds, path).length === 0) return 'broken';
  return state.tree[path] === undefined ? 'planned' : 'written';
}
