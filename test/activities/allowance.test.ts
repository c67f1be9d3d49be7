import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCalls } from '../../src/activities/model-calls.ts';
import { settledAll } from '../../src/activities/settled-all.ts';
import { AllowanceTooSmall, RetryLater } from '../../src/domain/errors.ts';
import { DEFAULT_LIMITS, type RunSettings } from '../../src/domain/run-settings.ts';
import { depsFor } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { refTo } from '../fakes/states.ts';

const CHOICE = { model: 'scripted', baseUrl: 'http://127.0.0.1:9', keyEnv: 'KEY', price: null };
const SETTINGS: RunSettings = {
  schemaVersion: 1,
  seed: 'ef'.repeat(16),
  task: refTo('task'),
  mode: 'fast',
  models: {
    ...{ analysis: CHOICE, planner: CHOICE, executor: CHOICE },
    ...{ memory: CHOICE, judge: CHOICE, vision: CHOICE },
  },
  unit: 'tokens',
  maxOutputTokens: 100,
  limits: DEFAULT_LIMITS,
};
/** One token for the text, 8 for its message, 100 of output. */
const WORST = 109;
const USAGE = { inputTokens: 5, cachedTokens: 0, outputTokens: 90, estimated: false };
const PULSE = {
  signal: new AbortController().signal,
  requireWanted: () => undefined,
  progress: () => undefined,
  onBeat: () => () => undefined,
  stop: () => undefined,
};

describe('an allowance', () => {
  let home = '';
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'allowance-'));
  });
  afterEach(() => rm(home, { recursive: true }));

  /** Both branches at once, each of some questions one after the other; as an attempt of an activity would. */
  async function attempt(lost: readonly string[], allowance: number) {
    const model = scriptedModel(({ label }) =>
      lost.includes(label)
        ? new RetryLater('Cut.', { maybePaid: true })
        : { text: 'yes', usage: USAGE },
    );
    const deps = await depsFor(home, model);
    const call = { schemaVersion: 1 as const, run: 'toy', incarnation: 1, allowance };
    const calls = openCalls(deps, { ...call, settings: refTo('settings') }, SETTINGS, PULSE, {
      concurrency: { prefix: 'plan/' },
    });
    const branch = async (labels: readonly string[]): Promise<void> => {
      for (const label of labels)
        await calls.reply({
          ...{ label, role: 'planner', schemaId: 'plan/1', maxOutputTokens: 100 },
          messages: [{ role: 'user', content: 'a' }],
        });
    };
    const branches = [branch(['plan/a/1', 'plan/a/2']), branch(['plan/b/1'])];
    const failure = await settledAll(branches).then(
      () => undefined,
      (error: unknown) => error,
    );
    const { spent, maybePaid } = calls.settlement();
    return { failure, spent: spent + maybePaid, asked: model.requests.length };
  }

  it('holds calls side by side to what earlier attempts of both may have paid', async () => {
    const allowance = 2.5 * WORST;
    const first = await attempt(['plan/a/1', 'plan/b/1'], allowance);
    assert.deepEqual([first.asked, first.spent], [2, 2 * WORST]);
    const second = await attempt([], allowance);
    assert.ok(second.failure instanceof AllowanceTooSmall);
    assert.deepEqual([second.asked, second.spent], [0, 2 * WORST]);
  });

  it('counts what a branch paid later on before the other one asks', async () => {
    const allowance = 3.5 * WORST;
    await attempt(['plan/a/2', 'plan/b/1'], allowance);
    const second = await attempt(['plan/a/2', 'plan/b/1'], allowance);
    assert.ok(second.spent <= allowance, `${second.spent} are spent of ${allowance}`);
  });

  it('that is enough lets all go on, each reply paid once', async () => {
    await attempt(['plan/b/1'], 10 * WORST);
    const second = await attempt([], 10 * WORST);
    assert.equal(second.failure, undefined);
    assert.equal(second.asked, 1);
  });
});
