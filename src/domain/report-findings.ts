import { isBlocking, whyItMatters, type Finding } from './finding.ts';
import { foldedWhenLong, inline, section, table } from './markdown.ts';
import type { RunFacts } from './run-facts.ts';

/** What is open, blocking ones first: where, what, why it matters, and what would close it. */
export function renderOpenFindings({ state }: RunFacts): string {
  if (!state) return '';
  const open = state.findings.filter(({ resolvedInRound }) => resolvedInRound === null);
  const ordered = [...open.filter(isBlocking), ...open.filter((finding) => !isBlocking(finding))];
  const text = ordered.map(describe).join('\n');
  return section('Open findings', foldedWhenLong('Open findings', open.length, text) || 'None.');
}

function describe(finding: Finding): string {
  const { kind, path, message, remedy, openedInRound, triedInRounds } = finding;
  const weight = isBlocking(finding) ? '**blocking**' : 'warning';
  const tried = triedInRounds.length > 0 ? `, repairs tried in round ${listed(triedInRounds)}` : '';
  return [
    `- ${weight} \`${path}\`: ${inline(message)} ${inline(remedy)}`,
    `  ${whyItMatters(kind)} (${kind}; open since round ${openedInRound}${tried})`,
  ].join('\n');
}

/** What was found and repaired on the way. */
export function renderResolvedFindings({ state }: RunFacts): string {
  const resolved = (state?.findings ?? []).flatMap(({ resolvedInRound, ...finding }) =>
    resolvedInRound === null ? [] : [{ ...finding, resolvedInRound }],
  );
  const rows = resolved.map(({ path, kind, message, openedInRound, resolvedInRound }) => [
    `\`${path}\``,
    kind,
    inline(message),
    `${openedInRound}`,
    `${resolvedInRound}`,
  ]);
  if (rows.length === 0) return '';
  const text = table(['file', 'kind', 'what', 'opened in round', 'resolved in round'], rows);
  return section('Resolved findings', foldedWhenLong('Resolved findings', rows.length, text));
}

function listed(rounds: readonly number[]): string {
  return rounds.join(', ');
}
