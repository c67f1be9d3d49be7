import type { Command } from 'commander';
import { retryFile, retryRun, type Retried } from '../runs/retry-run.ts';
import type { Ports } from './ports.ts';
import { followAndFinish } from './run.ts';

interface RetryOptions {
  readonly detach?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro retry my-paper                    what it waits for, now
  $ deeprepro retry my-paper src/model.py       one more repair of a broken file`;

/** Adds `retry`: tries again now, or gives a broken file one more repair. */
export function addRetry(program: Command, ports: Ports): void {
  program
    .command('retry')
    .summary('try again what waits, or repair a file once more')
    .description(
      'Tries again now what a run waits for; a pause stays. With a path: gives that file one more repair; a run that has ended goes on for it.',
    )
    .argument('<name>', "the run's name")
    .argument('[path]', 'a file of the repository in which something blocking is open')
    .option('--detach', 'leave it going in the background')
    .option('--no-wait', 'leave with exit code 4 when the run waits for you')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, path: string | undefined, options: RetryOptions) => {
      ports.setExitCode(await retry(ports, name, path, options));
    });
}

async function retry(
  ports: Ports,
  name: string,
  path: string | undefined,
  options: RetryOptions,
): Promise<number> {
  const { terminal } = ports;
  // Where nothing drove it before us, nothing would after us.
  const isDriven = (await ports.runs().engineIfUp()) !== undefined;
  const how: Retried =
    path === undefined
      ? await retryRun(ports.runs(), name)
      : await retryFile(ports.runs(), name, path);
  if (how === 'told' && (isDriven || options.detach)) {
    if (options.json)
      terminal.out(JSON.stringify({ type: 'retried', run: name, path: path ?? null }));
    else terminal.out(describeTold(name, path));
    if (options.detach) await (await ports.runs().engine()).keep();
    return 0;
  }
  terminal.note(`${name} goes on${path === undefined ? '' : `, to repair ${path}`}.`);
  if (!options.detach) return followAndFinish(ports, name, options);
  await (await ports.runs().engine()).keep();
  return 0;
}

function describeTold(name: string, path: string | undefined): string {
  const follow = `\`deeprepro watch ${name}\` follows it.`;
  return path === undefined
    ? `${name} tries again what it waits for: ${follow}`
    : `${name} repairs ${path} once more, in the round after this one: ${follow}`;
}
