import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import type { Ports } from './ports.ts';

/** Adds `up`: this machine's engine, to stay. */
export function addUp(program: Command, ports: Ports): void {
  program
    .command('up')
    .summary('keep server and worker running')
    .description(
      'Starts the Temporal server and the worker of this machine; runs go on by themselves until `deeprepro down`.',
    )
    .option('--json', 'one JSON object')
    .addHelpText('after', '\nExample:\n  $ deeprepro up')
    .action(async ({ json }: { json?: true }) => {
      if (ports.settings().isRemote)
        throw new UsageError(
          'TEMPORAL_ADDRESS or a profile names a server elsewhere, which `up` does not start: run `deeprepro worker`, or unset it.',
        );
      const engine = await ports.runs().engine();
      await engine.keep();
      const { uiAddress } = engine;
      if (json) {
        ports.terminal.out(JSON.stringify({ ...engine.place, uiAddress }));
        return;
      }
      ports.terminal.out(
        `Up: runs go on by themselves until \`deeprepro down\`.${uiAddress === null ? '' : ` Temporal's page: ${uiAddress}`}`,
      );
    });
}
