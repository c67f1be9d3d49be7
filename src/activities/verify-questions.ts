import type { Blueprint, ConfigurationValue } from '../domain/blueprint.ts';
import { requirementsInScope } from '../domain/blueprint-audit.ts';
import {
  entriesOf,
  filesAround,
  isReachable,
  judgedFiles,
  type JudgedTree,
} from '../domain/judged-files.ts';
import { ownersOf } from '../domain/owners.ts';
import type { Requirement } from '../domain/requirement.ts';
import type { RoundCheck } from '../domain/round-checks.ts';
import type { RunState } from '../domain/run-state.ts';
import type { Tree } from '../domain/tree.ts';
import { standingVerdicts } from '../domain/verified.ts';
import type { Question } from '../domain/verify-batches.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';
import { localImports, parseTree } from './parsed-tree.ts';

/** A demand or a check, with the files that decide it. */
export type VerifyQuestion = Question &
  (
    | {
        readonly kind: 'requirement';
        readonly requirement: Requirement;
        readonly owner: string | null;
        readonly deviations: readonly ConfigurationValue[];
        /** Why it was left open when it was first asked; empty before. */
        readonly earlier: string;
      }
    | { readonly kind: 'check'; readonly check: RoundCheck; readonly number: number }
  );

/** A tree with all that says which files decide what. */
export interface Repository extends JudgedTree {
  readonly tree: Tree;
}

/** Reads a tree: its texts, what imports what, and what can be started. */
export async function readRepository(
  deps: Deps,
  tree: Tree,
  blueprint: Blueprint,
): Promise<Repository> {
  const texts = Object.entries(tree).map(async ([path, ref]): Promise<[string, string]> => [
    path,
    await getText(deps.store, ref),
  ]);
  const parsed = await parseTree(deps, tree);
  const starts = new Set([...parsed.values()].flatMap((file) => (file.isScript ? file.path : [])));
  const planned = blueprint.files.map(({ path }) => path).filter((path) => tree[path]);
  return {
    tree,
    texts: new Map(await Promise.all(texts)),
    imports: await localImports(deps, tree),
    entries: entriesOf(planned, blueprint, starts),
  };
}

/** What is asked in one verification. `unasked` are ids that it is about, and for which nothing is there to be read. */
export interface Questions {
  readonly asked: readonly VerifyQuestion[];
  readonly unasked: readonly string[];
}

/**
 * The demands that no standing verdict decides: at the gate all in scope; after a round those that a file written in it
 * helps to decide, once a command can reach them.
 */
export function questionsOf(
  repository: Repository,
  state: Pick<RunState, 'requirementVerdicts'>,
  blueprint: Blueprint,
  {
    checks,
    touched,
  }: { readonly checks: readonly RoundCheck[]; readonly touched: readonly string[] | null },
): Questions {
  const { tree } = repository;
  const standing = standingVerdicts({ ...state, tree });
  const open = requirementsInScope(blueprint)
    .filter(({ id }) => !standing.has(id))
    .map((requirement) => ({
      requirement,
      files: judgedFiles(requirement, blueprint, repository),
    }));
  const due = open.filter(
    ({ requirement: { id }, files }) =>
      touched === null ||
      (files.some((path) => touched.includes(path)) && isReachable(id, blueprint, repository)),
  );
  const asked = due
    .filter(({ files }) => files.length > 0)
    .map(({ requirement, files }): VerifyQuestion => ({
      kind: 'requirement',
      key: requirement.id,
      files,
      requirement,
      earlier: '',
      owner: ownersOf(requirement.id, blueprint)[0] ?? null,
      deviations: blueprint.configuration.filter(
        ({ deviates, requirements }) => deviates && requirements.includes(requirement.id),
      ),
    }));
  const ofChecks = checks.map((check, index): VerifyQuestion => {
    const number = index + 1;
    const files = filesAround(check.path, repository);
    return { kind: 'check', key: `check ${number}`, files, check, number };
  });
  return {
    asked: [...asked, ...ofChecks],
    unasked: due.filter(({ files }) => files.length === 0).map(({ requirement: { id } }) => id),
  };
}
