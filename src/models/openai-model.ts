import OpenAI from 'openai';
import { RetryLater } from '../domain/errors.ts';
import type { ModelReply } from '../domain/message.ts';
import { startCallLimits, type CallLimits } from './call-limits.ts';
import { readEvents } from './chat-events.ts';
import { createWire, type Wire } from './wire.ts';
import {
  assumedCapabilities,
  capabilityKey,
  roomInWindow,
  stepDown,
  type Capabilities,
  type CapabilityMemory,
} from './capabilities.ts';
import { checkBaseUrl, readKey } from './endpoint-key.ts';
import { estimateInputTokens } from './estimate-tokens.ts';
import { isApiError, quoted, readFailure, type Failure } from './failure.ts';
import { isContentFilter, isUnusableOutput, mapError } from './map-error.ts';
import type { Model, ModelRequest, ReplyProgress } from './model.ts';
import { loadImages, toChatCompletion } from './openai-request.ts';
import { createReplyAssembly, type ReplyAssembly } from './reply-assembly.ts';

/** Limits of one call. Past `totalMs` or `maxCharacters` what came is a cut reply; past `idleMs` the call failed. */
export interface CallLimitSettings {
  /** Longest time between two signs of life of a stream: events, or comments of a provider that queues. */
  readonly idleMs: number;
  readonly totalMs: number;
  /** By default 12 for each output token asked for, and at least 10,000. */
  readonly maxCharacters?: number;
}

/** The total stays below the activity's own 30 minutes, so that a cut reply is kept and not asked for again. */
const DEFAULT_LIMITS: CallLimitSettings = { idleMs: 300_000, totalMs: 1_680_000 };

/** Servers that ignore the limit of output write on; no text has this many characters a token. */
const MOST_CHARACTERS_PER_TOKEN = 12;
const LEAST_CHARACTERS = 10_000;

/** What the model client needs from its surroundings. */
export interface OpenAiModelOptions {
  /** The environment; keys are read from it at each call. */
  readonly environment: (name: string) => string | undefined;
  readonly capabilities: CapabilityMemory;
  readonly limits?: Partial<CallLimitSettings>;
}

/** A model behind any OpenAI-compatible chat completions API. Asks once; only what a refusal names is asked differently. */
export function createOpenAiModel(options: OpenAiModelOptions): Model {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  return {
    async reply(request, signal, onProgress) {
      signal.throwIfAborted();
      checkBaseUrl(request.endpoint.baseUrl);
      const key = readKey(options.environment, request.endpoint);
      const call: Call = { request, signal, onProgress, key, limits };
      return replyWithStepDown(call, options.capabilities);
    },
  };
}

interface Call {
  readonly request: ModelRequest;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: ReplyProgress) => void) | undefined;
  readonly key: string;
  readonly limits: CallLimitSettings;
}

/** What is sent of a request, after what was learned. */
interface Plan {
  readonly known: Capabilities;
  readonly maxOutputTokens: number;
}

async function replyWithStepDown(call: Call, memory: CapabilityMemory): Promise<ModelReply> {
  const { endpoint, model, maxOutputTokens } = call.request;
  const memoryKey = capabilityKey(endpoint.baseUrl, model);
  const learned = await memory.get(memoryKey);
  let plan = planOf(learned ?? assumedCapabilities(endpoint.baseUrl), maxOutputTokens);
  const tried = new Set<string>();
  for (;;) {
    tried.add(JSON.stringify(plan));
    const outcome = await attempt(call, plan);
    if (outcome.kind === 'reply') {
      // Only what led to an answer is worth remembering; and no reply is lost because it could not be remembered.
      if (tried.size > 1) await memory.set(memoryKey, plan.known).catch(() => undefined);
      return outcome.reply;
    }
    const next = nextPlan(plan, outcome.failure, maxOutputTokens);
    if (next === undefined || tried.has(JSON.stringify(next))) throw outcome.error;
    plan = next;
  }
}

function planOf(known: Capabilities, maxOutputTokens: number): Plan {
  return { known, maxOutputTokens: Math.min(maxOutputTokens, known.maxOutputTokens ?? Infinity) };
}

