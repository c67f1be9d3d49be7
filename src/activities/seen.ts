import type { Blueprint } from '../domain/blueprint.ts';
import type { Ref } from '../domain/ref.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Tree } from '../domain/tree.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';
import { treeSeen } from './file-task.ts';
import type { TurnInput } from './inputs.ts';
import { loadBlueprint, loadState } from './load.ts';

/** What an executor with tools sees of the repository while it writes one file. */
export interface Seen {
  readonly path: string;
  readonly state: RunState;
  readonly blueprint: Blueprint;
  /** The tree at the round's start, with the files of the round that the target needs. */
  readonly tree: Tree;
  /** The target's accepted content, or null. */
  readonly before: string | null;
}

/** The place of one turn, as far as it says what is seen. */
export type SeenPlace = Pick<TurnInput, 'path' | 'stateRef' | 'blueprint' | 'needed'>;

export async function loadSeen(deps: Deps, place: SeenPlace): Promise<Seen> {
  const { path } = place;
  const state = await loadState(deps, place.stateRef);
  const blueprint = await loadBlueprint(deps, place.blueprint);
  const tree = treeSeen(state, blueprint, place.needed);
  const current: Ref | undefined = tree[path];
  const before = current ? await getText(deps.store, current) : null;
  return { path, state, blueprint, tree, before };
}
