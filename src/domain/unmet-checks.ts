import { problemIn, type Finding, type Problem } from './finding.ts';
import { isSameRef } from './ref.ts';
import type { RunState } from './run-state.ts';

/**
 * Acceptance checks that do not hold: those that the judge found unmet on the content that the tree has, and those that
 * were unmet before and that it has not ticked since.
 */
export function unmetChecks(state: Pick<RunState, 'findings' | 'tree' | 'verdicts'>): Problem[] {
  const current = (state.verdicts ?? []).filter(({ path, file }) =>
    isSameRef(state.tree[path], file),
  );
  const judged = new Set(current.map(({ path, text }) => `${path}\0${text}`));
  const unmet = current
    .filter(({ isMet }) => !isMet)
    .map(({ path, text, why }): Problem => ({
      kind: 'unmet-check',
      path,
      symbol: text,
      message: `${path} does not meet "${text}"${why === '' ? '.' : `: ${why}`}`,
      remedy: 'Make it hold, or plan what it asks for elsewhere.',
    }));
  return [
    ...unmet,
    ...state.findings
      .filter((finding) => isOpenCheck(finding) && state.tree[finding.path] !== undefined)
      .filter(({ path, symbol }) => !judged.has(`${path}\0${symbol}`))
      .map(problemIn),
  ];
}

/** Whether a finding is a check that was not met, and still open. */
export function isOpenCheck({ kind, resolvedInRound }: Finding): boolean {
  return kind === 'unmet-check' && resolvedInRound === null;
}
