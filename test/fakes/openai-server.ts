import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { send, type Answer } from './openai-answer.ts';

export type { Answer } from './openai-answer.ts';

/** A chat completions request as far as scenarios read it. */
export const ChatBody = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  messages: z.array(
    z.looseObject({
      role: z.string(),
      content: z
        .union([
          z.string(),
          z.array(z.looseObject({ type: z.string(), text: z.string().optional() })),
        ])
        .nullish(),
    }),
  ),
});
export type ChatBody = z.infer<typeof ChatBody>;

/** What a scenario decides by. */
export interface ServerRequest {
  readonly body: ChatBody;
  /** All message contents in one text: tests recognise a request by its words. */
  readonly prompt: string;
  /** Place in the order of arrival, from 1. */
  readonly index: number;
  /** How often this very body has come so far, from 1. */
  readonly count: number;
  readonly promptCharacters: number;
}

/** What became of a request. */
export type Ending = 'open' | 'answered' | 'client-left' | 'broken-off';

/** A request as the server remembers it. */
export interface RequestRecord {
  readonly index: number;
  readonly count: number;
  /** Milliseconds since 1970. */
  readonly arrivedAt: number;
  endedAt: number | undefined;
  ending: Ending;
  /** Of the body as sent. */
  readonly sha256: string;
  readonly promptCharacters: number;
  /** The body as sent; empty when the server was told not to keep bodies. */
  readonly body: string;
  readonly authorization: string;
}

/** How a server is started. */
export interface OpenAiServerOptions {
  readonly answer: (request: ServerRequest) => Answer | Promise<Answer>;
  /** How long each answer waits before its first byte. */
  readonly latencyMs?: number;
  /** 0, the default, takes a free port. */
  readonly port?: number;
  /** When set, any other key is refused with 401. */
  readonly key?: string;
  /** False saves memory over many thousands of requests. */
  readonly keepBodies?: boolean;
  /** Called on arrival and at the end of each request. */
  readonly onChange?: (record: RequestRecord) => void;
}

/** A running server. */
export interface OpenAiServer {
  /** Ends in `/v1`. */
  readonly baseUrl: string;
  readonly requests: readonly RequestRecord[];
  /** The requests whose body holds the text, or fits the predicate. */
  where(match: string | ((record: RequestRecord) => boolean)): readonly RequestRecord[];
  close(): Promise<void>;
}

/** Starts an OpenAI-compatible server on the loopback address that answers by script and counts every call. */
export async function startOpenAiServer(options: OpenAiServerOptions): Promise<OpenAiServer> {
  const requests: RequestRecord[] = [];
  const counts = new Map<string, number>();
  const server = createServer((incoming, response) => {
    handle({ options, requests, counts }, incoming, response).catch((error: unknown) =>
      sendFault(response, error),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    where: (match) =>
      requests.filter((record) =>
        typeof match === 'string' ? record.body.includes(match) : match(record),
      ),
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

interface Running {
  readonly options: OpenAiServerOptions;
  readonly requests: RequestRecord[];
  readonly counts: Map<string, number>;
}

async function handle(
  running: Running,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { options } = running;
  const text = await readText(incoming);
  const authorization = incoming.headers.authorization ?? '';
  const body = ChatBody.safeParse(parseJson(text));
  if (incoming.url !== '/v1/chat/completions' || incoming.method !== 'POST') {
    sendError(response, 404, { message: `Invalid URL (${incoming.url ?? ''})` });
    return;
  }
  if (options.key !== undefined && authorization !== `Bearer ${options.key}`) {
    sendError(response, 401, { message: 'Invalid API Key', code: 'invalid_api_key' });
    return;
  }
  if (!body.success) {
    sendError(response, 400, { message: z.prettifyError(body.error), param: 'messages' });
    return;
  }

  const prompt = body.data.messages.map(({ content }) => wordsOf(content)).join('\n');
  const record = remember(running, { text, prompt, authorization });
  const left = watchEnd(running, record, response);
  const { index, count, promptCharacters } = record;
  const answer = await options.answer({ body: body.data, prompt, index, count, promptCharacters });
  const latencyMs = answer.latencyMs ?? options.latencyMs ?? 0;
  if (latencyMs > 0) await wait(latencyMs, undefined, { signal: left }).catch(() => undefined);
  if (left.aborted) return;
  if (await send(response, answer, { body: body.data, promptCharacters, left })) return;
  record.ending = 'broken-off';
  response.destroy();
}

/** The words of a message, which may stand in parts between pictures. */
function wordsOf(content: ChatBody['messages'][number]['content']): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('\n');
}

function remember(
  { requests, counts, options }: Running,
  request: { readonly text: string; readonly prompt: string; readonly authorization: string },
): RequestRecord {
  const sha256 = createHash('sha256').update(request.text).digest('hex');
  const count = (counts.get(sha256) ?? 0) + 1;
  counts.set(sha256, count);
  const record: RequestRecord = {
    index: requests.length + 1,
    count,
    arrivedAt: Date.now(),
    endedAt: undefined,
    ending: 'open',
    sha256,
    promptCharacters: request.prompt.length,
    body: options.keepBodies === false ? '' : request.text,
    authorization: request.authorization,
  };
  requests.push(record);
  options.onChange?.(record);
  return record;
}

/** Notes how the request ends; the signal aborts when the client has left, or the server closes. */
function watchEnd(
  { options }: Running,
  record: RequestRecord,
  response: ServerResponse,
): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    record.endedAt = Date.now();
    if (record.ending === 'open')
      record.ending = response.writableFinished ? 'answered' : 'client-left';
    left.abort();
    options.onChange?.(record);
  });
  // Writing to a client that has just left is no fault of the server.
  response.on('error', () => undefined);
  return left.signal;
}

async function readText(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) if (Buffer.isBuffer(chunk)) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function sendError(
  response: ServerResponse,
  status: number,
  error: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { type: 'invalid_request_error', ...error } }));
}

/** A scenario that throws is a fault of the test: it must be seen, not retried in silence. */
function sendFault(response: ServerResponse, error: unknown): void {
  if (response.destroyed || response.headersSent) return void response.destroy();
  console.error('The scenario of the fake server threw:', error);
  sendError(response, 400, { message: `The scenario threw: ${String(error)}` });
}
