import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { exportReplies } from '../runs/export-replies.ts';
import { exportRun } from '../runs/export-run.ts';
import { describeExport } from './finish-run.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Examples:
  $ deeprepro export my-paper --out ./reproduction
  $ deeprepro export my-paper --replies ./replies`;

/** Adds `export`: writes a run's repository, or its replies, to a folder. */
export function addExport(program: Command, ports: Ports): void {
  program
    .command('export')
    .summary('write the repository of a run')
    .description(
      'Writes the repository as of the newest round, with the report in .deeprepro/. What you changed there is left alone.',
    )
    .argument('<name>', "the run's name")
    .option('--out <dir>', 'folder of the repository: new, empty, or of the same run')
    .option('--replies <dir>', 'write all model replies there, for --replay')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, options: { out?: string; replies?: string; json?: true }) => {
      const { out, replies, json } = options;
      if (out === undefined && replies === undefined)
        throw new UsageError(
          'Say what to write: --out DIR for the repository, --replies DIR for the replies.',
        );
      const exported = out === undefined ? null : await exportRun(ports.runs(), name, resolve(out));
      const count =
        replies === undefined ? null : await exportReplies(ports.runs(), name, resolve(replies));
      if (json) {
        ports.terminal.out(JSON.stringify({ run: name, exported, replies: count }));
        return;
      }
      if (exported) for (const line of describeExport(exported)) ports.terminal.out(line);
      if (count !== null)
        ports.terminal.out(`Replies: ${resolve(replies ?? '')} (${count} written)`);
    });
}
