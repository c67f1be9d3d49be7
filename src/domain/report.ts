import { requirementsInScope, unownedRequirements } from './blueprint-audit.ts';
import type { Blueprint } from './blueprint.ts';
import { isBlocking } from './finding.ts';
import { lostQuotesText } from './held-quotes.ts';
import { inline, section } from './markdown.ts';
import type { Outcome } from './outcome.ts';
import type { FileStatus } from './progress.ts';
import { renderOpenFindings, renderResolvedFindings } from './report-findings.ts';
import {
  renderDeviations,
  renderExperiments,
  renderFiles,
  renderInferred,
  renderRequirements,
} from './report-plan.ts';
import { accountLine, renderSpend, timeLine } from './report-spend.ts';
import { renderRounds } from './report-rounds.ts';
import type { RunFacts, StatedDoubt } from './run-facts.ts';
import type { RunState } from './run-state.ts';
import { verificationGaps } from './verified.ts';

/** How far the code has been proved to run; static checks alone prove nothing of that. */
export const RUN_LEVEL = 'R0';

/** `REPORT.md`: what a person may believe of this run, and what not. What matters most stands first. */
export function renderReport(facts: RunFacts): string {
  const { blueprint, run, doubts, notices } = facts;
  const sections = [
    `# ${inline(blueprint?.title ?? '') || `Run ${run}`}`,
    `**${headline(facts)}**${because(facts)}`,
    renderSummary(facts),
    inline(blueprint?.summary ?? ''),
    blueprint ? section('What is missing', list(missingOf(facts, blueprint))) : '',
    renderOpenFindings(facts),
    ...(blueprint ? [renderDeviations(blueprint), renderInferred(blueprint)] : []),
    section('What the author of the code was unsure of', list(doubts.map(doubtOf))),
    ...(blueprint
      ? [
          renderExperiments(blueprint),
          renderRequirements(blueprint, facts.state),
          renderFiles(facts, blueprint),
        ]
      : []),
    renderRounds(facts),
    renderSpend(facts),
    renderResolvedFindings(facts),
    section('Notices', list(notices.map(inline))),
  ];
  return `${sections.filter((text) => text !== '').join('\n\n')}\n`;
}

function headline({ outcome, state, later }: RunFacts): string {
  if (later) return `As of round ${state?.round ?? 0} of ${later.round}.`;
  return outcome === null ? `Not ended: as of round ${state?.round ?? 0}.` : `Outcome: ${outcome}.`;
}

function because({ outcome, failure, later }: RunFacts): string {
  if (later)
    return later.outcome === null
      ? ' The run went on.'
      : ` The run ended afterwards: ${later.outcome}.`;
  const sentence =
    inline(failure) || (outcome === null ? 'The run is still at work.' : outcomeSentence(outcome));
  return ` ${sentence}`;
}

function outcomeSentence(outcome: Outcome): string {
  switch (outcome) {
    case 'complete':
      return 'Every planned file is written and parses, local imports resolve, every requirement in scope has an owner, and no blocking finding is open.';
    case 'complete-with-gaps':
      return 'The run ended within its bounds, but something is missing: see below.';
    case 'out-of-budget':
      return 'The cap was reached before the work was done; all that was paid for is kept.';
    case 'stalled':
      return 'Several rounds brought no progress, or the bound on rounds was reached.';
    case 'stopped':
      return 'A person stopped the run after a round; it can be resumed.';
    case 'cancelled':
      return 'A person cancelled the run; it can be resumed from the last whole round.';
    case 'failed':
      return 'The run could not be carried out.';
  }
}

function renderSummary(facts: RunFacts): string {
  const { state, blueprint, statuses, rounds } = facts;
  const checked =
    statuses.size === withStatus(statuses, 'planned').length
      ? 'Nothing is written yet, so nothing was checked.'
      : 'The code was checked statically (every file parses, local imports and names resolve) and was not executed.';
  const lines = [`Run level: ${RUN_LEVEL}, not run. ${checked}`];
  if (state?.typesUnchecked !== undefined)
    lines.push(`Types were not checked: pyright did not run (${inline(state.typesUnchecked)}).`);
  if (state && blueprint) {
    const open = state.findings.filter(({ resolvedInRound }) => resolvedInRound === null);
    const blocking = open.filter(isBlocking).length;
    const inScope = requirementsInScope(blueprint).length;
    const owned = inScope - unownedRequirements(blueprint).length;
    const count = (changes: readonly (readonly string[])[]) => changes.flat().length;
    if (state.requirementVerdicts) lines.push(verifiedLine(state, blueprint));
    lines.push(
      `Files: ${withStatus(statuses, 'written').length} of ${blueprint.files.length} written, ${withStatus(statuses, 'broken').length} broken. Requirements: ${owned} of ${inScope} in scope have an owner.`,
      `Findings: ${blocking} blocking and ${open.length - blocking} warnings open, ${state.findings.length - open.length} resolved.`,
      `Rounds: ${state.round}. Repairs kept: ${count(rounds.map(({ repaired }) => repaired))}; tried in vain or rolled back: ${count(rounds.map(({ notKept }) => notKept))}.`,
    );
  }
  lines.push(accountLine(facts), timeLine(facts));
  return list(lines);
}

/** How many demands the verifier found met in the code as it stands. */
function verifiedLine(state: RunState, blueprint: Blueprint): string {
  const inScope = requirementsInScope(blueprint).length;
  const { unmet, unverified } = verificationGaps(state, blueprint);
  return `Requirements verified: ${inScope - unmet - unverified} of ${inScope} in scope found met in the code, ${unmet} not or in part, ${unverified} not decided.`;
}

function missingOf({ statuses }: RunFacts, blueprint: Blueprint): string[] {
  const unowned = new Set(unownedRequirements(blueprint));
  const lostQuotes = lostQuotesText(blueprint.requirements);
  return [
    ...(lostQuotes === '' ? [] : [lostQuotes]),
    ...(requirementsInScope(blueprint).length > 0
      ? []
      : ['No demand of the paper was found, so nothing says what the code has to meet.']),
    ...withStatus(statuses, 'planned').map((path) => `\`${path}\` was not written.`),
    ...withStatus(statuses, 'broken').map(
      (path) => `\`${path}\` is broken: its repairs are used up and a blocking finding is open.`,
    ),
    ...blueprint.requirements
      .filter(({ id }) => unowned.has(id))
      .map(({ id, demand }) => `No file is to meet ${id}: ${inline(demand)}`),
  ];
}

function withStatus(statuses: ReadonlyMap<string, FileStatus>, status: FileStatus): string[] {
  return [...statuses].filter(([, each]) => each === status).map(([path]) => path);
}

/** A doubt a line: each is one that a reader may want to settle. */
function doubtOf({ path, text }: StatedDoubt): string {
  const parts = text.split(/\n(?=[-*] )/).map((part) => inline(part.replace(/^[-*] /, '')));
  if (parts.length === 1) return `\`${path}\`: ${parts.join('')}`;
  return [`\`${path}\`:`, ...parts.map((part) => `  - ${part}`)].join('\n');
}

function list(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}`).join('\n');
}
