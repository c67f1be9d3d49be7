import type { Subplan, TargetResult } from './round.ts';
import type { RunState } from './run-state.ts';
import { isOpenCheck } from './unmet-checks.ts';
import type { Verdict } from './verdict.ts';

/** An acceptance check on one content of a file, to be decided. */
export type RoundCheck = Pick<Verdict, 'path' | 'file' | 'text'>;

/** More checks than can be weighed; the rest stay undecided. */
const MOST_CHECKS = 60;

/** The model's checks of a round, and unmet ones of earlier rounds, on the files that it wrote. */
export function roundChecks(
  { findings }: Pick<RunState, 'findings'>,
  { guidance }: Pick<Subplan, 'guidance'>,
  results: readonly TargetResult[],
): RoundCheck[] {
  return results
    .flatMap((result) => {
      if (result.kind !== 'written') return [];
      const { path, file } = result;
      const now = (guidance?.acceptanceChecks ?? [])
        .filter((check) => check.path === path && check.decidedBy === 'model')
        .map(({ text }) => text);
      const unmet = findings
        .filter((finding) => isOpenCheck(finding) && finding.path === path)
        .map(({ symbol }) => symbol);
      return [...new Set([...now, ...unmet])].map((text) => ({ path, file, text }));
    })
    .slice(0, MOST_CHECKS);
}
