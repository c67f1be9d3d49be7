import { isLong, isWorthKeeping, type Draft } from '../domain/draft.ts';
import { endsInLoop } from '../domain/join-text.ts';
import type { ChatMessage, ModelReply } from '../domain/message.ts';
import { wholeStatements } from '../domain/top-level.ts';
import { answerLines } from './answer-block.ts';
import { continueWrite, readContinuation } from './continue-write.ts';
import { arrivedText } from './cut-answer.ts';
import { readWrite } from './write-answer.ts';
import { readPart, writePart } from './write-parts.ts';

/** What one reply of the executor brings of a file: all of it, a part of it, or nothing that can be used. */
export type TurnReading =
  | { readonly kind: 'file'; readonly content: string; readonly shrinks: string }
  | {
      readonly kind: 'draft';
      readonly draft: Draft;
      /** Why this reply brought nothing; empty where it did. */
      readonly problems: readonly string[];
    }
  | { readonly kind: 'problems'; readonly problems: readonly string[] };

/** A reply, and what it was asked for: a whole file after `asked` messages, or the rest of a draft. */
export interface TurnAnswer {
  readonly reply: Pick<ModelReply, 'text' | 'finish' | 'usage'>;
  readonly path: string;
  readonly draft: Draft | null;
  readonly asked: number;
}

/** Reads one reply. A reply that was cut is never a file, whatever its text looks like. */
export function readTurn(answer: TurnAnswer): TurnReading {
  const { reply, draft } = answer;
  if (reply.finish === 'refused')
    return { kind: 'problems', problems: ['The answer was a refusal.'] };
  const sendsAll = answerLines(reply.text).some((line) => line.startsWith('@write'));
  if (draft === null || sendsAll) return readAll(answer);
  return draft.kind === 'continuation' ? readMore(answer, draft) : readNextPart(answer, draft);
}

/** What is asked for next where a draft goes on: what has arrived, and how the rest is to be sent. */
export function goOnWith(
  path: string,
  draft: Draft,
  problems: readonly string[],
): readonly ChatMessage[] {
  return draft.kind === 'continuation'
    ? continueWrite(path, draft.text, problems)
    : writePart(path, draft, problems);
}

function readAll({ reply, path, asked }: TurnAnswer): TurnReading {
  const isCut = reply.finish === 'length';
  const reading = readWrite(reply.text, path);
  if (reading.kind === 'answer' && !isCut) return { kind: 'file', ...reading.answer };
  const hasEnd = answerLines(reply.text).some((line) => line.trim() === '@done');
  const arrived = isCut || !hasEnd ? arrivedText(reply.text, path) : undefined;
  if (arrived !== undefined && isWorthKeeping(arrived) && !endsInLoop(arrived)) {
    const draft = isLong(arrived) ? inParts(path, arrived, asked) : undefined;
    return grown(draft ?? { kind: 'continuation', asked, text: arrived });
  }
  const problems = reading.kind === 'problems' ? reading.problems : [];
  return { kind: 'problems', problems: isCut ? [cutSentence(reply)] : problems };
}

function readMore({ reply, path }: TurnAnswer, draft: Draft): TurnReading {
  const isCut = reply.finish === 'length';
  const more = readContinuation(reply.text, path, { text: draft.text, isCut });
  switch (more.kind) {
    case 'whole':
      return { kind: 'file', content: more.text, shrinks: more.shrinks };
    case 'problems':
      return { kind: 'draft', draft, problems: isCut ? [cutSentence(reply)] : more.problems };
    case 'more': {
      const { asked } = draft;
      if (more.text.length <= draft.text.length || endsInLoop(more.text))
        return { kind: 'draft', draft, problems: [cutSentence(reply)] };
      return grown(
        inParts(path, more.text, asked) ?? { kind: 'continuation', asked, text: more.text },
      );
    }
  }
}

function readNextPart(
  { reply }: TurnAnswer,
  draft: Extract<Draft, { kind: 'parts' }>,
): TurnReading {
  if (reply.finish === 'length') return { kind: 'draft', draft, problems: [cutSentence(reply)] };
  const part = readPart(reply.text, draft);
  switch (part.kind) {
    case 'whole':
      return { kind: 'file', content: part.text, shrinks: part.shrinks };
    case 'problems':
      return { kind: 'draft', draft, problems: part.problems };
    case 'more':
      return grown({ ...draft, text: part.text, rest: [...part.rest] });
  }
}

function grown(draft: Draft): TurnReading {
  return { kind: 'draft', draft, problems: [] };
}

/** The draft as it goes on in parts, from its last whole statement; undefined where it cannot be split. */
function inParts(path: string, arrived: string, asked: number): Draft | undefined {
  const text = path.endsWith('.py') ? wholeStatements(arrived) : undefined;
  return text === undefined ? undefined : { kind: 'parts', asked, text, rest: null };
}

function cutSentence({ usage }: Pick<ModelReply, 'usage'>): string {
  return `cut-off: the answer ended after ${usage.outputTokens} tokens, before the file did; send less in one answer, and nothing but the form.`;
}
