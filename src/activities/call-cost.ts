import { estimateImageTokens, type ChatMessage, type Usage } from '../domain/message.ts';
import { costUsd, worstCaseUsd } from '../domain/pricing.ts';
import type { ModelRequest } from '../models/model.ts';
import type { ModelChoice, RunSettings } from '../domain/run-settings.ts';

/** No tokenizer makes more tokens of text than this many bytes each; formulas come near it. */
const LEAST_BYTES_PER_TOKEN = 2.5;
/** What chat formats add to a message. */
const TOKENS_PER_MESSAGE = 8;

/** What a call may cost at worst, in the unit of the budget: nothing cached, all output used. */
export function worstCost(
  {
    messages,
    maxOutputTokens,
    tools,
  }: Pick<ModelRequest, 'messages' | 'maxOutputTokens' | 'tools'>,
  choice: ModelChoice,
  unit: RunSettings['unit'],
): number {
  const offered = tools ? Buffer.byteLength(JSON.stringify(tools)) : 0;
  const bytes = messages.reduce((total, message) => total + bytesOf(message), offered);
  const inputTokens =
    Math.ceil(bytes / LEAST_BYTES_PER_TOKEN) +
    messages.length * TOKENS_PER_MESSAGE +
    estimateImageTokens(messages);
  if (unit === 'tokens') return inputTokens + maxOutputTokens;
  return worstCaseUsd({ inputTokens, maxOutputTokens }, knownPrice(choice));
}

function bytesOf(message: ChatMessage): number {
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  return calls.reduce(
    (total, call) => total + Buffer.byteLength(JSON.stringify(call)),
    Buffer.byteLength(message.content),
  );
}

/** What a call did cost, in the unit of the budget. */
export function actualCost(usage: Usage, choice: ModelChoice, unit: RunSettings['unit']): number {
  return unit === 'tokens'
    ? usage.inputTokens + usage.outputTokens
    : costUsd(usage, knownPrice(choice));
}

function knownPrice({ price, model }: ModelChoice) {
  if (price) return price;
  throw new Error(
    `The budget counts USD, but the price of "${model}" is not in the run's settings.`,
  );
}
