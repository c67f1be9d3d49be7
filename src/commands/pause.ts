import type { Command } from 'commander';
import { pauseRun } from '../runs/steer-run.ts';
import type { Ports } from './ports.ts';

/** Adds `pause`. */
export function addPause(program: Command, ports: Ports): void {
  program
    .command('pause')
    .summary('hold a run')
    .description('Lets calls in flight finish and starts no others until `deeprepro resume`.')
    .argument('<name>', "the run's name")
    .addHelpText('after', '\nExample:\n  $ deeprepro pause my-paper')
    .action(async (name: string) => {
      await pauseRun(ports.runs(), name);
      ports.terminal.out(
        `${name} pauses once its calls in flight have finished: \`deeprepro resume ${name}\` goes on.`,
      );
    });
}
