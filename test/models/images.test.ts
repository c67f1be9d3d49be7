import assert from 'node:assert/strict';
import { NeedsPerson } from '../../src/domain/errors.ts';
import type { ChatMessage, ImageRef } from '../../src/domain/message.ts';
import { createCapabilityMemory } from '../../src/models/capability-file.ts';
import { estimateInputTokens } from '../../src/models/estimate-tokens.ts';
import { createOpenAiModel } from '../../src/models/openai-model.ts';
import { startOpenAiServer, type Answer } from '../fakes/openai-server.ts';
import { aRequest } from './a-request.ts';

const IMAGE: ImageRef = {
  ref: { sha256: 'a'.repeat(64), bytes: 3 },
  mediaType: 'image/png',
  width: 750,
  height: 100,
};
const MESSAGES: ChatMessage[] = [
  { role: 'system', content: 'You read figures.' },
  { role: 'user', content: 'Image 1 is fig-1.', images: [IMAGE] },
];

async function askWithImage(answer: Answer) {
  const server = await startOpenAiServer({ answer: () => answer });
  const capabilities = createCapabilityMemory();
  const model = createOpenAiModel({ environment: () => 'sk-test-0123456789', capabilities });
  const loadImage = () => Promise.resolve(Buffer.from('PNG'));
  const request = aRequest(server.baseUrl, { messages: MESSAGES, loadImage });
  try {
    const reply = await model.reply(request, new AbortController().signal);
    return { reply, server };
  } finally {
    await server.close();
  }
}

describe('pictures in a request', () => {
  it('reach the server as data URLs behind the words; other messages stay plain text', async () => {
    const { server } = await askWithImage({ kind: 'reply', text: 'A curve.' });
    const body: unknown = JSON.parse(server.requests[0]?.body ?? '');
    assert.ok(typeof body === 'object' && body !== null && 'messages' in body);
    assert.deepEqual(body.messages, [
      { role: 'system', content: 'You read figures.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Image 1 is fig-1.' },
          {
            type: 'image_url',
            image_url: { url: `data:image/png;base64,${Buffer.from('PNG').toString('base64')}` },
          },
        ],
      },
    ]);
  });

  for (const message of [
    'Invalid content type. image_url is only supported by certain models.',
    'image input is not supported - hint: you may need to provide the mmproj',
    'messages[1].content: invalid type: sequence, expected a string',
  ])
    it(`ask for another model where the provider says "${message.slice(0, 40)}…"`, async () => {
      const refusal = askWithImage({ kind: 'status', status: 400, body: { error: { message } } });
      await assert.rejects(refusal, (error: unknown) => {
        assert.ok(error instanceof NeedsPerson, String(error));
        assert.equal(error.kind, 'model');
        assert.match(error.remedy, /"test-model" cannot be shown figures: .*--vision none/);
        return true;
      });
    });

  it('count as tokens by their size', () => {
    const words = MESSAGES.map(({ content }) => ({ role: 'user' as const, content }));
    const without = estimateInputTokens(aRequest('http://127.0.0.1', { messages: words }));
    const withImage = estimateInputTokens(aRequest('http://127.0.0.1', { messages: MESSAGES }));
    assert.equal(withImage - without, 200);
  });
});
