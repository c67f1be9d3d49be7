import assert from 'node:assert/strict';
import { ContextTooLong, NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import type { CapabilityMemory } from '../../src/models/capabilities.ts';
import { createCapabilityMemory } from '../../src/models/capability-file.ts';
import type { ModelRequest, ReplyProgress } from '../../src/models/model.ts';
import { createOpenAiModel, type CallLimitSettings } from '../../src/models/openai-model.ts';
import {
  startOpenAiServer,
  type Answer,
  type OpenAiServer,
  type OpenAiServerOptions,
} from '../fakes/openai-server.ts';
import { aRequest } from './a-request.ts';

const KEY = 'sk-test-0123456789abcdef';

interface Asked {
  readonly request?: Partial<ModelRequest>;
  readonly limits?: Partial<CallLimitSettings>;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: ReplyProgress) => void;
}

/** Runs a test against a server that is closed afterwards. */
async function withServer(
  answer: Answer | OpenAiServerOptions['answer'],
  test: (server: OpenAiServer, ask: (asked?: Asked) => ReturnType<typeof askOnce>) => Promise<void>,
  options: Partial<OpenAiServerOptions> = {},
): Promise<void> {
  const script = typeof answer === 'function' ? answer : () => answer;
  const server = await startOpenAiServer({ answer: script, ...options });
  const capabilities = createCapabilityMemory();
  try {
    await test(server, (asked = {}) => askOnce(server.baseUrl, capabilities, asked));
  } finally {
    await server.close();
  }
}

function askOnce(
  baseUrl: string,
  capabilities: CapabilityMemory,
  { request, limits = {}, key = KEY, signal, onProgress }: Asked,
) {
  const model = createOpenAiModel({ environment: () => key, capabilities, limits });
  return model.reply(
    aRequest(baseUrl, request),
    signal ?? new AbortController().signal,
    onProgress,
  );
}

const retryLater = (maybePaid: boolean, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof RetryLater, String(error));
  assert.equal(error.maybePaid, maybePaid);
  assert.match(error.message, words);
  return true;
};

const needsPerson = (kind: NeedsPerson['kind'], words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof NeedsPerson, String(error));
  assert.equal(error.kind, kind);
  assert.match(`${error.message} ${error.remedy}`, words);
  assert.ok(!`${error.message} ${error.remedy}`.includes(KEY), 'the key is in the message');
  return true;
};

/** The parameters of the request at a place, from 0. */
function sent(server: OpenAiServer, place: number): ReadonlyMap<string, unknown> {
  const body: unknown = JSON.parse(server.requests[place]?.body ?? '{}');
  return new Map(Object.entries(body ?? {}));
}

const refusal = (message: string, param?: string): Answer => ({
  kind: 'status',
  status: 400,
  body: { error: { message, type: 'invalid_request_error', param: param ?? null, code: null } },
});

