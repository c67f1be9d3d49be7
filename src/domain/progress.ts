import { isBlocking, type Finding } from './finding.ts';
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

/** A file's status, derived from the tree, its repairs and the open findings. */
export function statusOf(
  state: Pick<RunState, 'progress' | 'findings' | 'tree'>,
  path: string,
  staticRepairs: number,
): FileStatus {
  const { retired, repairs } = progressOf(state, path);
  if (retired) return 'retired';
  const isWritten = state.tree[path] !== undefined;
  if (repairs >= staticRepairs && openBlocking(state, path).length > 0) return 'broken';
  return isWritten ? 'written' : 'planned';
}
