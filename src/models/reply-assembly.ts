import { z } from 'zod';
import { RetryLater } from '../domain/errors.ts';
import type { ModelReply, ToolCall, Usage } from '../domain/message.ts';
import { estimateTokens } from './estimate-tokens.ts';

const Count = z.int().min(0).nullish().catch(undefined);
const Text = z.string().nullish().catch(undefined);

const Part = z.object({
  content: Text,
  reasoning_content: Text,
  reasoning: Text,
  refusal: Text,
  tool_calls: z
    .array(
      z.object({
        index: Count,
        id: Text,
        function: z.object({ name: Text, arguments: Text }).nullish(),
      }),
    )
    .nullish(),
});

const ProviderUsage = z.object({
  prompt_tokens: z.int().min(0),
  completion_tokens: z.int().min(0),
  prompt_tokens_details: z.object({ cached_tokens: Count }).nullish().catch(undefined),
  prompt_cache_hit_tokens: Count,
});

/** One event of a stream, or a whole completion, as far as we read it; what servers add or leave out is tolerated. */
export const ChatEvent = z.object({
  choices: z
    .array(
      z.object({
        index: Count,
        delta: Part.nullish(),
        message: Part.nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  usage: ProviderUsage.nullish().catch(undefined),
});
export type ChatEvent = Readonly<z.infer<typeof ChatEvent>>;

/** A reply in the making. */
export interface ReplyAssembly {
  add(event: ChatEvent): void;
  /** Characters of text, reasoning and arguments so far. */
  characters(): number;
  /** The whole reply; `wasCut` says that we stopped reading. Throws `RetryLater` when the provider stopped without an end. */
  finish(wasCut: boolean): ModelReply;
}

const FINISHES: Readonly<Record<string, ModelReply['finish'] | 'failed'>> = {
  stop: 'stop',
  eos: 'stop',
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_calls: 'tool-calls',
  function_call: 'tool-calls',
  tool_use: 'tool-calls',
  length: 'length',
  content_filter: 'refused',
  refusal: 'refused',
  safety: 'refused',
  error: 'failed',
  insufficient_system_resource: 'failed',
};

/** Collects the events of one reply. `inputTokens` is our estimate, used when the provider reports no usage. */
export function createReplyAssembly(inputTokens: number): ReplyAssembly {
  let text = '';
  let refusal = '';
  let reasoningCharacters = 0;
  let reasoningTokens = 0;
  let finishReason: string | undefined;
  let usage: ChatEvent['usage'];
  const calls = createCallAssembly();

  const addPart = (part: z.infer<typeof Part>) => {
    text += part.content ?? '';
    refusal += part.refusal ?? '';
    const reasoning = part.reasoning_content ?? part.reasoning ?? '';
    reasoningCharacters += reasoning.length;
    reasoningTokens += reasoning.length / 4;
    for (const call of part.tool_calls ?? []) calls.add(call);
  };
  return {
    add(event) {
      usage = event.usage ?? usage;
      // A server that ignores `n` may still interleave choices.
      const choice = event.choices?.find(({ index }) => (index ?? 0) === 0);
      const part = choice?.delta ?? choice?.message;
      if (part) addPart(part);
      finishReason = choice?.finish_reason ?? finishReason;
    },
    characters: () => text.length + refusal.length + reasoningCharacters + calls.characters(),
    finish(wasCut) {
      const toolCalls = calls.list();
      const finish = wasCut ? 'length' : readFinish(finishReason, refusal, toolCalls.length > 0);
      const written = estimateTokens(text + refusal + JSON.stringify(toolCalls));
      const estimate = { inputTokens, outputTokens: written + Math.ceil(reasoningTokens) };
      return {
        schemaVersion: 1,
        text: text === '' ? refusal : text,
        toolCalls: [...toolCalls],
        finish,
        usage: readUsage(usage, estimate),
        providerState: null,
      };
    },
  };
}

function readFinish(
  reason: string | undefined,
  refusal: string,
  hasCalls: boolean,
): ModelReply['finish'] {
  if (reason === undefined)
    throw new RetryLater(
      'The reply ended without a finish reason: the provider stopped in the middle of it.',
      { maybePaid: true },
    );
  // A reason that nobody has told us about is never taken for success.
  const finish = FINISHES[reason.toLowerCase()] ?? 'length';
  if (finish === 'failed')
    throw new RetryLater(`The provider gave up on the reply ("${reason}").`, { maybePaid: true });
  if (refusal !== '' && !hasCalls) return 'refused';
  if (finish === 'stop' && hasCalls) return 'tool-calls';
  if (finish === 'tool-calls' && !hasCalls) return 'stop';
  return finish;
}

function readUsage(
  usage: ChatEvent['usage'],
  estimate: { readonly inputTokens: number; readonly outputTokens: number },
): Usage {
  // Gateways that count nothing report zeros: no call reads nothing, and a cap is to hold all the same.
  if (!usage || usage.prompt_tokens === 0) return { ...estimate, cachedTokens: 0, estimated: true };
  const cached = usage.prompt_tokens_details?.cached_tokens ?? usage.prompt_cache_hit_tokens ?? 0;
  return {
    inputTokens: usage.prompt_tokens,
    cachedTokens: Math.min(cached, usage.prompt_tokens),
    outputTokens: usage.completion_tokens,
    estimated: false,
  };
}

interface CallPart {
  readonly index?: number | null | undefined;
  readonly id?: string | null | undefined;
  readonly function?:
    | { readonly name?: string | null | undefined; readonly arguments?: string | null | undefined }
    | null
    | undefined;
}

/** Joins the pieces of tool calls by index; where a server sends none, a new id starts a new call. */
function createCallAssembly() {
  const calls = new Map<number, ToolCall>();
  let last = -1;
  let characters = 0;
  const placeOf = (part: CallPart): number => {
    if (typeof part.index === 'number') return part.index;
    const isNew = typeof part.id === 'string' && part.id !== '' && calls.get(last)?.id !== part.id;
    return isNew || last < 0 ? last + 1 : last;
  };
  return {
    add(part: CallPart) {
      last = placeOf(part);
      const before = calls.get(last) ?? { id: '', name: '', arguments: '' };
      // Calls without a word in them count as well: they, too, could go on for ever.
      characters += 1 + [part.id, part.function?.name, part.function?.arguments].join('').length;
      calls.set(last, {
        id: before.id === '' ? (part.id ?? '') : before.id,
        name: before.name === '' ? (part.function?.name ?? '') : before.name,
        arguments: before.arguments + (part.function?.arguments ?? ''),
      });
    },
    characters: () => characters,
    list: (): readonly ToolCall[] =>
      [...calls.entries()]
        .sort(([a], [b]) => a - b)
        .map(([index, call]) => ({ ...call, id: call.id === '' ? `call_${index}` : call.id })),
  };
}
