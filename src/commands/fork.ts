import { resolve } from 'node:path';
import type { Command } from 'commander';
import { formatAmount } from '../domain/budget.ts';
import type { Mode } from '../domain/run-settings.ts';
import type { VerifyMode } from '../domain/verification.ts';
import { forkRun, type ForkWish } from '../runs/fork-run.ts';
import { addModelOptions, modelChangeOf, type ModelOptions } from './model-options.ts';
import {
  addModeOption,
  addVerifyOption,
  amount,
  collectRequest,
  oneOf,
  wholeNumber,
} from './option-values.ts';
import type { Ports } from './ports.ts';
import { followAndFinish } from './run.ts';

interface ForkOptions extends ModelOptions {
  readonly round?: number;
  readonly name?: string;
  readonly reseed?: true;
  readonly request?: readonly string[];
  readonly budget?: number;
  readonly budgetTokens?: number;
  readonly onBudget?: 'wait' | 'stop';
  readonly mode?: Mode;
  readonly verify?: VerifyMode;
  readonly parallel?: number;
  readonly maxOutputTokens?: number;
  readonly out?: string;
  readonly detach?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro fork my-paper --round 3 --model gpt-5 --out ./with-gpt-5
  $ deeprepro fork my-paper --request "use JAX instead of PyTorch" --round 0`;

/** Adds `fork`: another run from a round of one. */
export function addFork(program: Command, ports: Ports): void {
  const command = program
    .command('fork')
    .summary('start another run from a round of one')
    .description(
      'Starts a new run from a round of another, whatever became of that one. What was answered already is not asked or paid again; spend and cap are its own; what you change holds from there on.',
    )
    .argument('<name>', 'the run to go on from')
    .option(
      '--round <n>',
      'the round after which it leaves the run (default: the newest; 0: after the blueprint)',
      wholeNumber('--round', 0, 10_000),
    )
    .option('--name <name>', "the fork's name (default: the run's with -fork)")
    .option('--reseed', 'ask everything afresh from there on');
  addVerifyOption(addModeOption(addModelOptions(command), "the run's"), "the run's")
    .option(
      '--request <text>',
      'what you want besides; @FILE reads it from a file; repeatable',
      collectRequest,
    )
    .option('--budget <usd>', "cap in USD (default: the run's cap)", amount('--budget'))
    .option('--budget-tokens <n>', 'cap in tokens instead', wholeNumber('--budget-tokens', 1, 1e12))
    .option(
      '--on-budget <wait|stop>',
      'what to do at the cap',
      oneOf('--on-budget', ['wait', 'stop']),
    )
    .option('--parallel <n>', 'model calls at once', wholeNumber('--parallel', 1, 64))
    .option(
      '--max-output-tokens <n>',
      'asked of the model for a file',
      wholeNumber('--max-output-tokens', 256, 1_000_000),
    )
    .option('--out <dir>', 'write the repository there at the end')
    .option('--detach', 'leave the fork going in the background')
    .option('--no-wait', 'leave with exit code 4 when the fork waits for you')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, options: ForkOptions) => {
      ports.setExitCode(await fork(ports, name, options));
    });
}

async function fork(ports: Ports, from: string, options: ForkOptions): Promise<number> {
  const { terminal } = ports;
  const { record, round, notice } = await forkRun(ports.runs(), from, wishOf(ports, options));
  const { name, account } = record;
  const { cap, unit } = account;
  if (notice !== '') terminal.err(notice);
  const place = round === null ? 'from the paper on' : `after round ${round}`;
  const said = `${name} is a fork of ${from} ${place}, capped at ${formatAmount(cap ?? 0, unit)}.`;
  if (!options.detach) {
    terminal.note(said);
    return followAndFinish(ports, name, options);
  }
  await (await ports.runs().engine()).keep();
  terminal.out(
    options.json
      ? JSON.stringify({ type: 'started', run: name, forkedFrom: from, round })
      : `${said} \`deeprepro watch ${name}\` follows it.`,
  );
  return 0;
}

function wishOf(ports: Ports, options: ForkOptions): ForkWish {
  return {
    round: options.round,
    name: options.name,
    reseed: options.reseed ?? false,
    model: modelChangeOf(options, ports.settings()),
    userRequests: options.request ?? [],
    budgetUsd: options.budget,
    budgetTokens: options.budgetTokens,
    onBudget: options.onBudget,
    mode: options.mode,
    verify: options.verify,
    parallel: options.parallel,
    maxOutputTokens: options.maxOutputTokens,
    out: options.out === undefined ? null : resolve(options.out),
  };
}
