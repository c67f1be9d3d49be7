import { checkFile } from '../diagnostics/check-file.ts';
import { shrinkProblem } from '../diagnostics/check-shrink.ts';
import { isBlocking, type Problem } from '../domain/finding.ts';
import type { Ref } from '../domain/ref.ts';
import { contentProblems } from '../prompts/write-answer.ts';
import { getText } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';
import { checkedTree } from './diagnose.ts';
import { parseText } from './parsed-tree.ts';
import type { Seen } from './seen.ts';

/** What else is wrong with a file: nothing refuses it for that, but its writer is told once. */
export interface Remark {
  /** Its kind and symbol, which stay the same while the file changes. */
  readonly key: string;
  readonly text: string;
}

/** A file as it stands: why it cannot be accepted, and what else is wrong with it. */
export interface DeskJudgement {
  readonly reasons: readonly string[];
  readonly remarks: readonly Remark[];
}

/**
 * Judges a file as `judgeWrite` does, and looks at it beside the others' files as the round's diagnosis will: what that
 * would find is cheaper to mend at once than by a repair.
 */
export async function judgeDesk(
  deps: Deps,
  { path, tree, state, blueprint, before }: Seen,
  { file, shrinks }: { readonly file: Ref; readonly shrinks: string },
): Promise<DeskJudgement> {
  const content = await getText(deps.store, file);
  const own = checkFile(await parseText(deps, path, content, file), content);
  const refused = own.filter(isBlocking);
  const known = new Set(refused.map(keyOf));
  const beside = await checkedTree(deps, { ...tree, [path]: file }, state, blueprint);
  const others = new Map(
    [...own, ...beside.filter((problem) => problem.path === path)]
      .filter((problem) => !known.has(keyOf(problem)))
      .map((problem) => [keyOf(problem), problem]),
  );
  return {
    reasons: [
      ...contentProblems(content.split('\n'), path),
      ...refused.map(sentenceOf),
      ...shrinkProblem(path, { before, after: content, shrinks }).map(sentenceOf),
    ],
    remarks: [...others].map(([key, problem]) => ({ key, text: sentenceOf(problem) })),
  };
}

/** What its writer was told already, in the request: the open findings that block nothing. */
export function toldAtFirst({ state, path }: Pick<Seen, 'state' | 'path'>): string[] {
  return state.findings
    .filter((finding) => finding.path === path && finding.resolvedInRound === null)
    .filter((finding) => !isBlocking(finding))
    .map(keyOf);
}

function keyOf({ kind, symbol }: Pick<Problem, 'kind' | 'symbol'>): string {
  return `${kind} ${symbol}`;
}

function sentenceOf({ message, remedy }: Pick<Problem, 'message' | 'remedy'>): string {
  return `${message} ${remedy}`;
}