describe('the OpenAI-compatible model', () => {
  it('puts the pieces of a streamed reply together and counts its reasoning as progress', async () => {
    const answer: Answer = {
      kind: 'reply',
      text: 'print("hello")',
      reasoning: 'think',
      chunkCharacters: 3,
      usage: { input: 50, cached: 20, output: 7 },
    };
    await withServer(answer, async (server, ask) => {
      const seen: number[] = [];
      const reply = await ask({ onProgress: ({ characters }) => seen.push(characters) });
      assert.deepEqual(reply, {
        schemaVersion: 1,
        text: 'print("hello")',
        toolCalls: [],
        finish: 'stop',
        usage: { inputTokens: 50, cachedTokens: 20, outputTokens: 7, estimated: false },
        providerState: null,
      });
      assert.equal(seen.at(-1), 'print("hello")think'.length);
      assert.deepEqual(sent(server, 0).get('stream_options'), { include_usage: true });
      assert.equal(sent(server, 0).get('max_tokens'), 1_000);
      assert.equal(server.requests[0]?.authorization, `Bearer ${KEY}`);
    });
  });

  it('joins the arguments of tool calls by index', async () => {
    const toolCalls = [
      { name: 'read_file', arguments: '{"path": "a.py"}' },
      { name: 'write_file', arguments: '{"path": "b.py", "text": "x"}' },
    ];
    await withServer({ kind: 'reply', toolCalls, chunkCharacters: 4 }, async (_server, ask) => {
      const reply = await ask();
      assert.equal(reply.finish, 'tool-calls');
      assert.deepEqual(
        reply.toolCalls,
        toolCalls.map((call, index) => ({ id: `call_${index}`, ...call })),
      );
    });
  });

  it('reads usage that comes with a choice, and estimates it when none comes', async () => {
    await withServer(
      ({ count }) => ({
        kind: 'reply',
        text: 'ok',
        usage: { input: 9, output: 2 },
        usageIn: count === 1 ? 'with-choice' : 'none',
      }),
      async (_server, ask) => {
        assert.equal((await ask()).usage.inputTokens, 9);
        const { usage } = await ask();
        assert.equal(usage.estimated, true);
        assert.ok(usage.inputTokens > 5 && usage.inputTokens < 50 && usage.outputTokens > 0);
      },
    );
  });

  it('says so when a reply is cut or refused', async () => {
    const finishOf = async (answer: Answer) => {
      let finish = '';
      await withServer(answer, async (_server, ask) => void (finish = (await ask()).finish));
      return finish;
    };
    assert.equal(await finishOf({ kind: 'reply', text: 'def', finish: 'length' }), 'length');
    assert.equal(await finishOf({ kind: 'reply', finish: 'content_filter' }), 'refused');
    assert.equal(await finishOf({ kind: 'reply', refusal: 'I cannot.' }), 'refused');
    assert.equal(await finishOf({ kind: 'reply', text: 'x', finish: 'unheard_of' }), 'length');
    const filtered = { error: { message: 'The prompt was filtered.', code: 'content_filter' } };
    assert.equal(await finishOf({ kind: 'status', status: 400, body: filtered }), 'refused');
  });

  it('takes a whole answer from a server that does not stream', async () => {
    await withServer(
      { kind: 'reply', text: 'whole', ignoresStream: true },
      async (_server, ask) => {
        assert.equal((await ask()).text, 'whole');
      },
    );
  });

  it('tries later, as maybe paid, when the stream ends, breaks or turns to nonsense', async () => {
    const rejects = (answer: Answer, words: RegExp) =>
      withServer(answer, (_server, ask) => assert.rejects(ask(), retryLater(true, words)));
    await rejects({ kind: 'reply', text: 'half', finish: null }, /without a finish reason/);
    await rejects({ kind: 'drop', afterText: 'half' }, /broke before the reply was whole/);
    await rejects({ kind: 'drop' }, /broke before the reply was whole/);
    await rejects({ kind: 'raw', contentType: 'text/event-stream', text: '' }, /finish reason/);
    await rejects(
      { kind: 'raw', contentType: 'text/event-stream', text: 'data: {"choices": [\n\n' },
      /not JSON/,
    );
    await rejects(
      { kind: 'raw', contentType: 'text/event-stream', text: 'data: {"choices": 7}\n\n' },
      /not of a chat completion/,
    );
    await rejects({ kind: 'raw', contentType: 'application/json', text: '{"cho' }, /not JSON/);
    const inBand = 'data: {"error": {"code": 500, "message": "model died"}}\n\n';
    await rejects({ kind: 'raw', contentType: 'text/event-stream', text: inBand }, /model died/);
  });

  it('calls a reply cut that the server itself could not read', async () => {
    const message = 'The model produced output that does not match the expected peg-native format';
    const inBand = `data: ${JSON.stringify({ error: { code: 500, message } })}\n\n`;
    const start = 'data: {"choices": [{"delta": {"content": "<tool"}}]}\n\n';
    await withServer(
      { kind: 'raw', contentType: 'text/event-stream', text: start + inBand },
      async (_server, ask) => {
        const reply = await ask();
        assert.deepEqual([reply.finish, reply.text], ['length', '<tool']);
      },
    );
  });

  it('keeps a reply though what it taught cannot be remembered', async () => {
    const server = await startOpenAiServer({
      answer: ({ body }) =>
        'stream_options' in body ? refusal('stream_options') : { kind: 'reply', text: 'ok' },
    });
    const full = async () => Promise.reject(new Error('The disk is full.'));
    const capabilities = { get: async () => undefined, set: full };
    assert.equal((await askOnce(server.baseUrl, capabilities, {})).text, 'ok');
    await server.close();
  });

  it('tries later, as not paid, when nobody listens', async () => {
    const server = await startOpenAiServer({ answer: () => ({ kind: 'stall' }) });
    await server.close();
    await assert.rejects(
      askOnce(server.baseUrl, createCapabilityMemory(), {}),
      retryLater(false, /cannot be reached \(ECONNREFUSED\)/),
    );
  });

  it('gives up on a stream that stalls', async () => {
    await withServer({ kind: 'stall', afterText: 'a' }, async (server, ask) => {
      await assert.rejects(ask({ limits: { idleMs: 50 } }), retryLater(true, /sent nothing for/));
      assert.equal(server.requests.length, 1);
    });
  });

  it('calls a reply cut that never ends, and hangs up', async () => {
    await withServer({ kind: 'endless', piece: 'la '.repeat(100) }, async (server, ask) => {
      const reply = await ask({ limits: { maxCharacters: 5_000 } });
      assert.equal(reply.finish, 'length');
      assert.ok(reply.text.length > 5_000 && reply.usage.estimated);
      while (server.requests[0]?.ending === 'open') await new Promise(setImmediate);
      assert.equal(server.requests[0]?.ending, 'client-left');
    });
  });

  it('calls a reply cut that takes longer than a call may', async () => {
    await withServer({ kind: 'stall', afterText: 'half' }, async (_server, ask) => {
      const reply = await ask({ limits: { totalMs: 60 } });
      assert.deepEqual([reply.finish, reply.text], ['length', 'half']);
    });
  });

  it('rejects with the reason of its signal, before and during the call', async () => {
    await withServer({ kind: 'stall', afterText: 'a' }, async (server, ask) => {
      const reason = new Error('the worker shuts down');
      await assert.rejects(ask({ signal: AbortSignal.abort(reason) }), reason);
      assert.equal(server.requests.length, 0);
      const controller = new AbortController();
      const onProgress = () => controller.abort(reason);
      await assert.rejects(ask({ signal: controller.signal, onProgress }), reason);
    });
  });

  it('waits for a person when the base URL answers with a page', async () => {
    for (const status of [200, 404])
      await withServer({ kind: 'html', status }, (server, ask) =>
        assert.rejects(
          ask(),
          needsPerson('request', new RegExp(`${server.baseUrl}.*HTML page.*Set the base URL`)),
        ),
      );
    await withServer({ kind: 'html', status: 502 }, (_server, ask) =>
      assert.rejects(ask(), retryLater(false, /an HTML page/)),
    );
    const model = createOpenAiModel({
      environment: () => KEY,
      capabilities: createCapabilityMemory(),
    });
    await assert.rejects(
      model.reply(aRequest('localhost:80'), new AbortController().signal),
      needsPerson('request', /"localhost:80" is not an http/),
    );
  });

  it('waits for a key that is wrong, and never sends one that cannot be a header', async () => {
    await withServer(
      { kind: 'reply', text: 'ok' },
      async (server, ask) => {
        await assert.rejects(ask(), needsPerson('key', /Set TEST_KEY to a key/));
        await assert.rejects(ask({ key: `${KEY}\n` }), needsPerson('key', /a line break/));
        await assert.rejects(ask({ key: `${KEY}é` }), needsPerson('key', /beyond ASCII/));
        assert.equal(server.requests.length, 0);
        assert.equal((await ask({ key: 'right' })).text, 'ok');
      },
      { key: 'right' },
    );
  });

  it('sends a dummy key to a server of one’s own, but asks for OpenAI’s', async () => {
    await withServer({ kind: 'reply', text: 'ok' }, async (server, ask) => {
      await ask({ key: '' });
      assert.equal(server.requests[0]?.authorization, 'Bearer none');
    });
    await assert.rejects(
      askOnce('https://api.openai.com/v1', createCapabilityMemory(), { key: '' }),
      needsPerson('key', /TEST_KEY is not set/),
    );
  });

  it('asks without a parameter that a refusal names, and remembers it', async () => {
    await withServer(
      ({ body }) =>
        'stream_options' in body
          ? refusal('Extra inputs are not permitted: stream_options')
          : { kind: 'reply', text: 'ok' },
      async (server, ask) => {
        await ask();
        await ask();
        assert.equal(server.requests.length, 3);
        assert.equal(sent(server, 2).has('stream_options'), false);
      },
    );
  });

  it('uses the other name of the output limit once, and gives up when neither is taken', async () => {
    await withServer(
      ({ body }) =>
        refusal(`Unsupported: ${'max_tokens' in body ? 'max_tokens' : 'max_completion_tokens'}`),
      async (server, ask) => {
        await assert.rejects(ask(), needsPerson('request', /Unsupported/));
        assert.equal(server.requests.length, 2);
        await assert.rejects(ask());
        assert.equal(server.requests.length, 4, 'what led to no answer is not remembered');
      },
    );
  });

  it('asks for fewer tokens where the model writes fewer, from then on', async () => {
    const words =
      'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.';
    await withServer(
      ({ body }) =>
        Number(body['max_tokens']) > 16_384
          ? refusal(words, 'max_tokens')
          : { kind: 'reply', text: 'ok' },
      async (server, ask) => {
        await ask({ request: { maxOutputTokens: 32_000 } });
        await ask({ request: { maxOutputTokens: 32_000 } });
        const limits = server.requests.map((_request, place) =>
          sent(server, place).get('max_tokens'),
        );
        assert.deepEqual(limits, [32_000, 16_384, 16_384]);
      },
    );
  });

  it('asks for what is left of the window, and only then calls the request too long', async () => {
    const words = (asked: number, input: number) =>
      `This model's maximum context length is 32768 tokens. However, you requested ${asked + input} tokens (${input} in the messages, ${asked} in the completion). Please reduce the length of the messages or completion.`;
    await withServer(
      ({ body, prompt }) => {
        const asked = Number(body['max_tokens']);
        const input = prompt.includes('long') ? 32_000 : 20_000;
        return asked + input > 32_768
          ? refusal(words(asked, input))
          : { kind: 'reply', text: 'ok' };
      },
      async (server, ask) => {
        await ask({ request: { maxOutputTokens: 16_000 } });
        assert.equal(sent(server, 1).get('max_tokens'), 32_768 - 20_000 - 16);
        const messages = [{ role: 'user' as const, content: 'long' }];
        await assert.rejects(
          ask({ request: { messages, maxOutputTokens: 16_000 } }),
          ContextTooLong,
        );
      },
    );
  });

  it('steps from schema to JSON object to words, telling the shape in the prompt', async () => {
    const schema = { name: 'answer', json: { type: 'object', properties: { a: {} } } };
    await withServer(
      ({ body }) =>
        'response_format' in body
          ? refusal('This response_format type is unavailable now')
          : { kind: 'reply', text: '{}' },
      async (server, ask) => {
        await ask({ request: { schema } });
        const formats = server.requests.map((_request, place) => {
          const format: unknown = sent(server, place).get('response_format');
          return JSON.stringify(format ?? null).replace(/.*"type":"(json_\w+)".*/, '$1');
        });
        assert.equal(formats.length, 4);
        assert.ok(formats[0]?.includes('json_schema') && formats[2]?.includes('json_object'));
        assert.equal(formats[3], 'null');
        assert.match(server.requests[3]?.body ?? '', /fits this JSON Schema/);
        assert.doesNotMatch(server.requests[0]?.body ?? '', /fits this JSON Schema/);
      },
    );
  });

  it('tells calls in words where no tools are offered any more', async () => {
    const messages: ModelRequest['messages'] = [
      { role: 'user', content: 'Go.' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{}' }],
      },
      { role: 'tool', content: 'the file', toolCallId: 'c1' },
    ];
    await withServer(
      () => ({ kind: 'reply', text: 'ok' }),
      async (server, ask) => {
        await ask({ request: { messages } });
        assert.doesNotMatch(server.requests[0]?.body ?? '', /tool_call|"role":"tool"/);
        assert.match(server.requests[0]?.body ?? '', /Result of call c1:.*the file/);
      },
    );
  });

  it('tells a conversation with tools in words to a model that has none', async () => {
    const request: Partial<ModelRequest> = {
      tools: [{ name: 'read_file', description: 'Reads.', parameters: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: '',
          toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{}' }],
        },
        { role: 'tool', content: 'the file', toolCallId: 'c1' },
      ],
    };
    await withServer(
      ({ body }) =>
        'tools' in body
          ? refusal('test-model does not support tools')
          : { kind: 'reply', text: 'ok' },
      async (server, ask) => {
        await ask({ request });
        assert.match(server.requests[0]?.body ?? '', /"tool_call_id":"c1"/);
        assert.doesNotMatch(server.requests[1]?.body ?? '', /tool_call/);
        assert.match(server.requests[1]?.body ?? '', /the file/);
      },
    );
  });
});
