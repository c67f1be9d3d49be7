import type { Command } from 'commander';
import type { ChatMessage } from '../domain/message.ts';
import { readTranscript, type TranscriptTurn } from '../runs/read-transcript.ts';
import type { Ports } from './ports.ts';
import { cleanLine } from './text-width.ts';

/** Of a long text, this much is shown from its beginning and its end without --full. */
const FOLDED_LINES = 12;

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
      'Shows each turn on a file: the sizes of what was asked and its last message, the reply, and why it was refused. Needs no server.',
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

function describeTurn(turn: TranscriptTurn, isFull: boolean): string[] {
  const { round, model, usage, durationMs, messages, reply, finish, refusal } = turn;
  const cached = usage.cachedTokens > 0 ? ` (${usage.cachedTokens} cached)` : '';
  return [
    `── round ${round}, turn ${turn.turn} · ${cleanLine(model)} · ${usage.inputTokens} tokens in${cached}, ${usage.outputTokens} out · ${(durationMs / 1000).toFixed(1)} s`,
    ...describeMessages(messages, isFull),
    `reply (${reply.length} characters${finish === 'stop' ? '' : `, ${finish}`}):`,
    ...indented(reply, isFull),
    ...(refusal === '' ? [] : [cleanLine(refusal)]),
    '',
  ];
}

function describeMessages(messages: TranscriptTurn['messages'], isFull: boolean): string[] {
  if (!messages) return ['asked: not kept (an older version wrote it, or it was pruned)'];
  const sizes = messages.map(({ role, content }) => `${role} ${content.length}`).join(', ');
  const shown = isFull ? messages : messages.slice(-1);
  return [
    `asked, in characters: ${sizes}`,
    ...shown.flatMap((message: ChatMessage) => [
      `${message.role}:`,
      ...indented(message.content, isFull),
    ]),
  ];
}

/** Each line set off and cleaned of what would steer a terminal. */
function indented(text: string, isFull: boolean): string[] {
  const lines = text.trimEnd().split('\n');
  const mark = (line: string) => `  │ ${withoutControls(line)}`;
  if (isFull || lines.length <= 2 * FOLDED_LINES) return lines.map(mark);
  const left = lines.length - 2 * FOLDED_LINES;
  return [
    ...lines.slice(0, FOLDED_LINES).map(mark),
    `  ┆ ${left} more lines (--full shows them)`,
    ...lines.slice(-FOLDED_LINES).map(mark),
  ];
}

function withoutControls(line: string): string {
  return line.replaceAll('\t', '    ').replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
}
