import { assignNames } from '../diagnostics/assign-names.ts';
import { ledgerOf } from '../diagnostics/ledger.ts';
import type { Blueprint } from '../domain/blueprint.ts';
import type { Problem } from '../domain/finding.ts';
import { openBlocking, progressOf } from '../domain/progress.ts';
import type { Ref } from '../domain/ref.ts';
import type { TargetResult } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import { plannedTree, type Tree } from '../domain/tree.ts';
import { putJson } from '../store/stored-json.ts';
import { unpaid } from './activity.ts';
import { typesOf } from './check-types.ts';
import type { Deps } from './deps.ts';
import { DiagnoseInput, StateInput } from './inputs.ts';
import { loadBlueprint, loadSettings, loadState } from './load.ts';
import { checkStoredTree, parseTree } from './parsed-tree.ts';
import { say } from './say.ts';
import { settleRepairs } from './settle-repairs.ts';

/** A_diag(G_t): the whole tree with the round's files in it, and which repairs made things worse. */
export function diagnoseRound(deps: Deps) {
  return unpaid(DiagnoseInput, async ({ settings, stateRef, results, run, blueprint: amended }) => {
    const state = await loadState(deps, stateRef);
    const blueprint = await loadBlueprint(deps, amended ?? state.blueprint);
    return { diagnosis: await diagnose(deps, { run, settings, state, blueprint, results }) };
  });
}

/** The quality gate's look at the whole repository. Static: nothing runs. */
export function inspectRepository(deps: Deps) {
  return unpaid(StateInput, async ({ settings, stateRef, run }) => {
    const state = await loadState(deps, stateRef);
    const blueprint = await loadBlueprint(deps, state.blueprint);
    return { diagnosis: await diagnose(deps, { run, settings, state, blueprint, results: [] }) };
  });
}

interface Look {
  readonly run: string;
  readonly settings: Ref;
  readonly state: RunState;
  readonly blueprint: Blueprint;
  readonly results: readonly TargetResult[];
}

async function diagnose(
  deps: Deps,
  { run, settings: settingsRef, state, blueprint, results }: Look,
): Promise<Ref> {
  const { settings } = await loadSettings(deps, settingsRef);
  const types = settings.mode === 'deepplan' ? typesOf(deps, state) : null;
  const written = results.filter((result) => result.kind === 'written');
  const paths = written.map(({ path }) => path);
  const standing = plannedTree(state.tree, blueprint);
  const { tree, problems, undone } = await settleRepairs(deps, {
    before: standing,
    after: {
      ...standing,
      ...Object.fromEntries(written.map(({ path, file }) => [path, file])),
    },
    written: paths,
    known: new Set(openBlocking(state).map(({ id }) => id)),
    blueprint,
    async check(tree) {
      const found = await checkedTree(deps, tree, state, blueprint);
      return types === null ? found : [...found, ...(await types.check(tree, found))];
    },
  });
  const interfaces = await storeInterfaces(deps, tree, paths);
  const rolledBack = Object.keys(undone);
  const reason = types?.unchecked();
  if (reason !== undefined) {
    const text = `Types were not checked: pyright did not run (${reason}).`;
    await say(deps, run, { kind: 'notice', round: 0, subject: 'pyright', text, ref: null });
  }
  const diagnosis = {
    ...{ schemaVersion: 1, problems, interfaces, rolledBack },
    ...(reason !== undefined && { typesUnchecked: reason }),
  };
  // Told only where it is so: most rounds undo nothing.
  return putJson(deps.store, rolledBack.length > 0 ? { ...diagnosis, undone } : diagnosis);
}

/** Everything wrong with a tree, at the files that it is to be repaired in. */
export async function checkedTree(
  deps: Deps,
  tree: Tree,
  state: RunState,
  blueprint: Blueprint,
): Promise<Problem[]> {
  // A file that is still to come, or that was refused and is a finding of its own, is nobody else's fault.
  const planned = blueprint.files
    .map(({ path }) => path)
    .filter((path) => !tree[path] && !progressOf(state, path).retired);
  const plan = { planned, experiments: blueprint.experiments, ledger: ledgerOf(blueprint) };
  return assignNames(await checkStoredTree(deps, tree, plan), blueprint.files);
}

async function storeInterfaces(
  deps: Deps,
  tree: Tree,
  paths: readonly string[],
): Promise<Record<string, Ref>> {
  const written = Object.entries(tree).filter(([path]) => paths.includes(path));
  const parsed = await parseTree(deps, Object.fromEntries(written));
  const stored = [...parsed].map(async ([path, file]): Promise<[string, Ref]> => [
    path,
    await putJson(deps.store, file.interface),
  ]);
  return Object.fromEntries(await Promise.all(stored));
}
