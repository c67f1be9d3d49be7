import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { DEFAULT_MODE, type Mode } from '../domain/run-settings.ts';
import type { VerifyMode } from '../domain/verification.ts';
import { alsoDriven } from '../runs/also-driven.ts';
import { exportReplies } from '../runs/export-replies.ts';
import { startRun, type StartWish } from '../runs/start-run.ts';
import { exitCodeFor, follow, leaveUnfinished } from './follow.ts';
import { describeEnd, exportIfAsked, type Finished } from './finish-run.ts';
import { addModelOptions, modelWishOf, type ModelOptions } from './model-options.ts';
import {
  addModeOption,
  addVerifyOption,
  amount,
  collectRequest,
  oneOf,
  wholeNumber,
} from './option-values.ts';
import type { Ports } from './ports.ts';
import { isBatch, runBatch, type BatchOptions } from './run-batch.ts';

/** Options of `run`, as given. */
export interface RunOptions extends ModelOptions {
  readonly supplement?: readonly string[];
  readonly request?: readonly string[];
  readonly figures?: readonly string[];
  readonly review?: true;
  readonly budget?: number;
  readonly budgetTokens?: number;
  readonly onBudget: 'wait' | 'stop';
  readonly mode?: Mode;
  readonly verify?: VerifyMode;
  readonly parallel: number;
  readonly maxOutputTokens: number;
  readonly out?: string;
  readonly name?: string;
  readonly detach?: true;
  /** False after `--no-wait`. */
  readonly wait: boolean;
  readonly record?: string;
  readonly replay?: string;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro run paper.md --model gpt-5-mini --budget 5 --out ./reproduction
  $ deeprepro run papers.yaml --total-budget 40 --parallel-runs 3 --out ./reproductions`;

/** Adds `run`: starts a reproduction and follows it to its end. */
export function addRun(program: Command, ports: Ports): void {
  const command = program
    .command('run')
    .summary('reproduce a paper')
    .description(
      'Turns a paper (PDF, LaTeX, Markdown or text) into a repository that reproduces it.',
    )
    .argument(
      '<paper...>',
      'the paper: a PDF with text in it, LaTeX, Markdown or plain text; several, or a YAML list of them, make a batch',
    );
  addVerifyOption(addModeOption(addModelOptions(command), DEFAULT_MODE), 'off')
    .option('--supplement <file...>', 'addenda and errata; they outrank the paper')
    .option(
      '--request <text>',
      'what you want besides; @FILE reads it from a file; repeatable',
      collectRequest,
    )
    .option('--figures <file...>', 'images of the figures')
    .option('--review', 'wait for your approval of the blueprint before any file is written')
    .option('--budget <usd>', 'cap in USD (default: 15)', amount('--budget'))
    .option('--budget-tokens <n>', 'cap in tokens instead', wholeNumber('--budget-tokens', 1, 1e12))
    .option(
      '--on-budget <wait|stop>',
      'what to do at the cap',
      oneOf('--on-budget', ['wait', 'stop']),
      'wait',
    )
    .option('--parallel <n>', 'model calls at once', wholeNumber('--parallel', 1, 64), 8)
    .option(
      '--max-output-tokens <n>',
      'asked of the model for a file',
      wholeNumber('--max-output-tokens', 256, 1_000_000),
      32_000,
    )
    .option('--out <dir>', 'folder of the repository: new or empty; written after each round')
    .option('--name <name>', "the run's name (default: from the paper's file name)")
    .option('--detach', 'leave the run going in the background')
    .option('--no-wait', 'leave with exit code 4 when the run waits for you')
    .option('--record <dir>', 'write all model replies there at the end, for --replay')
    .option('--replay <dir>', 'take model replies from there; needs no key')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', EXAMPLE)
    .option(
      '--total-budget <usd>',
      'cap in USD for several papers together',
      amount('--total-budget'),
    )
    .option(
      '--total-budget-tokens <n>',
      'cap in tokens for several papers together',
      wholeNumber('--total-budget-tokens', 1, 1e12),
    )
    .option('--parallel-runs <n>', 'papers at once', wholeNumber('--parallel-runs', 1, 64), 2)
    .action(async (papers: readonly string[], options: RunOptions & BatchOptions) => {
      const [paper = ''] = papers;
      const isSeveral = isBatch(papers) || options.totalBudget !== undefined;
      ports.setExitCode(
        isSeveral ? await runBatch(ports, papers, options) : await run(ports, paper, options),
      );
    });
}

/** Starts a run and follows it; resolves to the exit code. */
export async function run(ports: Ports, paper: string, options: RunOptions): Promise<number> {
  const { terminal } = ports;
  if (options.replay !== undefined) await requireFolder(options.replay);
  const wasUp = await isEngineUp(ports);
  const { record, notice, estimate } = await startRun(ports.runs(), wishOf(ports, paper, options));
  const { name } = record;
  if (notice !== '') terminal.err(notice);
  if (estimate !== '' && !options.json) terminal.note(estimate);
  if (!wasUp && !options.json) await sayAlsoDriven(ports, name);
  const engine = await ports.runs().engine();
  if (options.detach) {
    await engine.keep();
    terminal.out(
      options.json
        ? JSON.stringify({ type: 'started', run: name })
        : `Started ${name}: \`deeprepro watch ${name}\` follows it, \`deeprepro list\` shows all runs.`,
    );
    if (record.out !== null)
      terminal.err(
        `While nobody follows it, ${record.out} stays as it is: \`watch\`, \`resume\`, \`status\` and \`export ${name}\` bring it up to date.`,
      );
    return 0;
  }
  if (!options.json)
    terminal.note(`Run ${name}: Ctrl-C leaves it safe, \`deeprepro resume ${name}\` goes on.`);
  return followAndFinish(ports, name, options);
}

