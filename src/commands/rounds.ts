import type { Command } from 'commander';
import { formatAmount } from '../domain/budget.ts';
import { readRounds, type RoundReport } from '../runs/read-rounds.ts';
import { describePlan } from './describe-plan.ts';
import { describeDuration } from './describe-run.ts';
import type { Ports } from './ports.ts';
import { fittingTable } from './table.ts';

const HEAD = ['round', 'written', 'repaired', 'refused', 'open', 'spent', 'time'];
/** What a narrow terminal does without, first of all first. */
const LEAST_NEEDED = ['refused', 'repaired', 'open', 'written'];

/** Adds `rounds`: what each round of a run did, one line each. */
export function addRounds(program: Command, ports: Ports): void {
  program
    .command('rounds')
    .summary('list the rounds of a run')
    .description(
      'Lists the committed rounds of a run: files written, repaired and refused (or rolled back), findings open after it with those that block, spend, time; where a model plans, why and what it amended. Round 0 is the planning. Needs no server.',
    )
    .argument('<name>', "the run's name")
    .option('--json', 'one JSON array')
    .addHelpText('after', '\nExample:\n  $ deeprepro rounds my-paper')
    .action(async (name: string, { json }: { json?: true }) => {
      const { terminal } = ports;
      const { record, rounds } = await readRounds(ports.runs(), name);
      if (json) {
        terminal.out(JSON.stringify(rounds));
        return;
      }
      if (rounds.length === 0) {
        terminal.out(
          `${name} has no committed round yet: \`deeprepro status ${name}\` says how far it is.`,
        );
        return;
      }
      const rows = rounds.map((round) => rowOf(round, record.account.unit));
      const columns = terminal.isLive ? terminal.columns() : Infinity;
      const [head = '', ...lines] = fittingTable(HEAD, rows, columns, LEAST_NEEDED);
      terminal.out(head);
      for (const [index, line] of lines.entries()) {
        terminal.out(line);
        const guidance = rounds[index]?.guidance;
        if (guidance) for (const told of describePlan(guidance)) terminal.out(told);
      }
    });
}

/** `, 0.10 USD maybe paid`, where the end of calls was not seen. */
function maybe({ maybePaid }: RoundReport, unit: 'usd' | 'tokens'): string {
  return maybePaid > 0 ? `, ${formatAmount(maybePaid, unit)} maybe paid` : '';
}

function rowOf(report: RoundReport, unit: 'usd' | 'tokens'): string[] {
  const count = (...kinds: string[]) =>
    String(report.changes.files.filter(({ what }) => kinds.includes(what)).length);
  const { all, blocking } = report.open;
  return [
    report.round === 0 ? 'plan' : String(report.round),
    count('written'),
    count('repaired'),
    count('refused', 'rolled-back'),
    blocking > 0 ? `${all} (${blocking} blocking)` : String(all),
    report.spent === null ? '–' : `${formatAmount(report.spent, unit)}${maybe(report, unit)}`,
    report.durationMs === null ? '–' : describeDuration(report.durationMs),
  ];
}
