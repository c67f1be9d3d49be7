import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createCapabilityMemory } from '../../src/models/capability-file.ts';
import { createOpenAiModel } from '../../src/models/openai-model.ts';

const IDLE_MS = 300;

/** A server that sends comments for several idle limits before it answers. */
async function aQueueingServer() {
  const server = createServer((_request, response) => {
    void (async () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      for (let sent = 0; sent < 12; sent += 1) {
        response.write(': waiting\n\n');
        await wait(IDLE_MS / 4);
      }
      const chunk = {
        choices: [{ index: 0, delta: { content: 'at last' }, finish_reason: 'stop' }],
      };
      response.end(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => server.close() };
}

describe('a provider that queues', () => {
  it('is not taken for dead while it sends comments', async () => {
    const server = await aQueueingServer();
    try {
      const model = createOpenAiModel({
        environment: () => undefined,
        capabilities: createCapabilityMemory(),
        limits: { idleMs: IDLE_MS },
      });
      const reply = await model.reply(
        {
          label: 'a',
          endpoint: { baseUrl: server.baseUrl, keyEnv: 'NONE' },
          model: 'm',
          messages: [{ role: 'user', content: 'hello' }],
          maxOutputTokens: 100,
        },
        new AbortController().signal,
      );
      assert.equal(reply.text, 'at last');
    } finally {
      server.close();
    }
  });
});
