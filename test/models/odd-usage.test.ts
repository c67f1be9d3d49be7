import assert from 'node:assert/strict';
import { createCapabilityMemory } from '../../src/models/capability-file.ts';
import { createOpenAiModel } from '../../src/models/openai-model.ts';
import { startOpenAiServer } from '../fakes/openai-server.ts';
import { aRequest } from './a-request.ts';

describe('usage that no provider can mean', () => {
  for (const [what, usage] of [
    ['zeros', { input: 0, output: 0 }],
    ['negative numbers', { input: -5, output: 3 }],
    ['fractions', { input: 10.5, output: 1 }],
    ['no numbers', { input: Number.NaN, output: 1 }],
    ['more than can be counted', { input: 1e300, output: 1 }],
  ] as const)
    it(`is replaced by our estimate: ${what}`, async () => {
      const { inputTokens, outputTokens, estimated } = await usageOf(usage);
      assert.equal(estimated, true);
      assert.ok(inputTokens > 5 && inputTokens < 100, `${inputTokens}`);
      assert.ok(outputTokens > 0 && outputTokens < 100, `${outputTokens}`);
    });

  it('is believed where it could be, however much it is', async () => {
    assert.equal((await usageOf({ input: 40_000_000, output: 9 })).inputTokens, 40_000_000);
  });
});

async function usageOf(usage: { readonly input: number; readonly output: number }) {
  const server = await startOpenAiServer({
    answer: () => ({ kind: 'reply', text: 'A word or two.', usage }),
  });
  try {
    const capabilities = createCapabilityMemory();
    const model = createOpenAiModel({ environment: () => 'key', capabilities });
    return (await model.reply(aRequest(server.baseUrl), new AbortController().signal)).usage;
  } finally {
    await server.close();
  }
}
