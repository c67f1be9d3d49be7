import type { Command } from 'commander';
import picocolors from 'picocolors';
import { diffRounds, type RoundDiff } from '../runs/diff-rounds.ts';
import { describePlan } from './describe-plan.ts';
import { wholeNumber } from './option-values.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Examples:
  $ deeprepro diff my-paper 2 3
  $ deeprepro diff my-paper 0 3 --stat`;

/** Adds `diff`: what changed between two rounds of a run. */
export function addDiff(program: Command, ports: Ports): void {
  program
    .command('diff')
    .summary('compare two rounds of a run')
    .description(
      'Prints how the repository differs between two rounds, as git does, below why a model planned what lies between, and what it amended; round 0 is the empty beginning. Needs no exported folder.',
    )
    .argument('<name>', "the run's name")
    .argument('<from>', 'a round', wholeNumber('<from>', 0, 1_000_000))
    .argument('<to>', 'another', wholeNumber('<to>', 0, 1_000_000))
    .option('--stat', 'how many lines of which files, instead of the lines')
    .option('--json', 'one JSON object')
    .addHelpText('after', EXAMPLE)
    .action(
      async (
        name: string,
        from: number,
        to: number,
        { stat, json }: { stat?: true; json?: true },
      ) => {
        const { terminal } = ports;
        const diff = await diffRounds(ports.runs(), name, { from, to, isStat: stat === true });
        if (json) {
          terminal.out(JSON.stringify(diff));
          return;
        }
        for (const line of planLines(diff)) terminal.out(line);
        if (diff.text === '') terminal.out(`Rounds ${from} and ${to} do not differ.`);
        else terminal.out(terminal.isLive ? painted(diff.text, terminal.hasColors) : diff.text);
      },
    );
}

/** What git and patch pass over before the first difference; with an empty line behind. */
function planLines({ plans }: Pick<RoundDiff, 'plans'>): string[] {
  const lines = plans.flatMap((plan) => [`Round ${plan.round}`, ...describePlan(plan)]);
  return lines.length === 0 ? [] : [...lines, ''];
}

/** The lines for a terminal: what models wrote must not steer it, so colours are laid on afterwards. */
function painted(text: string, hasColors: boolean): string {
  const { bold, cyan, green, red } = picocolors.createColors(hasColors);
  const paint = (line: string): string => {
    if (/^(?:diff|index|---|\+\+\+) /.test(line)) return bold(line);
    if (line.startsWith('@@')) return cyan(line);
    if (line.startsWith('+')) return green(line);
    return line.startsWith('-') ? red(line) : line;
  };
  return text
    .split('\n')
    .map((line) => paint(line.replace(/[^\P{Cc}\t]/gu, '�')))
    .join('\n');
}
