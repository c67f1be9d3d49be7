import assert from 'node:assert/strict';
import { aPlan, answerTo } from '../fakes/plan-scenario.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { promptOf } from './driven-run.ts';

describe('a deepplan run on a real Temporal server', () => {
  it('plans each round by a model, pays for it, and folds an amendment', async () => {
    const plan = aPlan({ files: 8, depth: 3 });
    const first = [
      '@round',
      'rationale: The first part, and one that is missing.',
      'wrong: none',
      '@target src/part_01.py',
      'check: model | it returns a float',
      '@target src/extra.py',
      '@file src/extra.py',
      'purpose: Half of the first part',
      'needs: src/part_01.py',
      'because: the paper halves it',
      '@done',
    ].join('\n');
    const model = scriptedModel((request) =>
      request.label.startsWith('r1/plan/') ? first : answerTo(promptOf(request), plan),
    );
    const product = await aProduct(model);
    try {
      await product.startWorker();
      const price = { input: 1, cached: 1, output: 1 };
      const record = await product.createRun({ mode: 'deepplan', price });
      const handle = await product.start(record);
      assert.deepEqual(await handle.result(), { outcome: 'complete' });
      const state = await product.stateOf(record.name);
      assert.ok(state.tree['src/extra.py']);
      assert.equal(Object.keys(state.tree).length, plan.length + 1);
      const entries = await product.deps.journal.entries(record.seed);
      const { account } = await product.deps.folders.read(record.name);
      assert.equal(account.calls, entries.length);
      const sum = entries.reduce((cost, entry) => cost + entry.cost, 0);
      assert.ok(Math.abs(account.spent - sum) < 1e-9);
      const labels = entries.map(({ label }) => label);
      assert.ok(labels.includes('r1/plan/try1') && labels.includes('r2/plan/try1'));
      assert.ok(labels.includes('r1/judge/try1'));
      assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
    } finally {
      await product.end();
    }
  });
});
