import type { Command } from 'commander';
import { bashCompletion, fishCompletion, zshCompletion, type Word } from './completion-scripts.ts';
import { oneOf } from './option-values.ts';
import type { Ports } from './ports.ts';

const SHELLS = ['bash', 'zsh', 'fish'] as const;
const SCRIPTS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };

const EXAMPLE = `
Examples:
  $ deeprepro completion bash >> ~/.bashrc
  $ deeprepro completion zsh > "\${fpath[1]}/_deeprepro"
  $ deeprepro completion fish > ~/.config/fish/completions/deeprepro.fish`;

/** Adds `completion`: prints what makes a shell complete commands, options and run names. */
export function addCompletion(program: Command, ports: Ports): void {
  program
    .command('completion')
    .summary('print a script that completes commands in your shell')
    .description(
      'Prints a script with which your shell completes commands, options and the names of runs.',
    )
    .argument('<shell>', 'bash, zsh or fish', oneOf('the shell', SHELLS))
    .addHelpText('after', EXAMPLE)
    .action((shell: (typeof SHELLS)[number]) => {
      ports.terminal.out(SCRIPTS[shell](wordsOf(program)).trimEnd());
    });
}

/** The commands with what may follow them, as the program has them. */
export function wordsOf(program: Command): Word[] {
  const visible = program.createHelp().visibleCommands(program);
  return visible.map((command) => ({
    name: command.name(),
    summary: command.summary(),
    takesRun: command.registeredArguments[0]?.name() === 'name',
    options: [...command.options, ...program.options].flatMap(({ long, description }) =>
      long ? [{ name: long, description }] : [],
    ),
  }));
}
