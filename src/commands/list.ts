import type { Command } from 'commander';
import { readEveryStatus, type UnreadableRun } from '../runs/read-every-status.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeFiles, describeSpend, describeState } from './describe-run.ts';
import type { Ports } from './ports.ts';
import { cleanLine, fit } from './text-width.ts';

/** Adds `list`: every run of the data folder, one line each. */
export function addList(program: Command, ports: Ports): void {
  program
    .command('list')
    .summary('list all runs')
    .description('Lists all runs, oldest first.')
    .option('--json', 'one JSON array')
    .addHelpText('after', '\nExample:\n  $ deeprepro list')
    .action(async ({ json }: { json?: true }) => {
      const { terminal } = ports;
      const found = await readEveryStatus(ports.runs());
      if (json) {
        terminal.out(JSON.stringify(found));
        return;
      }
      if (found.length === 0) {
        terminal.out('There are no runs yet: `deeprepro run PAPER --model NAME` starts one.');
        return;
      }
      const nameColumns = Math.max(...found.map(({ name }) => name.length));
      const width = terminal.isLive ? terminal.columns() : Infinity;
      for (const each of found) terminal.out(fit(lineOf(each, nameColumns), width));
    });
}

function lineOf(run: StatusReport | UnreadableRun, nameColumns: number): string {
  const name = run.name.padEnd(nameColumns);
  if ('problem' in run) return `${name}  ${cleanLine(run.problem)}`;
  const state = describeState(run).padEnd(18);
  return `${name}  ${state}  ${describeFiles(run)} · ${describeSpend(run)} · ${cleanLine(run.paper)}`;
}
