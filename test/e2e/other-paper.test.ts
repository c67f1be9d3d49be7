import assert from 'node:assert/strict';
import { getText } from '../../src/store/stored-json.ts';
import { aPlan, answerTo } from '../fakes/plan-scenario.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';

const FOREIGN = [1, 2, 3]
  .map(
    (each) => `@requirement
kind: setting
demand: The buffer number ${each} holds ${each} million transitions.
quote: Each agent keeps replay buffer and samples its stored transitions uniformly at random
values: buffer=${each}
scope: main`,
  )
  .join('\n');

describe('a run whose answers are about another paper', () => {
  it('says so, does not end complete, and has told each step of planning', async () => {
    const plan = aPlan({ files: 3, depth: 2 });
    const model = scriptedModel(({ messages }) => {
      const asked = messages.map(({ content }) => content).join('\n');
      const answer = answerTo(asked, plan);
      return asked.includes('# Your task: the ledger')
        ? answer.replace('@done', `${FOREIGN}\n@done`)
        : answer;
    });
    const product = await aProduct(model);
    try {
      await product.startWorker();
      const record = await product.createRun();
      const handle = await product.start(record);
      assert.deepEqual(await handle.result(), { outcome: 'complete-with-gaps' });
      const { report } = await product.deps.folders.read(record.name);
      assert.ok(report);
      assert.match(await getText(product.deps.store, report), /seem to be about another paper/);
      const events = await product.deps.folders.events(record.name);
      assert.ok(
        events.some(({ kind, text }) => kind === 'notice' && text.includes('another paper')),
      );
      const told = events.map(({ kind, subject }) => (kind === 'plan-step-began' ? subject : kind));
      const steps = ['plan/setup', 'plan/files', 'plan/attack', 'blueprint-drafted'];
      assert.deepEqual(
        told.filter((each) => steps.includes(each)),
        steps,
      );
    } finally {
      await product.end();
    }
  });
});
