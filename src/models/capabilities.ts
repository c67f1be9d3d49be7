import { z } from 'zod';
import type { Failure } from './failure.ts';

/** What one model at one base URL takes, as far as its refusals have taught us. */
export const Capabilities = z.strictObject({
  outputLimit: z.enum(['max_completion_tokens', 'max_tokens']),
  /** The most output tokens that it accepts to be asked for; null while not known. */
  maxOutputTokens: z.int().min(1).nullable(),
  answerFormat: z.enum(['strict-schema', 'schema', 'json-object', 'prompt']),
  takesTools: z.boolean(),
  streams: z.boolean(),
  takesStreamOptions: z.boolean(),
});
export type Capabilities = Readonly<z.infer<typeof Capabilities>>;

/** Keeps what was learned, by a key made with `capabilityKey`. Losing it costs one refused request each. */
export interface CapabilityMemory {
  get(key: string): Promise<Capabilities | undefined>;
  set(key: string, capabilities: Capabilities): Promise<void>;
}

/** Lower limits than this are not limits of output, but other numbers in a message. */
const LEAST_LIMIT = 64;

/** Below this, an answer that fits into what is left of the window would only be cut. */
const LEAST_ROOM = 1_024;

/** Providers count a few tokens for the frame of the messages that their message does not name. */
const ROOM_MARGIN = 16;

const SIZE_OF_OUTPUT = /max_(completion_|output_|new_)?tokens|maxOutputTokens|completion tokens/i;

/** The name under which a model's capabilities are kept. */
export function capabilityKey(baseUrl: string, model: string): string {
  return `${baseUrl.replace(/\/+$/, '')} ${model}`;
}

/**
 * What we assume before the first refusal. OpenAI's newer models refuse `max_tokens`; most other servers ignore
 * `max_completion_tokens` and would write without end.
 */
export function assumedCapabilities(baseUrl: string): Capabilities {
  const isOpenAi = /(^|\.)openai\.(azure\.)?com$/.test(new URL(baseUrl).hostname);
  return {
    outputLimit: isOpenAi ? 'max_completion_tokens' : 'max_tokens',
    maxOutputTokens: null,
    answerFormat: 'strict-schema',
    takesTools: true,
    streams: true,
    takesStreamOptions: true,
  };
}

/**
 * The next smaller set of capabilities when a refusal (400 or 422) names a parameter that was sent, or a limit of
 * output below `sentOutputTokens`; undefined when it is about something else.
 */
export function stepDown(
  known: Capabilities,
  failure: Failure,
  sentOutputTokens: number,
): Capabilities | undefined {
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const limit = namedLimit(failure, sentOutputTokens);
  if (limit !== undefined) return { ...known, maxOutputTokens: limit };
  switch (namedParameter(failure, known)) {
    case 'max_tokens':
      return { ...known, outputLimit: 'max_completion_tokens' };
    case 'max_completion_tokens':
      return { ...known, outputLimit: 'max_tokens' };
    case 'stream_options':
      return { ...known, takesStreamOptions: false };
    case 'stream':
      return { ...known, streams: false };
    case 'response_format':
      return withLowerFormat(known);
    case 'tools':
      return { ...known, takesTools: false };
    case undefined:
      return undefined;
  }
}

/**
 * Output tokens that still fit the window, when a refusal says that input and output together do not; for this one
 * request, as the next one's input differs. Undefined when too little is left, or the message names no numbers.
 */
export function roomInWindow(failure: Failure, sentOutputTokens: number): number | undefined {
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const window = numberIn(
    /(?:context (?:length|window|size)|limit)[^\d.]{0,30}(\d+)/i.exec(failure.text),
  );
  const input = numberIn(
    /(\d+) (?:tokens )?(?:in the messages|in the input|(?:of )?(?:text )?input|input tokens|from the input)/i.exec(
      failure.text,
    ),
  );
  if (window === undefined || input === undefined) return undefined;
  const room = window - input - ROOM_MARGIN;
  return room >= LEAST_ROOM && room < sentOutputTokens ? room : undefined;
}

/** "supports at most 4096 completion tokens", "the valid range of max_tokens is [1, 8192]", "100000 > 64000". */
function namedLimit(failure: Failure, sentOutputTokens: number): number | undefined {
  const { text } = failure;
  if (!SIZE_OF_OUTPUT.test(`${failure.param} ${text}`)) return undefined;
  if (
    /context (length|window|size)/i.test(text) &&
    !/less than the .{0,3}context_window/.test(text)
  )
    return undefined;
  // Numbers inside names and dates (gpt-4-0613, 2025-08-07) are no limits.
  const numbers = [...text.matchAll(/(?<![\w.-])\d+(?![\w-]|\.\d)/g)].map(([digits]) =>
    Number(digits),
  );
  const below = numbers.filter((value) => value >= LEAST_LIMIT && value < sentOutputTokens);
  // The status stands in front of the SDK's message.
  const limits = below.filter((value) => value !== failure.status);
  if (limits.length === 0) return undefined;
  const limit = Math.max(...limits);
  return text.includes(`${limit} (exclusive)`) ? limit - 1 : limit;
}

/** The parameter that the provider names: by `param`, else the first one in its words. */
function namedParameter(failure: Failure, known: Capabilities): string | undefined {
  const sent = [
    known.outputLimit,
    ...(known.streams && known.takesStreamOptions ? ['stream_options'] : []),
    ...(known.answerFormat === 'prompt' ? [] : ['response_format']),
    ...(known.takesTools ? ['tools'] : []),
    ...(known.streams ? ['stream'] : []),
  ];
  const root = failure.param.split(/[.[]/)[0] ?? '';
  if (sent.includes(root)) return root;
  if (root === 'tool_choice' || root === 'functions') return 'tools';
  // Some models want their reasoning back with the calls that it led to, which we do not keep: words do without.
  if (sent.includes('tools') && /\b(?:reasoning_content|thought_?signature)\b/i.test(failure.text))
    return 'tools';
  return sent
    .map((name) => ({ name, at: positionOf(name, failure.text) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)[0]?.name;
}

/** Names that are English words too count only in quotes, or where the message is about support. */
function positionOf(name: string, text: string): number {
  if (name === 'max_tokens') return text.search(/\bmax_tokens\b/);
  if (name === 'stream') return text.search(/['"`]stream['"`]|stream\w* (is|are) not support/i);
  if (name === 'tools')
    return text.search(
      /['"`]tools['"`]|\btool[_ ]choice\b|\btools param\b|\b(tools?|function calling)\b.{0,30}not support|not support.{0,20}\b(tool|function call)/i,
    );
  if (name === 'response_format')
    return text.search(/\b(response_format|json_schema|structured output)/i);
  return text.search(new RegExp(`\\b${name}\\b`));
}

function withLowerFormat(known: Capabilities): Capabilities | undefined {
  const order = Capabilities.shape.answerFormat.options;
  const next = order[order.indexOf(known.answerFormat) + 1];
  return next === undefined ? undefined : { ...known, answerFormat: next };
}

function numberIn(match: RegExpExecArray | null): number | undefined {
  return match?.[1] === undefined ? undefined : Number(match[1]);
}