function nextPlan(plan: Plan, failure: Failure, maxOutputTokens: number): Plan | undefined {
  const room = roomInWindow(failure, plan.maxOutputTokens);
  if (room !== undefined) return { ...plan, maxOutputTokens: room };
  const known = stepDown(plan.known, failure, plan.maxOutputTokens);
  return known === undefined
    ? undefined
    : planOf(known, Math.min(maxOutputTokens, plan.maxOutputTokens));
}

type Outcome =
  | { readonly kind: 'reply'; readonly reply: ModelReply }
  | { readonly kind: 'refusal'; readonly failure: Failure; readonly error: Error };

async function attempt(call: Call, plan: Plan): Promise<Outcome> {
  const limits = startCallLimits(call.signal, call.limits);
  const assembly = createReplyAssembly(estimateInputTokens(call.request));
  const wire = createWire({
    onBytes: () => limits.touch(),
    onTooLong: () => limits.stop('length'),
  });
  try {
    await receive({ call, plan, limits, assembly, wire });
  } catch (error) {
    // A cut shows as some error of the connection, or as a quiet end: what it means is read below.
    if (limits.cut() === undefined) return readRefusal(error, { call, assembly, wire });
  } finally {
    limits.end();
  }
  return { kind: 'reply', reply: finishReply(call, limits, assembly) };
}

interface Receiving {
  readonly call: Call;
  readonly plan: Plan;
  readonly limits: CallLimits;
  readonly assembly: ReplyAssembly;
  readonly wire: Wire;
}

async function receive({ call, plan, limits, assembly, wire }: Receiving): Promise<void> {
  const { request, onProgress } = call;
  const client = new OpenAI({
    apiKey: call.key,
    baseURL: request.endpoint.baseUrl.trim(),
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: call.limits.totalMs,
    logLevel: 'off',
    fetch: wire.fetch,
  });
  const maxCharacters =
    call.limits.maxCharacters ??
    Math.max(LEAST_CHARACTERS, plan.maxOutputTokens * MOST_CHARACTERS_PER_TOKEN);
  const images = await loadImages(request);
  const body = toChatCompletion(request, plan.known, plan.maxOutputTokens, images);
  const response = await client.chat.completions
    .create(body, { signal: limits.signal })
    .asResponse();
  limits.touch();
  for await (const event of readEvents(response, client, request.endpoint.baseUrl)) {
    limits.touch();
    assembly.add(event);
    onProgress?.({ characters: assembly.characters() });
    if (assembly.characters() > maxCharacters) {
      limits.stop('length');
      return;
    }
  }
}

function finishReply(call: Call, limits: CallLimits, assembly: ReplyAssembly): ModelReply {
  const cut = limits.cut();
  if (cut === 'caller') call.signal.throwIfAborted();
  if (cut === 'idle' || (cut === 'total' && assembly.characters() === 0)) {
    const limitMs = cut === 'idle' ? call.limits.idleMs : call.limits.totalMs;
    throw new RetryLater(
      `${call.request.endpoint.baseUrl} sent nothing for ${Math.round(limitMs / 1_000)} s.`,
      { maybePaid: true },
    );
  }
  return assembly.finish(cut !== undefined);
}

function readRefusal(
  error: unknown,
  { call, assembly, wire }: Pick<Receiving, 'call' | 'assembly' | 'wire'>,
): Outcome {
  const { endpoint, model } = call.request;
  const { errorBody, networkError } = wire;
  const mapped = mapError(error, {
    ...endpoint,
    model,
    key: call.key,
    nowMs: Date.now(),
    errorBody,
    networkError,
    hasImages: call.request.messages.some((message) => 'images' in message),
  });
  if (!isApiError(error)) throw mapped;
  const failure = readFailure(error, errorBody, call.key);
  if (isUnusableOutput(failure)) return { kind: 'reply', reply: assembly.finish(true) };
  if (isContentFilter(failure)) return { kind: 'reply', reply: refusedReply(quoted(failure)) };
  return { kind: 'refusal', failure, error: mapped };
}

/** A request that the provider's filter stopped was not worked on, and costs nothing. */
function refusedReply(text: string): ModelReply {
  const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, estimated: true };
  return {
    schemaVersion: 1,
    text,
    toolCalls: [],
    finish: 'refused',
    usage,
    providerState: null,
  };
}
