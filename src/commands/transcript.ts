import type { Command } from 'commander';
import { readTranscript } from '../runs/read-transcript.ts';
import { describeTurn } from './describe-turn.ts';
import type { Ports } from './ports.ts';

const EXAMPLE = `
Examples:
  $ deeprepro transcript my-paper src/model.py
  $ deeprepro transcript my-paper src/model.py --full | less`;

/** Adds `transcript`: what was asked for a file, and what came back. */
export function addTranscript(program: Command, ports: Ports): void {
  program
    .command('transcript')
    .summary('show what was asked for a file, and the replies')
    .description(
      'Shows each turn on a file: the sizes of what was asked and its last message, the reply with its calls of tools, and why it was refused. Needs no server.',
    )
    .argument('<name>', "the run's name")
    .argument('<path>', 'the file in the repository, such as src/model.py')
    .option('--full', 'every message and reply, whole')
    .option('--json', 'one JSON array, everything whole')
    .addHelpText('after', EXAMPLE)
    .action(async (name: string, path: string, options: { full?: true; json?: true }) => {
      const turns = await readTranscript(ports.runs(), name, path);
      if (options.json) ports.terminal.out(JSON.stringify(turns));
      else
        for (const turn of turns)
          for (const line of describeTurn(turn, options.full === true)) ports.terminal.out(line);
    });
}
