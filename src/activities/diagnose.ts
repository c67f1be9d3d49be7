import { checkTree } from '../diagnostics/check-tree.ts';
import type { Blueprint } from '../domain/blueprint.ts';
import { findingId } from '../domain/finding-id.ts';
import { isBlocking, type Problem } from '../domain/finding.ts';
import { openBlocking, progressOf } from '../domain/progress.ts';
import type { Ref } from '../domain/ref.ts';
import type { TargetResult } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Tree } from '../domain/tree.ts';
import { putJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import type { Deps } from './deps.ts';
import { DiagnoseInput, StateInput } from './inputs.ts';
import { loadBlueprint, loadState } from './load.ts';
import { lintTree, parseTree } from './parsed-tree.ts';

/** A_diag(G_t): the whole tree with the round's files in it, and which repairs made things worse. */
export function diagnoseRound(deps: Deps) {
  return unpaid(DiagnoseInput, async ({ stateRef, results }) => {
    const state = await loadState(deps, stateRef);
    const blueprint = await loadBlueprint(deps, state.blueprint);
    return { diagnosis: await diagnose(deps, state, blueprint, results) };
  });
}

/** The quality gate's look at the whole repository. Static: nothing runs. */
export function inspectRepository(deps: Deps) {
  return unpaid(StateInput, async ({ stateRef }) => {
    const state = await loadState(deps, stateRef);
    const blueprint = await loadBlueprint(deps, state.blueprint);
    return { diagnosis: await diagnose(deps, state, blueprint, []) };
  });
}

async function diagnose(
  deps: Deps,
  state: RunState,
  blueprint: Blueprint,
  results: readonly TargetResult[],
): Promise<Ref> {
  const written = results.filter((result) => result.kind === 'written');
  const check = (tree: Tree) => checkedTree(deps, tree, state, blueprint);
  const known = new Set(openBlocking(state).map(({ id }) => id));
  let tree: Tree = {
    ...state.tree,
    ...Object.fromEntries(written.map(({ path, file }) => [path, file])),
  };
  let problems = await check(tree);
  const rolledBack: string[] = [];
  for (const { path } of written) {
    const before = state.tree[path];
    if (!before || newBlocking(problems, known) === 0) continue;
    // A repair is kept only if it adds nothing blocking that its file's old content would not have.
    const without: Tree = { ...tree, [path]: before };
    const problemsWithout = await check(without);
    if (newBlocking(problemsWithout, known) >= newBlocking(problems, known)) continue;
    [tree, problems] = [without, problemsWithout];
    rolledBack.push(path);
  }
  const interfaces = await storeInterfaces(
    deps,
    tree,
    written.map(({ path }) => path),
  );
  return putJson(deps.store, { schemaVersion: 1, problems, interfaces, rolledBack });
}

async function checkedTree(
  deps: Deps,
  tree: Tree,
  state: RunState,
  blueprint: Blueprint,
): Promise<Problem[]> {
  // A file that is still to come, or that was refused and is a finding of its own, is nobody else's fault.
  const planned = blueprint.files
    .map(({ path }) => path)
    .filter((path) => !tree[path] && !progressOf(state, path).retired);
  const commands = blueprint.experiments.map(({ id, command }) => ({ experiment: id, command }));
  const lint = await lintTree(deps, tree);
  return checkTree({ files: await parseTree(deps, tree), planned, commands, lint });
}

function newBlocking(problems: readonly Problem[], known: ReadonlySet<string>): number {
  return problems.filter((problem) => isBlocking(problem) && !known.has(findingId(problem))).length;
}

async function storeInterfaces(
  deps: Deps,
  tree: Tree,
  paths: readonly string[],
): Promise<Record<string, Ref>> {
  const parsed = await parseTree(deps, tree);
  const entries = paths.flatMap((path) => {
    const file = parsed.get(path);
    return file ? [{ path, file }] : [];
  });
  const stored = entries.map(async ({ path, file }): Promise<[string, Ref]> => [
    path,
    await putJson(deps.store, file.interface),
  ]);
  return Object.fromEntries(await Promise.all(stored));
}
