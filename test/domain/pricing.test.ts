import assert from 'node:assert/strict';
import { UsageError } from '../../src/domain/errors.ts';
import { PRICE_TABLE } from '../../src/domain/price-table.ts';
import { costUsd, parsePrice, priceOf, worstCaseUsd } from '../../src/domain/pricing.ts';

describe('prices', () => {
  it('are found with or without provider and date', () => {
    const known = (model: string) =>
      Object.keys(PRICE_TABLE).find((key) => PRICE_TABLE[key] === priceOf(model));
    assert.equal(known('gpt-5'), 'gpt-5');
    assert.equal(known('gpt-5-mini-2025-08-07'), 'gpt-5-mini');
    assert.equal(known('openai/gpt-4o-mini'), 'gpt-4o-mini');
    assert.equal(known('claude-sonnet-4-5-20250929'), 'claude-sonnet-4-5');
    assert.equal(known('claude-sonnet-4-20250514'), 'claude-sonnet-4');
    assert.equal(known('models/gemini-2.5-flash-preview-05-20'), 'gemini-2.5-flash');
    assert.equal(known('Mistral-Large-Latest'), 'mistral-large');
  });

  it('are not guessed for other models', () => {
    for (const model of [
      '',
      'gpt-4-32k',
      'gpt-4o-audio-preview',
      'claude-opus-4-9',
      'gpt-55',
      'llama3',
      'constructor',
    ])
      assert.equal(priceOf(model), undefined, model);
  });

  it('can be given as IN,OUT and refuse anything else', () => {
    assert.deepEqual(parsePrice('1.25, 10'), { input: 1.25, cached: 1.25, output: 10 });
    assert.deepEqual(parsePrice('0,0'), { input: 0, cached: 0, output: 0 });
    for (const text of ['', '1', '1,2,3', 'a,b', '-1,2', '1e9,2', '1,', '1,Infinity', '99999,1'])
      assert.throws(() => parsePrice(text), UsageError, text);
  });

  it('make a cost, with cached input at its own price', () => {
    const price = { input: 2, cached: 0.5, output: 8 };
    const usage = { inputTokens: 1_000_000, cachedTokens: 400_000, outputTokens: 100_000 };
    assert.equal(costUsd(usage, price).toFixed(6), '2.200000');
    assert.equal(worstCaseUsd({ inputTokens: 1_000_000, maxOutputTokens: 100_000 }, price), 2.8);
  });
});
