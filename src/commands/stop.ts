import type { Command } from 'commander';
import { stopRun } from '../runs/steer-run.ts';
import type { Ports } from './ports.ts';

/** Adds `stop`: the gentle end. */
export function addStop(program: Command, ports: Ports): void {
  program
    .command('stop')
    .summary('end a run after this round')
    .description(
      'Ends a run after its current round, or at once while it is planning; `deeprepro resume` can go on later.',
    )
    .argument('<name>', "the run's name")
    .addHelpText('after', '\nExample:\n  $ deeprepro stop my-paper')
    .action(async (name: string) => {
      await stopRun(ports.runs(), name);
      ports.terminal.out(
        `${name} ends after this round, or at once if it is still planning: \`deeprepro watch ${name}\` shows it, and \`deeprepro resume ${name}\` carries it there where nothing drives it now.`,
      );
    });
}
