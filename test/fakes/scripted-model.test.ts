import assert from 'node:assert/strict';
import { aRequest } from '../models/a-request.ts';
import { listedModel, scriptedModel } from './scripted-model.ts';

const signal = new AbortController().signal;
const request = aRequest('http://localhost/v1', { label: 'r1/plan' });

describe('the scripted model', () => {
  it('answers by request and counts calls by label', async () => {
    const model = scriptedModel(({ label }) => `for ${label}`);
    assert.equal((await model.reply(request, signal)).text, 'for r1/plan');
    await model.reply(request, signal);
    assert.equal(model.callsByLabel.get('r1/plan'), 2);
  });

  it('fails on a surprise call and on an unused answer', async () => {
    const model = listedModel(['one', new Error('two')]);
    await model.reply(request, signal);
    assert.throws(() => model.assertAllUsed(), /Of 2 answers 1 were used/);
    await assert.rejects(model.reply(request, signal), /two/);
    model.assertAllUsed();
    await assert.rejects(model.reply(request, signal), /Call 3 \("r1\/plan"\) is a surprise/);
  });
});
