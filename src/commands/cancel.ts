import type { Command } from 'commander';
import { cancelRun } from '../runs/steer-run.ts';
import { waitForEnd } from '../runs/wait-for-end.ts';
import type { Ports } from './ports.ts';

/** Adds `cancel`: the quick end. */
export function addCancel(program: Command, ports: Ports): void {
  program
    .command('cancel')
    .summary('end a run now')
    .description(
      'Ends a run now: nothing partial is committed, a report is written, and `deeprepro resume` can go on later.',
    )
    .argument('<name>', "the run's name")
    .addHelpText('after', '\nExample:\n  $ deeprepro cancel my-paper')
    .action(async (name: string) => {
      await cancelRun(ports.runs(), name);
      ports.terminal.note('Waiting for its report …');
      const outcome = await waitForEnd(ports.runs(), name);
      ports.terminal.out(
        outcome === null
          ? `${name} is being cancelled, but its report is not there yet: \`deeprepro watch ${name}\` shows when it is.`
          : `${name}: ${outcome}. \`deeprepro report ${name}\` prints the report, \`deeprepro resume ${name}\` goes on.`,
      );
    });
}
