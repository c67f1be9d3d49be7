import type { Command } from 'commander';
import type { Check } from '../domain/check.ts';
import { paintOf } from './follow-views.ts';
import type { Ports } from './ports.ts';
import { cleanLine } from './text-width.ts';

const MARKS = { good: '✓', warning: '!', bad: '✗' } as const;
const NAME_COLUMNS = 12;

const EXAMPLE = `
Examples:
  $ deeprepro doctor --model gpt-5-mini
  $ deeprepro doctor --offline

Exit codes: 0 when nothing is marked ✗, else 1.`;

/** Adds `doctor`: whether everything is there that a run needs. */
export function addDoctor(program: Command, ports: Ports): void {
  program
    .command('doctor')
    .summary('see whether everything is there that a run needs')
    .description(
      'Looks at Node, git, the sandbox, which it tries to get out of, the Temporal program, the data folder and what is in it, the terminal, and the models, with one call of a few tokens each; says what to do about what it does not like.',
    )
    .option('--model <name>', 'the model to ask (or DEEPREPRO_MODEL)')
    .option('--offline', 'ask no model')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(async (options: { model?: string; offline?: true; json?: true }) => {
      const { terminal } = ports;
      const checks: Check[] = [];
      await ports.doctor({
        isOffline: options.offline === true,
        model: options.model,
        onCheck(check) {
          checks.push(check);
          if (!options.json)
            for (const line of describe(check, terminal.hasColors)) terminal.out(line);
        },
      });
      const isWell = checks.every(({ result }) => result !== 'bad');
      if (options.json) terminal.out(JSON.stringify({ isWell, checks }));
      ports.setExitCode(isWell ? 0 : 1);
    });
}

function describe({ name, result, found, remedy }: Check, hasColors: boolean): string[] {
  const paint = paintOf(hasColors);
  const mark = result === 'good' ? MARKS.good : paint.warn(MARKS[result]);
  return [
    `${mark} ${name.padEnd(NAME_COLUMNS)} ${cleanLine(found)}`,
    ...(remedy === '' ? [] : [`  ${' '.repeat(NAME_COLUMNS)} ${cleanLine(remedy)}`]),
  ];
}
