import type { ChatMessage, ToolCall } from '../domain/message.ts';
import type { TranscriptTurn } from '../runs/read-transcript.ts';
import { cleanLine } from './text-width.ts';

/** Of a long text, this much is shown from its beginning and its end without --full. */
const FOLDED_LINES = 12;

/** The lines that show one turn; texts are folded unless `isFull`. */
export function describeTurn(turn: TranscriptTurn, isFull: boolean): string[] {
  const { round, model, usage, durationMs, messages, reply, calls, finish, refusal } = turn;
  const cached = usage.cachedTokens > 0 ? ` (${usage.cachedTokens} cached)` : '';
  return [
    `── round ${round}, turn ${turn.turn} · ${cleanLine(model)} · ${usage.inputTokens} tokens in${cached}, ${usage.outputTokens} out · ${(durationMs / 1000).toFixed(1)} s`,
    ...describeMessages(messages, isFull),
    `reply (${reply.length} characters${finish === 'stop' ? '' : `, ${finish}`}):`,
    ...(reply === '' && calls.length > 0 ? [] : indented(reply, isFull)),
    ...calls.flatMap((call) => describeCall(call, isFull)),
    ...(refusal === '' ? [] : [cleanLine(refusal)]),
    '',
  ];
}

function describeMessages(messages: TranscriptTurn['messages'], isFull: boolean): string[] {
  if (!messages) return ['asked: not kept (an older version wrote it, or it was pruned)'];
  const sizes = messages.map(({ role, content }) => `${role} ${content.length}`).join(', ');
  const shown = isFull ? messages : messages.slice(-Math.max(1, resultsAtEnd(messages)));
  return [
    `asked, in characters: ${sizes}`,
    ...shown.flatMap((message: ChatMessage) => [
      `${message.role}:`,
      ...indented(message.content, isFull),
    ]),
  ];
}

/** The results of a reply's calls come as a message each. */
function resultsAtEnd(messages: readonly ChatMessage[]): number {
  return messages.length - 1 - messages.findLastIndex(({ role }) => role !== 'tool');
}

/** A call with its arguments as text: what is written stands in lines, as in the file. */
function describeCall({ name, arguments: sent }: ToolCall, isFull: boolean): string[] {
  return [`calls ${cleanLine(name)}:`, ...indented(argumentsText(sent), isFull)];
}

function argumentsText(sent: string): string {
  try {
    const value: unknown = JSON.parse(sent);
    return typeof value === 'object' && value !== null ? fieldsOf(value).join('\n') : sent;
  } catch {
    return sent;
  }
}

function fieldsOf(value: object, indent = ''): string[] {
  return Object.entries(value).flatMap(([key, each]: [string, unknown]) => {
    if (typeof each === 'object' && each !== null)
      return [`${indent}${key}:`, ...fieldsOf(each, `${indent}  `)];
    const text = typeof each === 'string' ? each : JSON.stringify(each);
    return text.includes('\n')
      ? [`${indent}${key}:`, ...text.split('\n').map((line) => `${indent}  ${line}`)]
      : [`${indent}${key}: ${text}`];
  });
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
