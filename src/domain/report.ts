import type { Blueprint } from './blueprint.ts';
import { deviationsOf } from './deviations.ts';
import { cellsOf } from './experiment.ts';
import { formatAmount } from './budget.ts';
import { isBlocking, type Finding } from './finding.ts';
import type { Outcome } from './outcome.ts';
import type { FileStatus } from './progress.ts';
import type { Account } from './run-record.ts';

/** All that a report says, gathered. */
export interface ReportParts {
  readonly run: string;
  readonly outcome: Outcome;
  /** Why it failed; empty otherwise. */
  readonly failure: string;
  /** Null where the run ended before it had a plan. */
  readonly blueprint: Blueprint | null;
  readonly statuses: ReadonlyMap<string, FileStatus>;
  readonly findings: readonly Finding[];
  readonly rounds: number;
  readonly account: Account;
  /** What was corrected, missing or guessed on the way. */
  readonly notices: readonly string[];
  readonly models: readonly string[];
}

/** `REPORT.md`: what a person may believe of this run, and what not. */
export function renderReport(parts: ReportParts): string {
  const { run, outcome, failure, blueprint } = parts;
  const title = blueprint ? `# ${blueprint.title}` : `# Run ${run}`;
  const sections = [
    title,
    `**Outcome: ${outcome}.** ${failure || outcomeSentence(outcome)}`,
    'Run level: R0, not run. The code was checked statically (every file parses, local imports and names resolve) and was not executed.',
    renderAccount(parts),
    ...(blueprint ? renderPlan(parts, blueprint) : []),
    renderFindings(parts.findings),
    renderNotices(parts.notices),
  ];
  return `${sections.join('\n\n')}\n`;
}

function outcomeSentence(outcome: Outcome): string {
  switch (outcome) {
    case 'complete':
      return 'Every planned file is written and parses, local imports resolve, every requirement in scope has an owner, and no blocking finding is open.';
    case 'complete-with-gaps':
      return 'The run ended within its bounds, but something is missing: see the files, requirements and findings below.';
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

function renderAccount({ account, rounds, models }: ReportParts): string {
  const { unit, cap, spent, maybePaid, calls, reused } = account;
  const of = cap === null ? 'without a cap' : `of ${formatAmount(cap, unit)}`;
  const unsure =
    maybePaid > 0
      ? `, of which ${formatAmount(maybePaid, unit)} may have been paid in calls whose end was not seen`
      : '';
  return `Rounds: ${rounds}. Model calls: ${calls}, replies found in the journal: ${reused}. Spent: ${formatAmount(spent, unit)} ${of}${unsure}. Models: ${models.join(', ')}.`;
}

function renderPlan(parts: ReportParts, blueprint: Blueprint): string[] {
  return [
    blueprint.summary,
    `## Files\n\n${table(
      ['file', 'status', 'purpose', 'requirements'],
      blueprint.files.map(({ path, purpose, owns }) => [
        `\`${path}\``,
        parts.statuses.get(path) ?? 'planned',
        purpose,
        owns.join(', '),
      ]),
    )}`,
    `## Requirements\n\n"Owned" says which file is to meet a requirement; whether it does has not been verified.\n\n${table(
      ['id', 'kind', 'demand', 'place', 'scope', 'owner'],
      blueprint.requirements.map(({ id, kind, demand, place, otherPlaces, scope }) => [
        id,
        kind,
        demand,
        [place, ...otherPlaces].join(', '),
        scope,
        ownersOf(id, blueprint).join(', ') || (scope === 'excluded' ? 'out of scope' : '**none**'),
      ]),
    )}`,
    `## Experiments\n\n${table(
      ['id', 'experiment', 'cells', 'measures', 'command'],
      blueprint.experiments.map((experiment) => [
        experiment.id,
        experiment.title,
        `${cellsOf(experiment).length}`,
        experiment.measures.map(({ name }) => name).join(', '),
        `\`${experiment.command}\``,
      ]),
    )}`,
    renderDeviations(blueprint),
    renderInferred(blueprint),
  ];
}

function ownersOf(id: string, { files }: Blueprint): string[] {
  return files.filter(({ owns }) => owns.includes(id)).map(({ path }) => `\`${path}\``);
}

function renderDeviations(blueprint: Blueprint): string {
  const lines = [...deviationsOf(blueprint)].map(([id, deviation]) => `- ${id}: ${deviation}`);
  return `## Where it deviates from the paper\n\n${lines.join('\n') || 'Nowhere by decision.'}`;
}

function renderInferred({ configuration, methodCards }: Blueprint): string {
  const values = configuration
    .filter(({ requirements }) => requirements.length === 0)
    .map(({ key, value, reason }) => `- \`${key}\` = ${value}: ${reason || 'no reason given'}`);
  const cards = methodCards
    .filter(({ source }) => source !== 'paper')
    .map(
      ({ name, source }) =>
        `- ${name}: described from ${source === 'cited' ? 'the cited work as the model knows it' : 'inference'}`,
    );
  return `## Chosen without the paper's word\n\n${[...values, ...cards].join('\n') || 'Nothing.'}`;
}

function renderFindings(findings: readonly Finding[]): string {
  const open = findings.filter(({ resolvedInRound }) => resolvedInRound === null);
  const resolved = findings.length - open.length;
  const lines = open.map(
    (finding) =>
      `- ${isBlocking(finding) ? '**blocking**' : 'warning'} \`${finding.path}\`: ${finding.message} ${finding.remedy}`,
  );
  return `## Findings\n\nOpen: ${open.length}, resolved: ${resolved}.\n\n${lines.join('\n') || 'None is open.'}`;
}

function renderNotices(notices: readonly string[]): string {
  return `## Notices\n\n${notices.map((notice) => `- ${notice}`).join('\n') || 'None.'}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
}
