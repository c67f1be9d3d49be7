import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { resumeAll, resumeRun, type Resumed } from '../runs/resume-run.ts';
import { isBatchName } from './batch.ts';
import { exitCodeFor, follow, leaveUnfinished } from './follow.ts';
import { exportIfAsked } from './finish-run.ts';
import { addModelOptions, modelChangeOf, type ModelOptions } from './model-options.ts';
import { parseCap } from './option-values.ts';
import type { Ports } from './ports.ts';
import { followBatch } from './run-batch.ts';
import { followAndFinish } from './run.ts';

interface ResumeOptions extends ModelOptions {
  readonly budget?: number | null;
  readonly detach?: true;
  readonly wait: boolean;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro resume my-paper
  $ deeprepro resume my-paper --model gpt-5 --budget 20
  $ deeprepro resume                 all runs that have not ended`;

/** Adds `resume`: lets runs go on, whatever became of them, and follows them. */
export function addResume(program: Command, ports: Ports): void {
  const command = program
    .command('resume')
    .summary('go on with a run, or with all')
    .description(
      'Goes on with a run: tries again what waits, lifts a pause, or starts anew from the last round. Without a name: all runs that have not ended; pauses stay.',
    )
    .argument('[name]', "the run's name");
  addModelOptions(command)
    .option(
      '--budget <amount>',
      "new cap, in the run's unit (USD or tokens), or none",
      parseCap('--budget'),
    )
    .option('--detach', 'leave it going in the background')
    .option('--no-wait', 'leave with exit code 4 when the run waits for you')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string | undefined, options: ResumeOptions) => {
      if (name !== undefined && (await isBatchName(ports, name))) {
        ports.setExitCode(await followBatch(ports, name, options));
        return;
      }
      ports.setExitCode(
        name === undefined
          ? await resumeEvery(ports, options)
          : await resumeOne(ports, name, options),
      );
    });
}

async function resumeOne(ports: Ports, name: string, options: ResumeOptions): Promise<number> {
  const wish = { model: modelChangeOf(options, ports.settings()), cap: options.budget };
  const resumed = await resumeRun(ports.runs(), name, wish);
  ports.terminal.note(describeResumed(resumed));
  if (options.detach) return detach(ports);
  return followAndFinish(ports, name, options);
}

async function resumeEvery(ports: Ports, options: ResumeOptions): Promise<number> {
  if (modelChangeOf(options, ports.settings()) || options.budget !== undefined)
    throw new UsageError('A new model or budget is of one run: `deeprepro resume NAME …`.');
  let troubles = 0;
  const resumed = await resumeAll(ports.runs(), (name, error) => {
    troubles += 1;
    const reason = error instanceof Error ? error.message : String(error);
    ports.terminal.err(`${name} is left as it is: ${reason}`);
  });
  if (resumed.length === 0) {
    if (troubles === 0) ports.terminal.out('No run waits: all have ended.');
    return troubles === 0 ? 0 : 1;
  }
  for (const each of resumed) ports.terminal.note(describeResumed(each));
  if (options.detach) return detach(ports);
  const [only] = resumed;
  if (resumed.length === 1 && only) return followAndFinish(ports, only.name, options);
  return followMany(ports, resumed, options);
}

/** The worst exit code of all. */
async function followMany(
  ports: Ports,
  resumed: readonly Resumed[],
  options: ResumeOptions,
): Promise<number> {
  const engine = await ports.runs().engine();
  const wish = { json: options.json === true, noWait: true, isOneOfMany: true };
  const ends = await Promise.all(
    resumed.map(async ({ name }) => ({ name, end: await follow(ports, name, engine, wish) })),
  );
  const exitCodes: number[] = [];
  for (const { name, end } of ends) {
    const { problem = '' } = end.status ? await exportIfAsked(ports, end.status) : {};
    if (problem !== '') ports.terminal.err(`${name}: ${problem}`);
    const exitCode =
      end.kind === 'ended' ? exitCodeFor(end.status) : await leaveUnfinished(ports, name, end);
    exitCodes.push(exitCode || (problem === '' ? 0 : 1));
  }
  return Math.max(...exitCodes);
}

async function detach(ports: Ports): Promise<number> {
  await (await ports.runs().engine()).keep();
  return 0;
}

function describeResumed({ name, how, model }: Resumed): string {
  if (how === 'restarted') return `${name} goes on from its last round.`;
  return model === undefined ? `${name} goes on.` : `${name} goes on; its model changes ${model}.`;
}
