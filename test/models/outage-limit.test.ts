import assert from 'node:assert/strict';
import { NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import type { Model } from '../../src/models/model.ts';
import { mapNetworkError } from '../../src/models/network-error.ts';
import { withOutageLimit } from '../../src/models/outage-limit.ts';
import { aReply } from '../fakes/scripted-model.ts';
import { aRequest } from './a-request.ts';

const REFUSED = () =>
  mapNetworkError(
    Object.assign(new Error('connect'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    'http://127.0.0.1:9/v1',
  );

describe('an endpoint that cannot be reached', () => {
  let now = 0;
  let answer: () => unknown;
  const inner: Model = {
    async reply() {
      const given = answer();
      if (given instanceof Error) throw given;
      return aReply();
    },
  };
  const ask = (model: Model) =>
    model.reply(aRequest('http://127.0.0.1:9/v1'), new AbortController().signal);

  it('is tried again until its time is over, and then becomes a matter for a person', async () => {
    const model = withOutageLimit(inner, { limitMs: 60_000, nowMs: () => now });
    answer = REFUSED;
    now = Date.parse('2030-01-01T14:03:20Z');
    await assert.rejects(ask(model), RetryLater);
    now += 59_000;
    await assert.rejects(ask(model), RetryLater);
    now += 1_000;
    await assert.rejects(ask(model), (error) => {
      assert.ok(error instanceof NeedsPerson);
      assert.equal(error.kind, 'network');
      assert.match(
        error.message,
        /cannot be reached since 2030-01-01 14:03 UTC \(ECONNREFUSED\)\./,
      );
      return true;
    });
  });

  it('has its time anew after every answer, a refusal too', async () => {
    const model = withOutageLimit(inner, { limitMs: 60_000, nowMs: () => now });
    for (const given of ['a reply', new NeedsPerson('quota', 'No credit.', 'Add some.')]) {
      answer = REFUSED;
      await assert.rejects(ask(model), RetryLater);
      now += 61_000;
      answer = () => given;
      await ask(model).catch(() => undefined);
      answer = REFUSED;
      await assert.rejects(ask(model), RetryLater);
      now += 61_000;
      answer = () => 'a reply';
      await ask(model);
    }
  });
});