/** Whether an engine is up that drives runs already. */
async function isEngineUp(ports: Ports): Promise<boolean> {
  return (
    (await ports
      .runs()
      .engineIfUp()
      .catch(() => undefined)) !== undefined
  );
}

/** The engine that we have started goes on with whatever it was driving when it ended. */
async function sayAlsoDriven(ports: Ports, name: string): Promise<void> {
  const others = await alsoDriven(ports.runs(), name);
  const [first] = others;
  if (first === undefined) return;
  ports.terminal.note(
    `Also going on, where ${others.length === 1 ? 'it was' : 'they were'} interrupted: ${others.join(', ')}; \`deeprepro pause ${first}\` holds one.`,
  );
}

/** What `run`, `resume` and `demo` do once a run is under way. */
export async function followAndFinish(
  ports: Ports,
  name: string,
  options: { readonly wait: boolean; readonly json?: true; readonly record?: string },
): Promise<number> {
  const { terminal } = ports;
  const engine = await ports.runs().engine();
  const json = options.json === true;
  const end = await follow(ports, name, engine, { json, noWait: !options.wait });
  if (options.record !== undefined) {
    const folder = resolve(options.record);
    const count = await exportReplies(ports.runs(), name, folder);
    terminal.err(`Replies: ${folder} (${count} written)`);
  }
  const { exported, problem } = end.status ? await exportIfAsked(ports, end.status) : NOT_ASKED;
  if (problem !== '') terminal.err(problem);
  if (end.kind !== 'ended') return leaveUnfinished(ports, name, end);
  const exitCode = exitCodeFor(end.status) || (problem === '' ? 0 : 1);
  if (json)
    terminal.out(
      JSON.stringify({
        type: 'end',
        run: name,
        outcome: end.status.outcome,
        exitCode,
        exported: exported ?? null,
      }),
    );
  else for (const line of describeEnd(end.status, exported)) terminal.out(line);
  return exitCode;
}

const NOT_ASKED: Finished = { exported: undefined, problem: '' };

function wishOf(ports: Ports, paper: string, options: RunOptions): StartWish {
  const settings = ports.settings();
  return {
    paper,
    supplements: options.supplement ?? [],
    figures: options.figures ?? [],
    userRequests: options.request ?? [],
    model: modelWishOf(options, settings),
    budgetUsd: options.budget,
    budgetTokens: options.budgetTokens,
    onBudget: options.onBudget,
    mode: options.mode,
    verify: options.verify,
    parallel: options.parallel,
    review: options.review ?? false,
    maxOutputTokens: options.maxOutputTokens,
    name: options.name,
    out: options.out === undefined ? null : resolve(options.out),
    heartbeatMs: settings.heartbeatMs,
    continueEvery: settings.continueEvery,
    environment: settings.environment,
  };
}

async function requireFolder(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder)
    throw new UsageError(`There is no folder ${path} with recorded replies: check --replay.`);
}
