import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** How usage is reported: in a last chunk without choices, together with the last choice, or not at all. */
export type UsagePlace = 'last' | 'with-choice' | 'none';

/** Tokens as a test wants them reported; what is left out is counted from the characters. */
export interface UsageNumbers {
  readonly input?: number;
  readonly cached?: number;
  readonly output?: number;
}

/** What the server does with one request. */
export type Answer = { readonly latencyMs?: number } & (
  | {
      readonly kind: 'reply';
      readonly text?: string;
      readonly reasoning?: string;
      readonly refusal?: string;
      readonly toolCalls?: readonly { readonly name: string; readonly arguments: string }[];
      /** As the provider words it: `stop`, `length`, `tool_calls`, `content_filter`; null leaves it out. */
      readonly finish?: string | null;
      readonly usage?: UsageNumbers;
      readonly usageIn?: UsagePlace;
      readonly chunkCharacters?: number;
      /** Answer whole, as a server does that ignores `stream`. */
      readonly ignoresStream?: boolean;
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body: unknown;
    }
  | { readonly kind: 'html'; readonly status?: number }
  /** Raw bytes with status 200, such as broken JSON or events. */
  | { readonly kind: 'raw'; readonly contentType: string; readonly text: string }
  /** The connection breaks, before any byte or after some text. */
  | { readonly kind: 'drop'; readonly afterText?: string }
  /** Nothing comes any more, before any byte or after some text. */
  | { readonly kind: 'stall'; readonly afterText?: string }
  /** The piece comes again and again until the client leaves. */
  | { readonly kind: 'endless'; readonly piece: string }
);

interface Sending {
  readonly body: { readonly model: string; readonly stream?: boolean | undefined };
  readonly promptCharacters: number;
  /** Aborts when the client has left. */
  readonly left: AbortSignal;
}

type Reply = Extract<Answer, { kind: 'reply' }>;

/** Sends the answer. False means that the connection is to be broken off now. */
export async function send(
  response: ServerResponse,
  answer: Answer,
  sending: Sending,
): Promise<boolean> {
  switch (answer.kind) {
    case 'reply':
      return sendReply(response, answer, sending);
    case 'status':
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
      return true;
    case 'html':
      response.writeHead(answer.status ?? 200, { 'content-type': 'text/html; charset=utf-8' });
      response.end('<!doctype html><title>Welcome</title><p>This is a page for people.</p>');
      return true;
    case 'raw':
      response.writeHead(200, { 'content-type': answer.contentType });
      response.end(answer.text);
      return true;
    case 'drop':
      if (answer.afterText === undefined) return false;
      await sendPart(response, answer.afterText, sending);
      return false;
    case 'stall':
      if (answer.afterText !== undefined) await sendPart(response, answer.afterText, sending);
      if (!sending.left.aborted) await once(sending.left, 'abort');
      return true;
    case 'endless':
      return sendEndless(response, answer.piece, sending);
  }
}

async function sendReply(
  response: ServerResponse,
  reply: Reply,
  sending: Sending,
): Promise<boolean> {
  const usage = usageOf(reply, sending);
  if (sending.body.stream !== true || reply.ignoresStream === true) {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(toCompletion(reply, sending.body.model, usage)));
    return true;
  }
  startStream(response);
  for (const delta of toDeltas(reply)) await write(response, toChunk(sending, delta));
  const finish = finishOf(reply);
  const place = reply.usageIn ?? 'last';
  const withUsage = place === 'with-choice' ? { usage } : {};
  if (finish !== null) await write(response, { ...toChunk(sending, {}, finish), ...withUsage });
  if (place === 'last') await write(response, { ...toChunk(sending, {}), choices: [], usage });
  response.end('data: [DONE]\n\n');
  return true;
}

function toDeltas(reply: Reply): readonly Readonly<Record<string, unknown>>[] {
  const size = reply.chunkCharacters ?? 2_000;
  const calls = (reply.toolCalls ?? []).flatMap((call, index) => [
    {
      tool_calls: [
        {
          index,
          id: `call_${index}`,
          type: 'function',
          function: { name: call.name, arguments: '' },
        },
      ],
    },
    ...pieces(call.arguments, size).map((piece) => ({
      tool_calls: [{ index, function: { arguments: piece } }],
    })),
  ]);
  return [
    { role: 'assistant', content: null },
    ...pieces(reply.reasoning ?? '', size).map((piece) => ({ reasoning_content: piece })),
    ...pieces(reply.text ?? '', size).map((piece) => ({ content: piece })),
    ...(reply.refusal === undefined ? [] : [{ refusal: reply.refusal }]),
    ...calls,
  ];
}

function toCompletion(reply: Reply, model: string, usage: unknown) {
  const message = {
    role: 'assistant',
    content: reply.text ?? null,
    reasoning_content: reply.reasoning,
    refusal: reply.refusal ?? null,
    tool_calls: reply.toolCalls?.map((call, index) => ({
      id: `call_${index}`,
      type: 'function',
      function: call,
    })),
  };
  const choices = [{ index: 0, message, finish_reason: finishOf(reply) }];
  const reported = reply.usageIn === 'none' ? {} : { usage };
  return { id: 'chatcmpl-1', object: 'chat.completion', model, choices, ...reported };
}

function finishOf(reply: Reply): string | null {
  if (reply.finish !== undefined) return reply.finish;
  return (reply.toolCalls?.length ?? 0) > 0 ? 'tool_calls' : 'stop';
}

function usageOf(reply: Reply, { promptCharacters }: Sending) {
  const written = JSON.stringify([reply.text, reply.reasoning, reply.toolCalls]).length;
  return {
    prompt_tokens: reply.usage?.input ?? Math.ceil(promptCharacters / 4),
    completion_tokens: reply.usage?.output ?? Math.ceil(written / 4),
    prompt_tokens_details: { cached_tokens: reply.usage?.cached ?? 0 },
  };
}

async function sendPart(response: ServerResponse, text: string, sending: Sending): Promise<void> {
  startStream(response);
  await write(response, toChunk(sending, { content: text }));
}

async function sendEndless(
  response: ServerResponse,
  piece: string,
  sending: Sending,
): Promise<boolean> {
  startStream(response);
  while (!sending.left.aborted) {
    await write(response, toChunk(sending, { content: piece }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return true;
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
}

/** Resolves once the piece has gone to the connection, so that what follows cannot overtake it. */
async function write(response: ServerResponse, event: unknown): Promise<void> {
  await new Promise<void>((resolve) => {
    response.write(`data: ${JSON.stringify(event)}\n\n`, () => resolve());
  });
}

function toChunk({ body }: Sending, delta: unknown, finish: string | null = null) {
  const choices = [{ index: 0, delta, finish_reason: finish }];
  return { id: 'chatcmpl-1', object: 'chat.completion.chunk', model: body.model, choices };
}

function pieces(text: string, size: number): readonly string[] {
  const count = Math.ceil(text.length / size);
  return Array.from({ length: count }, (_, index) => text.slice(index * size, (index + 1) * size));
}
