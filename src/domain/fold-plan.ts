import type { Blueprint } from './blueprint.ts';
import { progressOf } from './progress.ts';
import type { Ref } from './ref.ts';
import type { RunState } from './run-state.ts';
import type { Verdict } from './verdict.ts';

/** The round's subplan, the blueprint as it amended it, and the verdicts on its checks. */
export interface Guided {
  readonly subplan: Ref;
  /** The amended blueprint, or null where it is the state's own. */
  readonly amended: Ref | null;
  /** Files that the amendment took out of the plan. */
  readonly retired: readonly string[];
  readonly verdicts: readonly Verdict[];
}

/** The plan of the round in place of the old one: what is retired leaves the tree, what is planned again is no longer retired. */
export function foldPlan(
  state: RunState,
  { subplan, amended, retired, verdicts }: Guided,
  { files }: Blueprint,
): RunState {
  const gone = new Set(retired);
  const isKept = ([path]: readonly [string, unknown]): boolean => !gone.has(path);
  const planned = new Set(files.map(({ path }) => path));
  const progress = Object.entries(state.progress).map(
    ([path, each]) => [path, planned.has(path) ? { ...each, retired: false } : each] as const,
  );
  const left = retired.map(
    (path) => [path, { ...progressOf(state, path), retired: true }] as const,
  );
  return {
    ...state,
    blueprint: amended ?? state.blueprint,
    subplan,
    verdicts: [...verdicts],
    tree: Object.fromEntries(Object.entries(state.tree).filter(isKept)),
    memory: Object.fromEntries(Object.entries(state.memory).filter(isKept)),
    progress: { ...Object.fromEntries(progress), ...Object.fromEntries(left) },
  };
}
