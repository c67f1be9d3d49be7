import type { PaperDocument } from '../domain/paper.ts';
import { readMarkdown } from './markdown-answer.ts';
import { paperMessages, requestsText } from './paper-prefix.ts';
import type { Prompt } from './prompt.ts';

/** What every analyst is: the paper and the requests, a task, and an answer in Markdown. */
export function analystPrompt<Evidence>(
  { schemaId, task }: { readonly schemaId: string; readonly task: string },
  paper: PaperDocument,
  userRequests: readonly string[],
  evidenceOf: (markdown: string) => Evidence,
): Prompt<Evidence> {
  return {
    schemaId,
    messages: [
      ...paperMessages(paper),
      { role: 'user', content: `${requestsText(userRequests)}${task}` },
    ],
    maxOutputTokens: 16_000,
    read: (reply) => {
      const reading = readMarkdown(reply);
      if (reading.kind === 'problems') return { kind: 'problems', problems: reading.problems };
      return { kind: 'answer', answer: evidenceOf(reading.answer) };
    },
  };
}
