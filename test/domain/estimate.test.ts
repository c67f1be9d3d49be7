import assert from 'node:assert/strict';
import {
  estimateRun,
  expectedAtStart,
  expectedNow,
  formatRange,
} from '../../src/domain/estimate.ts';
import { priceOf } from '../../src/domain/pricing.ts';

/** The measured run that the constants were fitted on, and two of one shorter paper that asks for more. */
const MEASURED = { paperCharacters: 65_000, mode: 'fast', tokens: 1_030_000, files: 20 };
const SHORT = { paperCharacters: 25_700, files: 31 };
const RUNS = [
  MEASURED,
  { ...SHORT, mode: 'fast', tokens: 1_270_000 },
  { ...SHORT, mode: 'deepplan', tokens: 1_876_000 },
];

describe('an estimate', () => {
  const tokens = estimateRun({
    ...{ paperCharacters: MEASURED.paperCharacters, mode: 'fast', unit: 'tokens' },
    priceOf: () => null,
  });

  for (const { paperCharacters, mode, ...run } of RUNS)
    it(`holds a run in ${mode} mode on ${paperCharacters} characters, in tokens and in files`, () => {
      const basis = { paperCharacters, mode, unit: 'tokens' as const, priceOf: () => null };
      const { files, ...rest } = estimateRun(basis);
      const { low, high } = expectedAtStart({ ...rest, files });
      assert.ok(low < run.tokens && run.tokens < high, `${low}–${high}`);
      assert.ok(files.low < run.files && run.files < files.high, `${files.low}–${files.high}`);
    });

  it('grows with the paper, and with the price', () => {
    const usd = (paperCharacters: number, model: string) =>
      expectedAtStart(
        estimateRun({
          ...{ paperCharacters, mode: 'fast', unit: 'usd' },
          priceOf: () => priceOf(model) ?? null,
        }),
      );
    assert.ok(usd(130_000, 'gpt-5-mini').low > usd(65_000, 'gpt-5-mini').low);
    assert.ok(usd(65_000, 'gpt-5').low > usd(65_000, 'gpt-5-mini').high);
  });

  it('is refined by the plan, and ends at what was spent', () => {
    const many = expectedNow(tokens, { spent: 200_000, files: 90, filesLeft: 90 });
    const few = expectedNow(tokens, { spent: 200_000, files: 5, filesLeft: 5 });
    assert.ok(few.high < expectedAtStart(tokens).low && many.low > expectedAtStart(tokens).high);
    assert.equal(expectedNow(tokens, { spent: 7, files: 5, filesLeft: 0 }).low, 7);
    const before = expectedNow(tokens, { spent: 9e9, files: 0, filesLeft: 0 });
    assert.deepEqual(before, { low: 9e9, high: 9e9 });
  });

  const SHOWN: readonly (readonly [number, number, 'usd' | 'tokens', string])[] = [
    [0.3, 0.7, 'usd', '0.3–0.7 USD'],
    [3.1, 5.7, 'usd', '3–6 USD'],
    [12.7, 34.2, 'usd', '10–40 USD'],
    [1.24, 1.26, 'usd', '1–1.5 USD'],
    [0.0001, 0.002, 'usd', 'less than 0.01 USD'],
    [724_780, 2_512_288, 'tokens', '0.7–3 M tokens'],
  ];
  for (const [low, high, unit, text] of SHOWN)
    it(`shows ${low} to ${high} ${unit} as ${text}`, () =>
      assert.equal(formatRange({ low, high }, unit), text));
});
