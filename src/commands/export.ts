import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { exportReplies } from '../runs/export-replies.ts';
import { exportRun, type Exported } from '../runs/export-run.ts';
import { describeExport } from './finish-run.ts';
import { wholeNumber } from './option-values.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Examples:
  $ deeprepro export my-paper --out ./reproduction
  $ deeprepro export my-paper --round 3 --out ./as-of-round-3
  $ deeprepro export my-paper --replies ./replies`;

interface ExportOptions {
  readonly out?: string;
  readonly round?: number;
  readonly replies?: string;
  readonly json?: true;
}

/** Adds `export`: writes a run's repository, or its replies, to a folder. */
export function addExport(program: Command, ports: Ports): void {
  program
    .command('export')
    .summary('write the repository of a run')
    .description(
      'Writes the repository as of the newest round, with a commit for each round, and the report in .deeprepro/. What you changed there is left alone.',
    )
    .argument('<name>', "the run's name")
    .option(
      '--out <dir>',
      "folder of the repository: new, empty, or of the same run (default: the run's own)",
    )
    .option('--round <n>', 'as of that round', wholeNumber('--round', 1, 1_000_000))
    .option('--replies <dir>', 'write all model replies there, for --replay')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, options: ExportOptions) => {
      const { replies, json } = options;
      const exported = await exportTree(ports, name, options);
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

async function exportTree(
  ports: Ports,
  name: string,
  { out, round, replies }: ExportOptions,
): Promise<Exported | null> {
  if (out === undefined && round !== undefined)
    throw new UsageError(`Say where round ${round} is to be written: --out DIR.`);
  if (out === undefined && replies !== undefined) return null;
  const folder = out === undefined ? (await ports.runs().folders.read(name)).out : resolve(out);
  if (folder === null)
    throw new UsageError(
      'Say what to write: --out DIR for the repository, --replies DIR for the replies.',
    );
  return exportRun(ports.runs(), name, folder, round === undefined ? {} : { round });
}
