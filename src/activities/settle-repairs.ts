import { lostSymbols, type Reliance } from '../diagnostics/lost-symbols.ts';
import type { Blueprint } from '../domain/blueprint.ts';
import { findingId } from '../domain/finding-id.ts';
import { isBlocking, type Problem } from '../domain/finding.ts';
import type { Tree } from '../domain/tree.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';
import { importersOf, parseTree } from './parsed-tree.ts';

/** The tree after a round's repairs were weighed, what is wrong with it, and why each undone repair was undone. */
export interface Settled {
  readonly tree: Tree;
  readonly problems: readonly Problem[];
  readonly undone: Readonly<Record<string, string[]>>;
}

/** A round's tree with what it came from. */
export interface Round {
  readonly before: Tree;
  readonly after: Tree;
  /** Files written in the round, in order. */
  readonly written: readonly string[];
  /** Ids of the blocking findings that were open before. */
  readonly known: ReadonlySet<string>;
  readonly blueprint: Blueprint;
  readonly check: (tree: Tree) => Promise<readonly Problem[]>;
}

/**
 * Undoes each repair that made things worse: it lost a name that others rely on, or it brought blocking findings that
 * its file's old content does not have.
 */
export async function settleRepairs(deps: Deps, round: Round): Promise<Settled> {
  let settled: Settled = {
    tree: round.after,
    problems: await round.check(round.after),
    undone: {},
  };
  for (const path of round.written) {
    const old = round.before[path];
    if (!old) continue;
    const lost = await lostSentences(deps, round, settled.tree, path);
    const fresh = newBlocking(settled.problems, round.known);
    if (lost.length === 0 && fresh.length === 0) continue;
    const tree: Tree = { ...settled.tree, [path]: old };
    const problems = await round.check(tree);
    const reasons =
      lost.length > 0 ? lost : reasonsWithout(fresh, newBlocking(problems, round.known));
    if (reasons.length === 0) continue;
    settled = { tree, problems, undone: { ...settled.undone, [path]: reasons } };
  }
  return settled;
}

function newBlocking(problems: readonly Problem[], known: ReadonlySet<string>): Problem[] {
  return problems.filter((problem) => isBlocking(problem) && !known.has(findingId(problem)));
}

/** What the repair brought, where the old content has fewer findings that are new; else nothing. */
function reasonsWithout(fresh: readonly Problem[], without: readonly Problem[]): string[] {
  if (without.length >= fresh.length) return [];
  const left = new Set(without.map((problem) => findingId(problem)));
  return fresh
    .filter((problem) => !left.has(findingId(problem)))
    .map(({ message }) => `It brought a new fault: ${message}`);
}

async function lostSentences(
  deps: Deps,
  { before, blueprint }: Round,
  tree: Tree,
  path: string,
): Promise<string[]> {
  const [old, now] = await Promise.all([
    parseTree(deps, onlyFile(before, path)),
    parseTree(deps, onlyFile(tree, path)),
  ]);
  const [was, is] = [old.get(path)?.interface, now.get(path)?.interface];
  if (!was || !is) return [];
  return lostSymbols(was, is, await relianceOn(deps, blueprint, tree, path)).map(
    ({ symbol, neededBy }) => `It lost \`${symbol}\`, ${neededBy}.`,
  );
}

function onlyFile(tree: Tree, path: string): Tree {
  const ref = tree[path];
  return ref ? { [path]: ref } : {};
}

async function relianceOn(
  deps: Deps,
  { files, requirements }: Blueprint,
  tree: Tree,
  path: string,
): Promise<Reliance> {
  const file = files.find((each) => each.path === path);
  const importers = await importersOf(deps, tree, path);
  const callers = importers.flatMap((caller) => {
    const ref = tree[caller];
    return ref ? [getText(deps.store, ref).then((text) => ({ path: caller, text }))] : [];
  });
  return {
    signatures: file?.signatures ?? '',
    demands: requirements
      .filter(({ id }) => file?.owns.includes(id))
      .map(({ id, demand, values }) => ({ id, text: [demand, ...values].join('\n') })),
    callers: await Promise.all(callers),
  };
}
