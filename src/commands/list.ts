import type { Command } from 'commander';
import { readEveryStatus, type UnreadableRun } from '../runs/read-every-status.ts';
import type { StatusReport } from '../runs/status-report.ts';
import { describeFiles, describeSpend, describeState } from './describe-run.ts';
import type { Ports } from './ports.ts';
import { cleanLine, fit, widthOf, wrap } from './text-width.ts';

const STATE_COLUMNS = 18;
const INDENT = '  ';

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
      for (const each of found)
        for (const line of linesOf(each, nameColumns, width)) terminal.out(line);
    });
}

/** One line; where progress and money do not fit into it, they go below. Only the paper's name is ever cut. */
export function linesOf(
  run: StatusReport | UnreadableRun,
  nameColumns: number,
  width: number,
): string[] {
  const name = run.name.padEnd(nameColumns);
  if ('problem' in run) return [fit(`${name}  ${cleanLine(run.problem)}`, width)];
  const state = describeState(run);
  const course = `${describeFiles(run)} · ${describeSpend(run)}`;
  const line = `${name}  ${state.padEnd(STATE_COLUMNS)}  ${course}`;
  if (widthOf(line) <= width) return [fit(`${line} · ${cleanLine(run.paper)}`, width)];
  const below = wrap(course, Math.max(1, width - INDENT.length));
  return [...wrap(`${run.name}  ${state}`, width), ...below.map((each) => INDENT + each)];
}
