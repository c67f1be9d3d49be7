import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import type { ListenAddress } from '../domain/listen-address.ts';
import { listenAddress, wholeNumber } from './option-values.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Example:
  $ TEMPORAL_ADDRESS=temporal.internal:7233 deeprepro worker --max-calls 32 --health 8080`;

interface Wish {
  readonly maxCalls?: number;
  readonly health?: ListenAddress;
  readonly metrics?: ListenAddress;
}

/** Adds `worker`: a worker for a Temporal server elsewhere. */
export function addWorker(program: Command, ports: Ports): void {
  program
    .command('worker')
    .summary('run a worker for a server elsewhere')
    .description(
      'Runs a worker until SIGTERM or Ctrl-C; calls in flight finish first. Clients must use the same data folder.',
    )
    .option(
      '--max-calls <n>',
      'model calls at once, over all runs',
      wholeNumber('--max-calls', 1, 10_000),
    )
    .option('--health <address>', 'serve /healthz on HOST:PORT or PORT', listenAddress('--health'))
    .option(
      '--metrics <address>',
      'serve Prometheus metrics on HOST:PORT or PORT',
      listenAddress('--metrics'),
    )
    .addHelpText('after', EXAMPLE)
    .action(async ({ maxCalls, health, metrics }: Wish) => {
      if (!ports.settings().isRemote)
        throw new UsageError(
          'No Temporal server is named: set TEMPORAL_ADDRESS. On this machine alone, `deeprepro up` runs server and worker.',
        );
      await ports.runWorker({ maxCalls, health, metrics });
    });
}
