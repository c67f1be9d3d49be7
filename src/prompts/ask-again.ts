import type { ChatMessage } from '../domain/message.ts';

/** One more turn after a reply that could not be read: what was wrong with it. */
export function askAgain(problems: readonly string[]): ChatMessage {
  const list = problems.map((problem) => `- ${problem}`).join('\n');
  return {
    role: 'user',
    content: `Your answer could not be used:\n${list}\n\nGive the whole answer again, repaired, in the form that was asked, with @done as its last line. Do not shorten it otherwise, and do not explain.`,
  };
}
