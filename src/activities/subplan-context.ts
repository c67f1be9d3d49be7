import type { Blueprint } from '../domain/blueprint.ts';
import type { RunSettings } from '../domain/run-settings.ts';
import type { RunState } from '../domain/run-state.ts';
import { buildSubplanContext, type SubplanContext } from '../domain/subplan-context.ts';
import type { Task } from '../domain/task.ts';
import type { Tree } from '../domain/tree.ts';
import type { Deps } from './deps.ts';
import { loadMemory, loadTexts } from './file-task.ts';
import { loadPaper } from './load.ts';
import { localImports } from './parsed-tree.ts';
import { attemptsOn, lastRoundsOf, looksSince } from './past-rounds.ts';
import { paperTokens, CONTEXT_LIMITS } from '../domain/file-context.ts';

/** What the planner may be shown, and the label of its call, unique in the run. */
export interface OpenedContext {
  readonly label: string;
  /** The context after so many shrinks: first the paper goes, then memory halves each time. */
  shrunk(shrinks: number): SubplanContext;
}

/** Each time the planner's window is too small, what memory may take shrinks to this share. */
const SHRINK = 0.5;

/** S_t whole, from the store. */
export async function openSubplanContext(
  deps: Deps,
  {
    state,
    blueprint,
    settings,
    task,
  }: {
    readonly state: RunState;
    readonly blueprint: Blueprint;
    readonly settings: RunSettings;
    readonly task: Task;
  },
): Promise<OpenedContext> {
  const purposes = new Map(blueprint.files.map((file) => [file.path, file.purpose]));
  const paper = await loadPaper(deps, state.paper);
  const parts = {
    ...{ paper, blueprint, state, userRequests: task.userRequests, limits: settings.limits },
    memory: await loadMemory(deps, state, purposes),
    imports: await localImports(deps, state.tree),
    lines: await linesOf(deps, state.tree),
    attempts: await attemptsOn(deps, state),
    lastRounds: await lastRoundsOf(deps, state),
  };
  const looks = await looksSince(deps, state);
  const fits = paperTokens(paper) <= CONTEXT_LIMITS.paperTokens;
  return {
    label: `r${state.round + 1}/plan${looks > 0 ? `/look${looks}` : ''}`,
    shrunk: (shrinks) =>
      buildSubplanContext(parts, {
        isPaperShown: fits && shrinks === 0,
        share: SHRINK ** Math.max(0, shrinks - 1),
      }),
  };
}

async function linesOf(deps: Deps, tree: Tree): Promise<Map<string, number>> {
  const texts = await loadTexts(deps, tree);
  return new Map([...texts].map(([path, text]) => [path, text.trimEnd().split('\n').length]));
}
