import type { Desk } from '../domain/desk.ts';
import { firstSentences } from '../domain/first-sentences.ts';
import type { ChatMessage, ToolCall } from '../domain/message.ts';
import type { Action } from './turn-actions.ts';

/** An action with what it led to. */
export interface ActionResult {
  readonly action: Pick<Action, 'callId' | 'said'>;
  readonly result: string;
}

/** One cause mostly has many of them. */
const MOST_REASONS = 30;

/**
 * A reply as it is shown again, with calls that no server chokes on: each with a name and an id of its own, and with
 * arguments that are JSON.
 */
export function replyMessage(text: string, calls: readonly ToolCall[]): ChatMessage {
  const toolCalls = calls.map((call) => ({
    id: call.id,
    name: call.name.replace(/[^\w-]+/g, '_').slice(0, 60) || 'unknown',
    arguments: isJsonObject(call.arguments) ? call.arguments : '{}',
  }));
  return { role: 'assistant', content: text, toolCalls };
}

/** Calls with ids that differ, as each is answered by its own. */
export function withOwnIds(calls: readonly ToolCall[]): ToolCall[] {
  const seen = new Set<string>();
  return calls.map((call, index) => {
    const id = call.id === '' || seen.has(call.id) ? `${call.id || 'call'}_${index + 1}` : call.id;
    seen.add(id);
    return { ...call, id };
  });
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/**
 * What comes back: a message for each call, and what stood in the text with the closing words in the last of them; in
 * a message of the user where there was no call.
 */
export function resultMessages(results: readonly ActionResult[], closing: string): ChatMessage[] {
  const fromText = results
    .filter(({ action }) => action.callId === null)
    .map(({ action, result }) => `## ${action.said}\n${result}`);
  const tail = [...fromText, closing].join('\n\n');
  const called = results.flatMap(({ action, result }) =>
    action.callId === null ? [] : [{ toolCallId: action.callId, content: result }],
  );
  if (called.length === 0) return [{ role: 'user', content: tail }];
  return called.map(({ toolCallId, content }, index) => {
    const isLast = index === called.length - 1;
    return { role: 'tool', toolCallId, content: isLast ? `${content}\n\n${tail}` : content };
  });
}

/** What the closing words tell besides the desk. */
export interface Closing {
  /** What else is wrong with the file and was not told before. */
  readonly remarks: readonly string[];
  /** Whether the file was judged and its writer not told yet. */
  readonly isNews: boolean;
  readonly left: number;
}

/** Where the file stands and how many replies are left; before the last one, that only a write counts in it. */
export function closingWords(path: string, desk: Desk, { remarks, isNews, left }: Closing): string {
  const state = stateOf(path, desk, isNews ? remarks : null);
  return `${state}\n${left === 1 ? lastWords(path) : `${left} replies are left.`}`;
}

function stateOf(path: string, { file, reasons }: Desk, remarks: readonly string[] | null): string {
  if (file === null) return `# ${path}: you have written nothing yet.`;
  if (remarks === null && reasons.length > 0)
    return `# ${path} cannot be accepted as it is, for what you were told (${reasons.length}).`;
  if (remarks === null)
    return `# ${path} is acceptable as it is. Answer with @done alone to end, or go on.`;
  if (reasons.length > 0)
    return `# ${path} cannot be accepted as it is\n${list(reasons)}${remarks.length > 0 ? `\nBesides:\n${list(remarks)}` : ''}`;
  if (remarks.length > 0)
    return `# ${path} could be better\n${list(remarks)}\nRepair what is at fault in your file. What is right as it is, or the fault of another file, may stay: then answer with @done alone.`;
  return `# ${path} is acceptable as it is. Answer with @done alone to end, or go on.`;
}

function lastWords(path: string): string {
  return `Your next reply is the last, and only its write counts: nothing can be looked up any more. Send the whole file now, as @write ${path}, its block fenced by four backticks or more, @met, @doubts, @done; or @edit where little is left to change.`;
}

function list(sentences: readonly string[]): string {
  return firstSentences(sentences, MOST_REASONS)
    .map((sentence) => `- ${sentence}`)
    .join('\n');
}

const LEFT_OUT = 'Left out, as the window is full; look it up again if you still need it.';
/** Shorter results cost no more than this sentence. */
const SHORT_CHARACTERS = 400;

/**
 * A conversation that is too long for the model's window, without what was looked up, but for the results of the last
 * `kept` replies. What stands before the first reply stays.
 */
export function forgetResults(messages: readonly ChatMessage[], kept: number): ChatMessage[] {
  const opening = messages.findIndex(({ role }) => role === 'assistant');
  const replies = messages.flatMap(({ role }, index) => (role === 'assistant' ? [index] : []));
  const keptFrom = kept === 0 ? messages.length - 1 : (replies.at(-kept) ?? 0);
  return messages.map((message, index) => {
    const isOld = index > opening && index < keptFrom && message.role !== 'assistant';
    return isOld && message.content.length > SHORT_CHARACTERS
      ? { ...message, content: LEFT_OUT }
      : message;
  });
}
