import assert from 'node:assert/strict';
import { getText } from '../../src/store/stored-json.ts';
import { aPlan, answerTo } from '../fakes/plan-scenario.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { promptOf } from './driven-run.ts';

const PRICE = { input: 1, cached: 1, output: 1 };

describe('a verified run on a real Temporal server', () => {
  it('holds each requirement against the code after each round, and pays for it', async () => {
    const plan = aPlan({ files: 6, depth: 2 });
    const product = await aProduct(scriptedModel((request) => answerTo(promptOf(request), plan)));
    try {
      await product.startWorker();
      const wish = { mode: 'deepplan', verify: 'rounds', price: PRICE } as const;
      const record = await product.createRun(wish);
      const handle = await product.start(record);
      assert.deepEqual(await handle.result(), { outcome: 'complete' });
      const state = await product.stateOf(record.name);
      assert.ok((state.requirementVerdicts ?? []).every(({ verdict }) => verdict === 'met'));
      assert.ok((state.requirementVerdicts ?? []).length > 0);
      const entries = await product.deps.journal.entries(record.seed);
      const asked = entries.filter(({ label }) => label.includes('/verify'));
      assert.ok(asked.length > 0 && asked.every(({ role }) => role === 'judge'));
      const { account, report } = await product.deps.folders.read(record.name);
      assert.equal(account.calls, entries.length);
      const sum = entries.reduce((cost, entry) => cost + entry.cost, 0);
      assert.ok(Math.abs(account.spent - sum) < 1e-9);
      const text = await getText(product.deps.store, report ?? assert.fail());
      assert.match(text, /Requirements verified: (\d+) of \1 in scope found met/);
    } finally {
      await product.end();
    }
  });

  it('repairs at the gate what is not met, and says complete only when a verdict says so', async () => {
    const plan = aPlan({ files: 4, depth: 1 });
    let looks = 0;
    const product = await aProduct(
      scriptedModel((request) => {
        const answer = answerTo(promptOf(request), plan);
        // A repair that changes nothing leaves the verdict as it is.
        if (request.label.includes('/write/') && looks > 0)
          return answer.replace('def ', '# mended\ndef ');
        if (!request.label.includes('/verify')) return answer;
        looks += 1;
        if (looks > 1) return answer;
        const [path = ''] = /src\/\S+?\.py/.exec(answer) ?? [];
        return answer.replace('verdict: met', `verdict: missing\nfix: Do it.\nfix-in: ${path}`);
      }),
    );
    try {
      await product.startWorker();
      const record = await product.createRun({ mode: 'fast', verify: 'gate', price: PRICE });
      const handle = await product.start(record);
      assert.deepEqual(await handle.result(), { outcome: 'complete' });
      const state = await product.stateOf(record.name);
      const unmet = state.findings.filter(({ kind }) => kind === 'not-met');
      assert.equal(unmet.length, 1);
      assert.notEqual(unmet[0]?.resolvedInRound, null);
      assert.ok(looks > 1);
    } finally {
      await product.end();
    }
  });
});
