import type { Command } from 'commander';
import { approveRun } from '../runs/approve-run.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Examples:
  $ deeprepro approve my-paper
  $ deeprepro status my-paper --blueprint > blueprint.yaml    edit it, then
  $ deeprepro approve my-paper --blueprint blueprint.yaml`;

/** Adds `approve`: lets a run under `--review` begin to write. */
export function addApprove(program: Command, ports: Ports): void {
  program
    .command('approve')
    .summary('approve the blueprint of a run')
    .description(
      'Approves the blueprint that a run started with --review waits for, or your edit of it.',
    )
    .argument('<name>', "the run's name")
    .option('--blueprint <file>', 'your edited blueprint, YAML or JSON')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, { blueprint }: { blueprint?: string }) => {
      const how = await approveRun(ports.runs(), name, blueprint);
      ports.terminal.out(
        `${name}: blueprint ${how}; it goes on. \`deeprepro resume ${name}\` follows it, and drives it where nothing else does.`,
      );
    });
}
