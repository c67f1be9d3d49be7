import assert from 'node:assert/strict';
import type { ModelRequest } from '../../src/models/model.ts';
import { aReply, type ScriptedAnswer } from '../fakes/scripted-model.ts';
import { answerTo } from '../fakes/plan-scenario.ts';
import { drive, planModel, promptOf, SMALL_PLAN } from './driven-run.ts';

const PRICE = { input: 1, cached: 1, output: 1 };
const CAP = 1;
/** A million tokens where the request has some thousands. */
const DEAR_USD = 3;

/** Answers all as it should, and counts one call as if it were a library. */
function dearAt(label: RegExp) {
  return planModel((request: ModelRequest): ScriptedAnswer | undefined => {
    if (!label.test(request.label)) return undefined;
    const usage = {
      inputTokens: DEAR_USD * 1e6,
      cachedTokens: 0,
      outputTokens: 10,
      estimated: false,
    };
    return aReply({ text: answerTo(promptOf(request), SMALL_PLAN), usage });
  });
}

describe('a call that costs more than its request could', () => {
  it('is the last one under this cap, is told, and nothing beyond it is lost', async () => {
    const model = dearAt(/^r1\/write\/README\.md/);
    const controls = { callAllowance: 0.1, parallel: 1, onBudget: 'stop' as const };
    await drive(model, { price: PRICE, cap: CAP, controls }, async (run) => {
      assert.equal(await run.outcome(), 'out-of-budget');
      const { label } = model.requests.at(-1) ?? { label: '' };
      assert.match(label, /^r1\/write\/README\.md/);
      const { spent, cap } = (await run.record()).account;
      assert.ok(spent > DEAR_USD && spent < DEAR_USD + (cap ?? 0), `${spent} of ${cap}`);
      const told = (await run.product.deps.folders.events(run.name)).map(({ text }) => text);
      assert.ok(
        told.some((text) => text.startsWith('scripted took 3.00 USD for r1/write/README.md')),
      );
    });
  });

  it('lets only calls end that were under way beside it', async () => {
    const model = dearAt(/^analyse\/concepts/);
    const controls = { callAllowance: 0.1, parallel: 8, onBudget: 'stop' as const };
    await drive(model, { price: PRICE, cap: CAP, controls }, async (run) => {
      assert.equal(await run.outcome(), 'out-of-budget');
      assert.ok(model.requests.length <= 8, `${model.requests.length} calls`);
      assert.ok((await run.record()).account.spent < DEAR_USD + CAP);
    });
  });
});
