import type { TypeCheck } from '../analyzers/pyright.ts';
import { withoutKnown } from '../diagnostics/type-faults.ts';
import { problemIn, type Problem } from '../domain/finding.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Tree } from '../domain/tree.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

/** Looks at the types of the trees of one round. */
export interface Types {
  /** What they tell beyond what is known already. Where nobody looked, what they told before still stands. */
  readonly check: (tree: Tree, known: readonly Problem[]) => Promise<readonly Problem[]>;
  /** Why nobody looked at one of them, or undefined. */
  readonly unchecked: () => string | undefined;
}

/** The types of the trees that a round leads to from `state`. */
export function typesOf(deps: Pick<Deps, 'pyright' | 'store'>, { findings }: RunState): Types {
  let unchecked: string | undefined;
  const earlier = findings.filter(
    (one) => one.kind === 'type-fault' && one.resolvedInRound === null,
  );
  return {
    unchecked: () => unchecked,
    async check(tree, known) {
      const answer = await checkTypes(deps, tree, known);
      if (answer.kind === 'checked') return withoutKnown(answer.problems, known);
      unchecked = answer.reason;
      return earlier.filter(({ path }) => tree[path] !== undefined).map(problemIn);
    },
  };
}

const UNREADABLE: readonly Problem['kind'][] = ['does-not-parse', 'cut-off', 'empty'];

/** Has the types of a stored tree checked. Of files that cannot be read whole nothing is known, so they are left out. */
async function checkTypes(
  { pyright, store }: Pick<Deps, 'pyright' | 'store'>,
  tree: Tree,
  known: readonly Problem[],
): Promise<TypeCheck> {
  if (pyright === null) return { kind: 'not-run', reason: 'this worker has none' };
  const unreadable = new Set(
    known.filter(({ kind }) => UNREADABLE.includes(kind)).map(({ path }) => path),
  );
  const files = Object.entries(tree).filter(
    ([path]) => path.endsWith('.py') && !unreadable.has(path),
  );
  const texts = await Promise.all(
    files.map(async ([path, ref]): Promise<[string, string]> => [path, await getText(store, ref)]),
  );
  return pyright.check(new Map(texts));
}
