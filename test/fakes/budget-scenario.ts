// What the scripted server answers in tests of budgets: the plan's answers, with usage and faults by chance; and a line
// in CRASH_LOG for each request, before its answer, with the tokens that this provider charges for it.
import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { z } from 'zod';
import { randomFrom, type Random } from './random.ts';
import type { Answer, ServerRequest } from './openai-server.ts';
import { aPlan, answerTo } from './plan-scenario.ts';

const log = process.env['CRASH_LOG'] ?? '';
const plan = aPlan({
  files: Number(process.env['CRASH_FILES']),
  depth: Number(process.env['CRASH_DEPTH']),
});
const latencyMs = Number(process.env['CRASH_LATENCY_MS']);

/** As `call-cost.ts` has it: no tokenizer makes more of a text. */
const LEAST_BYTES_PER_TOKEN = 2.5;
const TOKENS_PER_MESSAGE = 8;

const Limits = z.looseObject({
  max_completion_tokens: z.number().optional(),
  max_tokens: z.number().optional(),
});

const FATES = [
  ...['reply', 'reply', 'reply', 'reply', 'reply', 'reply', 'reply', 'reply', 'reply', 'reply'],
  ...['worst', 'cut', 'unreported', 'zeros', 'busy', 'broken', 'drop', 'drop-late'],
] as const;

/** Tokens that a request is charged with. */
interface Charge {
  readonly input: number;
  readonly output: number;
}

export function answer({ body, prompt, index }: ServerRequest): Answer {
  const messages = body.messages.map(({ role, content }) => [role, content]);
  const sha256 = createHash('sha256').update(JSON.stringify(messages)).digest('hex');
  const random = randomFrom(Number.parseInt(sha256.slice(0, 7), 16) + index);
  const fate = random.shuffled(FATES)[0] ?? 'reply';
  const text = answerTo(prompt, plan);
  const charge = chargeFor(fate, { random, text, ...mostTokens(body) });
  const record = { model: body.model, sha256, at: Date.now(), fate, ...charge };
  appendFileSync(log, `${JSON.stringify(record)}\n`);
  return {
    ...answerBy(fate, text, charge),
    latencyMs: latencyMs * (0.5 + random.below(100) / 100),
  };
}

/** What a request can cost at most. */
function mostTokens(body: ServerRequest['body']): Charge {
  const bytes = body.messages.reduce(
    (sum, { content }) => sum + Buffer.byteLength(typeof content === 'string' ? content : ''),
    0,
  );
  const limits = Limits.parse(body);
  return {
    input: Math.ceil(bytes / LEAST_BYTES_PER_TOKEN) + body.messages.length * TOKENS_PER_MESSAGE,
    output: limits.max_completion_tokens ?? limits.max_tokens ?? 0,
  };
}

function chargeFor(
  fate: (typeof FATES)[number],
  { random, text, input, output }: Charge & { readonly random: Random; readonly text: string },
): Charge {
  if (fate === 'busy' || fate === 'broken') return { input: 0, output: 0 };
  if (fate === 'worst') return { input, output };
  // What a provider does not tell can only be estimated: it charges what the text is.
  if (fate === 'unreported' || fate === 'zeros')
    return { input: Math.ceil(input / 4), output: Math.ceil(text.length / 8) };
  const share = (): number => (1 + random.below(1_000)) / 1_000;
  return {
    input: Math.ceil(input * share()),
    output: fate === 'cut' ? output : Math.ceil(output * share() ** 3),
  };
}

function answerBy(fate: (typeof FATES)[number], text: string, usage: Charge): Answer {
  switch (fate) {
    case 'busy':
      return { kind: 'status', status: 429, headers: { 'retry-after-ms': '50' }, body: '{}' };
    case 'broken':
      return { kind: 'status', status: 500, body: '{"error":{"message":"overloaded"}}' };
    case 'drop':
      return { kind: 'drop' };
    case 'drop-late':
      return { kind: 'drop', afterText: text.slice(0, text.length / 2) };
    case 'cut':
      return { kind: 'reply', text: text.slice(0, -10), finish: 'length', usage };
    case 'unreported':
      return { kind: 'reply', text, usageIn: 'none' };
    case 'zeros':
      return { kind: 'reply', text, usage: { input: 0, output: 0 } };
    case 'reply':
    case 'worst':
      return { kind: 'reply', text, usage };
  }
}
