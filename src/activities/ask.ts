import type { ChatMessage, ModelReply, Role } from '../domain/message.ts';
import { askAgain } from '../prompts/ask-again.ts';
import type { Prompt, Reading } from '../prompts/prompt.ts';
import type { ModelCalls } from './model-calls.ts';

/** Tries of one question: the first, and again with the problems quoted. */
const MAX_TRIES = 3;

/** Asks until the reply can be read; after the last try, what was wrong with it. Never a Temporal retry: each try is paid. */
export async function ask<Answer>(
  calls: ModelCalls,
  role: Role,
  label: string,
  prompt: Prompt<Answer>,
): Promise<Reading<Answer>> {
  let messages: readonly ChatMessage[] = prompt.messages;
  for (let attempt = 1; ; attempt += 1) {
    const { schemaId, maxOutputTokens } = prompt;
    const { reply } = await calls.reply({
      label: `${label}/try${attempt}`,
      role,
      schemaId,
      messages,
      maxOutputTokens,
    });
    const reading = readReply(reply, prompt);
    if (reading.kind === 'answer') return reading;
    if (attempt === MAX_TRIES) return atLast(reading);
    messages = [
      ...prompt.messages,
      { role: 'assistant', content: reply.text, toolCalls: [] },
      askAgain(reading.problems),
    ];
  }
}

/** A sound part is better than nothing: one bad path among thirty must not end a run that has been paid for. */
function atLast<Answer>({
  problems,
  rest,
}: Extract<Reading<Answer>, { kind: 'problems' }>): Reading<Answer> {
  return rest === undefined
    ? { kind: 'problems', problems }
    : { kind: 'answer', answer: rest, dropped: problems };
}

function readReply<Answer>(reply: ModelReply, prompt: Prompt<Answer>): Reading<Answer> {
  const problem = endProblem(reply);
  return problem ? { kind: 'problems', problems: [problem] } : prompt.read(reply.text);
}

/** Why a reply cannot be whole, by the way it ended, or undefined. */
export function endProblem({ finish, usage }: ModelReply): string | undefined {
  if (finish === 'length') {
    return `The answer was cut off after ${usage.outputTokens} tokens: give it again, shorter, and whole.`;
  }
  return finish === 'refused' ? 'The answer was a refusal.' : undefined;
}
