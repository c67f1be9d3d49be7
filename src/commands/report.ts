import type { Command } from 'commander';
import { readReport } from '../runs/read-report.ts';
import type { Ports } from './ports.ts';

/** Adds `report`: prints a run's report. */
export function addReport(program: Command, ports: Ports): void {
  program
    .command('report')
    .summary('print the report of a run')
    .description('Prints the report of a run in Markdown: as it ended, or as it stands.')
    .argument('<name>', "the run's name")
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro report my-paper')
    .action(async (name: string, { json }: { json?: true }) => {
      const { outcome, text } = await readReport(ports.runs(), name);
      ports.terminal.out(
        json ? JSON.stringify({ run: name, outcome, report: text }) : text.trimEnd(),
      );
    });
}
