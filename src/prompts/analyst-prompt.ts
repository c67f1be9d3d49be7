import type { ImageRef } from '../domain/message.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { readMarkdown } from './markdown-answer.ts';
import { paperMessages, requestsText } from './paper-prefix.ts';
import type { Prompt } from './prompt.ts';

/** What every analyst is: the paper and the requests, a task, and an answer in Markdown. */
export function analystPrompt<Evidence>(
  {
    schemaId,
    task,
    images,
  }: {
    readonly schemaId: string;
    readonly task: string;
    readonly images?: ImageRef[];
  },
  paper: PaperDocument,
  userRequests: readonly string[],
  evidenceOf: (markdown: string) => Evidence,
): Prompt<Evidence> {
  return {
    schemaId,
    messages: [
      ...paperMessages(paper),
      {
        role: 'user',
        content: `${requestsText(userRequests)}${task}`,
        ...(images && { images }),
      },
    ],
    maxOutputTokens: 16_000,
    read: (reply) => {
      const reading = readMarkdown(reply);
      if (reading.kind === 'problems') return { kind: 'problems', problems: reading.problems };
      return { kind: 'answer', answer: evidenceOf(reading.answer) };
    },
  };
}
