import type { Command } from 'commander';
import { UsageError } from '../domain/errors.ts';
import { setRun } from '../runs/set-run.ts';
import { addModelOptions, modelChangeOf, type ModelOptions } from './model-options.ts';
import { wholeNumber } from './option-values.ts';
import type { Ports } from './ports.ts';

interface SetOptions extends ModelOptions {
  readonly parallel?: number;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro set my-paper --model gpt-5
  $ deeprepro set my-paper --parallel 16`;

/** Adds `set`: changes a run while it is under way. */
export function addSet(program: Command, ports: Ports): void {
  const command = program
    .command('set')
    .summary('change the model of a run, or how many calls it makes at once')
    .description(
      'Changes a run that has not ended for good. Another model is asked from the next commit on, so that no round mixes two; while the run is planning, from the next step on; at once where its model cannot be reached or a call waits on it.',
    )
    .argument('<name>', "the run's name");
  addModelOptions(command)
    .option('--parallel <n>', 'model calls at once', wholeNumber('--parallel', 1, 64))
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, options: SetOptions) => {
      const model = modelChangeOf(options, ports.settings());
      const { parallel } = options;
      if (model === undefined && parallel === undefined)
        throw new UsageError(
          "Say what to change: --model or a role's own, --base-url, --key-env, --price or --parallel. (`deeprepro budget` sets the cap.)",
        );
      const set = await setRun(ports.runs(), name, { model, parallel });
      if (options.json) {
        ports.terminal.out(JSON.stringify({ run: name, ...set }));
        return;
      }
      if (set.model !== undefined) ports.terminal.out(`${name}: the model changes ${set.model}.`);
      if (set.parallel !== undefined)
        ports.terminal.out(`${name}: ${String(parallel)} calls at once, ${set.parallel}.`);
    });
}
