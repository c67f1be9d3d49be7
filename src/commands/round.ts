import type { Command } from 'commander';
import { formatAmount } from '../domain/budget.ts';
import { isBlocking, type Finding } from '../domain/finding.ts';
import type { FileChange } from '../domain/round-changes.ts';
import type { RoundGuidance } from '../runs/read-guidance.ts';
import { readRound, type RoundReport } from '../runs/read-rounds.ts';
import { describePlan } from './describe-plan.ts';
import { describeDuration } from './describe-run.ts';
import { wholeNumber } from './option-values.ts';
import type { Ports } from './ports.ts';
import { cleanLine } from './text-width.ts';

/** Adds `round`: one round of a run, file by file. */
export function addRound(program: Command, ports: Ports): void {
  program
    .command('round')
    .summary('show one round of a run')
    .description(
      'Shows one committed round of a run: why it was planned so, what became of each file, findings opened and closed, notes, what was rolled back, and what the inspection after it said. Needs no server.',
    )
    .argument('<name>', "the run's name")
    .argument('<number>', 'the round; 0 is the planning', wholeNumber('the round', 0, 10_000))
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro round my-paper 3')
    .action(async (name: string, number: number, { json }: { json?: true }) => {
      const { record, report } = await readRound(ports.runs(), name, number);
      if (json) ports.terminal.out(JSON.stringify(report));
      else
        for (const line of describeRound(report, record.account.unit))
          ports.terminal.out(cleanEnd(line));
    });
}

function describeRound(report: RoundReport, unit: 'usd' | 'tokens'): string[] {
  const { round, spent, calls, durationMs, changes, open, inspection } = report;
  const time = durationMs === null ? '' : `, ${describeDuration(durationMs)}`;
  const paid =
    spent === null
      ? 'paid by the run it was forked from'
      : `${formatAmount(spent, unit)}${report.maybePaid > 0 ? ` (${formatAmount(report.maybePaid, unit)} of it maybe paid)` : ''} in ${calls} calls`;
  return [
    `${round === 0 ? 'Planning' : `Round ${round}`}: ${paid}${time}; ${open.all} findings open, ${open.blocking} of them blocking.`,
    ...(report.guidance ? describeGuidance(report.guidance) : []),
    ...changes.files.map(lineOf),
    ...changes.opened.map((finding) => findingLine('found', finding)),
    ...changes.closed.map((finding) => findingLine('closed', finding)),
    ...(changes.noted.length > 0 ? [`  notes on ${changes.noted.join(', ')}`] : []),
    ...(inspection
      ? [
          `  inspection: ${inspection.opened} opened, ${inspection.closed} closed${inspection.stop === null ? ', goes on' : `, ends the run (${inspection.stop})`}`,
        ]
      : []),
  ];
}

function describeGuidance(guidance: RoundGuidance): string[] {
  const { targets, assignments, acceptanceChecks, corrections } = guidance;
  return [
    ...describePlan(guidance),
    ...targets.map((path) => {
      const { reason = '', instructions = '', integrationNotes = '' } = assignments[path] ?? {};
      const sentences = [reason.replace(/([^.!?])$/, '$1.'), instructions, integrationNotes];
      const said = sentences.filter((text) => text !== '');
      return `  target ${path}${said.length === 0 ? '' : `: ${said.join(' ')}`}`;
    }),
    ...corrections.map((sentence) => `  corrected: ${sentence}`),
    ...acceptanceChecks.map(
      ({ path, text, decidedBy, result }) => `  check ${result} (${decidedBy}) ${path}: ${text}`,
    ),
  ];
}

function lineOf({ path, what, reasons, repairs }: FileChange): string {
  const how = what === 'rolled-back' ? 'rolled back, since its repair made things worse' : what;
  const used = repairs > 0 ? `, ${repairs} ${repairs === 1 ? 'repair' : 'repairs'} used` : '';
  return `  ${path}: ${how}${used}${reasons.length > 0 ? `: ${reasons.join(' ')}` : ''}`;
}

function findingLine(what: string, finding: Finding): string {
  return `  ${what} (${isBlocking(finding) ? 'blocking' : 'warning'}) ${finding.path}: ${finding.message}`;
}

/** Keeps the indent, which `cleanLine` would take away. */
function cleanEnd(line: string): string {
  return line.startsWith('  ') ? `  ${cleanLine(line)}` : cleanLine(line);
}
