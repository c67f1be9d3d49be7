import assert from 'node:assert/strict';
import { getText } from '../../src/store/stored-json.ts';
import { aPlan, answerTo } from '../fakes/plan-scenario.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';

describe('a fast run on a real Temporal server', () => {
  it('turns a paper into a complete repository, each file written once', async () => {
    const plan = aPlan({ files: 12, depth: 5 });
    const model = scriptedModel(({ messages }) =>
      answerTo(messages.map(({ content }) => content).join('\n'), plan),
    );
    const product = await aProduct(model);
    try {
      await product.startWorker();
      const record = await product.createRun();
      const handle = await product.start(record);
      assert.deepEqual(await handle.result(), { outcome: 'complete' });
      const state = await product.stateOf(record.name);
      assert.deepEqual(Object.keys(state.tree).sort(), plan.map(({ path }) => path).sort());
      const ended = await product.deps.folders.read(record.name);
      assert.equal(ended.outcome, 'complete');
      assert.ok(ended.report);
      console.log(await getText(product.deps.store, ended.report));
      console.log(
        (await product.deps.folders.events(record.name)).map(({ text }) => text).join('\n'),
      );
      assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
    } finally {
      await product.end();
    }
  });
});
