import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assumedCapabilities, roomInWindow, stepDown } from '../../src/models/capabilities.ts';
import { createCapabilityFile } from '../../src/models/capability-file.ts';
import type { Failure } from '../../src/models/failure.ts';

const assumed = assumedCapabilities('http://localhost:8000/v1');

function aFailure(text: string, parts: Partial<Failure> = {}): Failure {
  const empty = { status: 400, code: '', type: '', param: '', headers: undefined, isHtml: false };
  return { ...empty, text: `400 ${text}`, ...parts };
}

describe('the capabilities of a model', () => {
  it('are assumed after the host', () => {
    const nameAt = (baseUrl: string) => assumedCapabilities(baseUrl).outputLimit;
    assert.equal(nameAt('https://api.openai.com/v1'), 'max_completion_tokens');
    assert.equal(nameAt('https://mine.openai.azure.com/openai/v1'), 'max_completion_tokens');
    assert.equal(nameAt('https://api.deepseek.com'), 'max_tokens');
    assert.equal(nameAt('https://notopenai.com/v1'), 'max_tokens');
  });

  it('shrink by the parameter that a refusal names', () => {
    const changed = (text: string, parts: Partial<Failure> = {}) => {
      const next = stepDown(assumed, aFailure(text, parts), 32_000);
      if (next === undefined) return undefined;
      return Object.entries(next)
        .filter(([name, value]) =>
          Object.entries(assumed).every(([key, before]) => key !== name || before !== value),
        )
        .map(([name, value]) => `${name}=${String(value)}`)
        .join();
    };
    const maxTokens =
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    assert.equal(changed(maxTokens), 'outputLimit=max_completion_tokens');
    assert.equal(changed('x', { param: 'max_tokens' }), 'outputLimit=max_completion_tokens');
    assert.equal(changed('Unknown field: stream_options'), 'takesStreamOptions=false');
    assert.equal(changed('x', { param: 'stream' }), 'streams=false');
    assert.equal(changed('x', { param: 'tools[0].function.parameters' }), 'takesTools=false');
    assert.equal(changed('llama3 does not support tools'), 'takesTools=false');
    assert.equal(
      changed('"auto" tool choice requires --enable-auto-tool-choice to be set'),
      'takesTools=false',
    );
    assert.equal(changed('tools param requires --jinja flag'), 'takesTools=false');
    assert.equal(
      changed('The reasoning_content in the thinking mode must be passed back to the API.'),
      'takesTools=false',
    );
    assert.equal(
      changed('Function call is missing a thought_signature in functionCall parts.'),
      'takesTools=false',
    );
    assert.equal(changed("Invalid schema for response_format 'a'"), 'answerFormat=schema');
    assert.equal(changed('x', { param: 'messages' }), undefined);
    assert.equal(changed('messages: the upstream of the tools is broken'), undefined);
    assert.equal(changed('stream_options', { status: 500 }), undefined);
  });

  it('learn the most output tokens from the words of many providers', () => {
    const limit = (text: string, asked = 32_000) =>
      stepDown(assumed, aFailure(text), asked)?.maxOutputTokens ?? undefined;
    assert.equal(
      limit(
        'max_tokens is too large: 32000. This model supports at most 16384 completion tokens, whereas you provided 32000.',
      ),
      16_384,
    );
    assert.equal(
      limit('Invalid max_tokens value, the valid range of max_tokens is [1, 8192]'),
      8_192,
    );
    assert.equal(
      limit(
        'max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-sonnet-4-5-20250929',
        100_000,
      ),
      64_000,
    );
    assert.equal(
      limit(
        'maxOutputTokens value of 32000 but the supported range is from 1 (inclusive) to 8193 (exclusive).',
      ),
      8_192,
    );
    assert.equal(
      limit(
        '`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model',
      ),
      8_192,
    );
    assert.equal(
      limit("'max_tokens' is not supported with gpt-4-0613 since 2025-08-07."),
      undefined,
    );
  });

  it('tell the room in the window when input and output together are too long', () => {
    const openAi =
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion).";
    assert.equal(roomInWindow(aFailure(openAi), 4_000), 8_192 - 5_000 - 16);
    const vllm =
      "'max_tokens' or 'max_completion_tokens' is too large: 4000. This model's maximum context length is 8192 tokens and your request has 5000 input tokens (4000 > 8192 - 5000).";
    assert.equal(roomInWindow(aFailure(vllm), 4_000), 8_192 - 5_000 - 16);
    assert.equal(stepDown(assumed, aFailure(vllm), 4_000)?.maxOutputTokens ?? undefined, undefined);
    assert.equal(roomInWindow(aFailure(openAi.replace('5000 in', '8000 in')), 4_000), undefined);
    assert.equal(roomInWindow(aFailure('too long'), 4_000), undefined);
  });

  it('outlive the process in a file, with many writers and with damage', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'capabilities-'));
    const file = path.join(folder, 'deep', 'capabilities.json');
    const memory = createCapabilityFile(file);
    assert.equal(await memory.get('a'), undefined);
    const names = Array.from({ length: 20 }, (_, place) => `model ${place}`);
    await Promise.all(names.map((name) => memory.set(name, { ...assumed, maxOutputTokens: 77 })));
    for (const name of names)
      assert.equal((await createCapabilityFile(file).get(name))?.maxOutputTokens, 77);
    assert.deepEqual(await readdir(path.dirname(file)), ['capabilities.json']);
    await writeFile(file, '{"schemaVersion": 1, "mod');
    assert.equal(await memory.get('model 1'), undefined);
    await memory.set('b', assumed);
    assert.deepEqual(await memory.get('b'), assumed);
    await rm(folder, { recursive: true });
  });
});
