import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { createOpenAiModel } from '../../src/models/openai-model.ts';
import { createCapabilityMemory } from '../../src/models/capability-file.ts';
import { aRequest } from './a-request.ts';

/** Far less than what the server sends in the time that it takes to notice. */
const MOST_GROWTH_BYTES = 400 * 1024 * 1024;
const PIECE = 'x'.repeat(256 * 1024);

describe('an answer without end', function () {
  this.timeout(60_000);

  it('is cut where it is one line of an event', async () => {
    const reply = await ask('text/event-stream', 200, 'data: ', () => PIECE);
    assert.equal(reply.finish, 'length');
  });

  it('is cut where it is an event of ever more lines', async () => {
    const reply = await ask(
      'text/event-stream',
      200,
      'data: ',
      () => `\ndata: ${'x'.repeat(9_000)}`,
    );
    assert.equal(reply.finish, 'length');
  });

  it('is cut where it is one JSON text', async () => {
    const reply = await ask(
      'application/json',
      200,
      '{"choices":[{"message":{"content":"',
      () => PIECE,
    );
    assert.equal(reply.finish, 'length');
  });

  it('is cut where it calls ever more tools', async () => {
    const call = (index: number) => {
      const tool_calls = [{ index, id: `call_${index}`, function: { name: 'x', arguments: '' } }];
      return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls } }] })}\n\n`;
    };
    const reply = await ask('text/event-stream', 200, '', call);
    assert.equal(reply.finish, 'length');
  });

  it('is cut where it is the text of an error', async () => {
    await assert.rejects(
      ask('text/plain', 500, '', () => PIECE),
      /said/,
    );
  });
});

async function ask(type: string, status: number, head: string, piece: (index: number) => string) {
  const server = createServer((incoming, response) => {
    incoming.resume();
    response.writeHead(status, { 'content-type': type });
    response.write(head);
    void pour(response, piece);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const before = process.memoryUsage().rss;
  try {
    const model = createOpenAiModel({
      environment: () => 'key',
      capabilities: createCapabilityMemory(),
      limits: { idleMs: 20_000, totalMs: 15_000, maxCharacters: 100_000 },
    });
    const request = aRequest(`http://127.0.0.1:${port}/v1`);
    return await model.reply(request, new AbortController().signal);
  } finally {
    const growth = process.memoryUsage().rss - before;
    server.closeAllConnections();
    server.close();
    assert.ok(growth < MOST_GROWTH_BYTES, `${Math.round(growth / 1024 / 1024)} MiB`);
  }
}

async function pour(response: ServerResponse, piece: (index: number) => string): Promise<void> {
  for (let index = 0; !response.destroyed; index += 1) {
    if (!response.write(piece(index)))
      await Promise.race([once(response, 'drain'), once(response, 'close')]);
    if (index % 100 === 0) await turn();
  }
}
