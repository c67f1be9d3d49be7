import type { Command } from 'commander';
import { formatRange } from '../domain/estimate.ts';
import { DEFAULT_MODE, type Mode } from '../domain/run-settings.ts';
import { estimatePaper } from '../runs/estimate-paper.ts';
import { addModelOptions, modelWishOf, type ModelOptions } from './model-options.ts';
import { addModeOption } from './option-values.ts';
import type { Ports } from './ports.ts';

interface EstimateOptions extends ModelOptions {
  readonly supplement?: readonly string[];
  readonly mode?: Mode;
  readonly json?: true;
}

const EXAMPLE = `
Examples:
  $ deeprepro estimate paper.md --model gpt-5-mini
  $ deeprepro estimate paper.md --price 0.6,2.4`;

/** Adds `estimate`: what a run is likely to cost, without a call. */
export function addEstimate(program: Command, ports: Ports): void {
  const command = program
    .command('estimate')
    .summary('say what a run is likely to cost')
    .description(
      "Says what a run on a paper is likely to cost, from the paper's length and the model's price. Asks no model and needs no key; where no price is known, in tokens.",
    )
    .argument('<paper>', 'the paper: a file in Markdown, plain text or LaTeX');
  addModeOption(addModelOptions(command), DEFAULT_MODE)
    .option('--supplement <file...>', 'addenda and errata')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (paper: string, options: EstimateOptions) => {
      const found = await estimatePaper(ports.runs(), {
        paper,
        supplements: options.supplement ?? [],
        mode: options.mode ?? DEFAULT_MODE,
        model: modelWishOf(options, ports.settings()),
      });
      const { unit, whole, estimate, model, modelsInWords, paperCharacters } = found;
      if (options.json) {
        ports.terminal.out(JSON.stringify({ paperCharacters, model, unit, whole, ...estimate }));
        return;
      }
      const { low, high } = estimate.files;
      ports.terminal.out(
        `${formatRange(whole, unit)} with ${modelsInWords}: planning ${formatRange(estimate.planning, unit)}, then ${low}–${high} files at ${formatRange(estimate.perFile, unit)} each.`,
      );
      ports.terminal.out(
        `From ${paperCharacters.toLocaleString('en-US')} characters of paper; \`deeprepro status\` refines it once the run has a plan.`,
      );
    });
}
