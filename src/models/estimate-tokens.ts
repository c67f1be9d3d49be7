import { estimateImageTokens } from '../domain/message.ts';
import type { ModelRequest } from './model.ts';

/** English text and code run at about four characters a token; a tokenizer would cost 115 MB of memory a worker. */
const CHARACTERS_PER_TOKEN = 4;

/** What a message costs beyond its text: role and separators. */
const TOKENS_PER_MESSAGE = 4;

/** About how many tokens a text has, for when a provider does not say. Characters beyond Latin count as one each. */
export function estimateTokens(text: string): number {
  const others = text.match(/[^\0-\u024f]/g)?.length ?? 0;
  return Math.ceil((text.length - others) / CHARACTERS_PER_TOKEN) + others;
}

/** About how many tokens a request has, with its tools and the shape of its answer. */
export function estimateInputTokens(request: ModelRequest): number {
  const messages = request.messages.map((message) => {
    const calls = message.role === 'assistant' ? JSON.stringify(message.toolCalls) : '';
    return estimateTokens(message.content + calls) + TOKENS_PER_MESSAGE;
  });
  const frame = JSON.stringify([request.tools ?? [], request.schema?.json ?? {}]);
  const base = estimateTokens(frame) + estimateImageTokens(request.messages);
  return messages.reduce((sum, tokens) => sum + tokens, base);
}
