import type { Blueprint } from './blueprint.ts';
import { openBlocking, statusOf, type FileStatus } from './progress.ts';
import type { RoundPlan, View } from './round.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/** Findings that a view names one by one; it counts the rest. */
const NAMED_FINDINGS = 20;

/** The little of S_t that leaves the store. */
export function viewOf(
  state: RunState,
  blueprint: Blueprint,
  limits: Limits,
  next: RoundPlan | null,
): View {
  const open = openBlocking(state);
  return {
    round: state.round,
    commits: state.commits,
    files: countFiles(state, blueprint, limits),
    next,
    openBlocking: open.slice(0, NAMED_FINDINGS).map(({ id, path }) => ({ id, path })),
    openBlockingCount: open.length,
    withoutNotes: Object.entries(state.memory)
      .filter(([, { notes }]) => notes.kind === 'pending')
      .map(([path, { file }]) => ({ path, file })),
    stop: state.stop,
    ...(state.isProofDue && { isProofDue: true }),
  };
}

/** How many files of the blueprint stand where. */
export function countFiles(
  state: RunState,
  { files }: Blueprint,
  limits: Limits,
): Record<FileStatus, number> {
  const planned = new Set(files.map(({ path }) => path));
  const retired = Object.entries(state.progress).filter(
    ([path, each]) => each.retired && !planned.has(path),
  ).length;
  const counts = { planned: 0, written: 0, broken: 0, retired };
  for (const { path } of files) counts[statusOf(state, path, limits)] += 1;
  return counts;
}
