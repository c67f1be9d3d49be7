import { firstSentences } from '../domain/first-sentences.ts';
import type { ChatMessage } from '../domain/message.ts';

/** One cause mostly has many of them. */
const MOST_REASONS = 30;

/** The next turn after a refused write: why it was refused, in the checks' own words. */
export function writeAgain(path: string, reasons: readonly string[]): ChatMessage {
  const list = firstSentences(reasons, MOST_REASONS)
    .map((reason) => `- ${reason}`)
    .join('\n');
  return {
    role: 'user',
    content: `${path} was not accepted:\n${list}\n\nRepair the cause of each, keep all that was right, and send the whole file again in the same form: @write ${path}, the block fenced by four backticks or more, @met, @doubts, @done. Shorten by writing tighter code, never by leaving anything out.`,
  };
}
