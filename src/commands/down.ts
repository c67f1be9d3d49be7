import type { Command } from 'commander';
import type { Ports } from './ports.ts';

/** Adds `down`: ends this machine's engine. */
export function addDown(program: Command, ports: Ports): void {
  program
    .command('down')
    .summary('end server and worker')
    .description(
      'Lets calls in flight finish, then ends server and worker. Nothing is lost: `deeprepro resume` goes on.',
    )
    .addHelpText('after', '\nExample:\n  $ deeprepro down')
    .action(async () => {
      const wasUp = await ports.down();
      ports.terminal.out(
        wasUp ? 'Down: `deeprepro resume` goes on with what had not ended.' : 'Nothing was up.',
      );
    });
}
