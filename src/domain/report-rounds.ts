import { code, foldedWhenLong, section, table } from './markdown.ts';
import type { RunFacts } from './run-facts.ts';

/** Paths named in a cell; the rest is counted. */
const MOST_PATHS = 6;

/** What each round wrote, repaired, and tried in vain, and the findings that it opened and closed. */
export function renderRounds({ rounds }: RunFacts): string {
  const rows = rounds.map(({ round, written, repaired, notKept, opened, resolved }) => [
    `${round}`,
    paths(written),
    paths(repaired),
    paths(notKept),
    `${opened.length}`,
    `${resolved.length}`,
  ]);
  if (rows.length === 0) return '';
  const head = ['round', 'written', 'repaired', 'tried in vain or rolled back', 'opened', 'closed'];
  return section('Rounds', foldedWhenLong('Rounds', rows.length, table(head, rows)));
}

function paths(all: readonly string[]): string {
  const rest = all.length - MOST_PATHS;
  const shown = all.slice(0, MOST_PATHS).map(code).join(', ');
  return rest > 0 ? `${shown} and ${rest} more` : shown;
}
