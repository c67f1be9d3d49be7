import assert from 'node:assert/strict';
import { eventOf } from '../../src/domain/event.ts';
import { followRun, type Change } from '../../src/runs/follow-run.ts';
import { aBench, aStartedRun, aStatus, fakeEngine, type Bench } from './a-run.ts';

describe('followRun', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  const options = { signal: new AbortController().signal, intervalMs: 5 };

  it('tells each fact once and ends with the run', async () => {
    await aStartedRun(bench);
    bench.engine.answer = async () => aStatus();
    const changes: Change[] = [];
    for await (const change of followRun(bench.ports, 'my-paper', bench.engine, {
      ...options,
      reconnect: async () => bench.engine,
    })) {
      changes.push(change);
      if (changes.length === 1) await end();
    }
    assert.deepEqual(
      changes.flatMap(({ events }) => events.map(({ kind }) => kind)),
      ['run-started', 'run-ended'],
    );
    assert.equal(changes.at(-1)?.status.outcome, 'complete');
  });

  it('says that the supervisor has gone, stays, and goes on with the next one', async () => {
    await aStartedRun(bench);
    bench.engine.isLost = true;
    const next = { ...fakeEngine(), answer: async () => aStatus({ calls: 99 }) };
    let tries = 0;
    let connect: () => void = () => undefined;
    const reconnect = async () => {
      tries += 1;
      await new Promise<void>((resolve) => (connect = resolve));
      return next;
    };
    const troubles: string[] = [];
    for await (const { status, trouble } of followRun(bench.ports, 'my-paper', bench.engine, {
      ...options,
      reconnect,
    })) {
      troubles.push(trouble);
      connect();
      if (status.account.calls === 99) break;
    }
    assert.match(troubles[0] ?? '', /supervisor has gone/);
    assert.equal(troubles.at(-1), '');
    assert.equal(tries, 1);
  });

  it('stops at once when it is told to', async () => {
    await aStartedRun(bench);
    const abort = new AbortController();
    const follow = followRun(bench.ports, 'my-paper', undefined, {
      signal: abort.signal,
      intervalMs: 60_000,
      reconnect: async () => undefined,
    });
    assert.equal((await follow.next()).value?.status.state, 'idle');
    const next = follow.next();
    abort.abort();
    assert.equal((await next).done, true);
  });

  async function end() {
    const { folders } = bench.ports;
    const fact = { kind: 'run-ended', round: 1, subject: '', text: 'Ended.', ref: null } as const;
    await folders.append('my-paper', eventOf(fact, new Date().toISOString()));
    await folders.update('my-paper', (record) => ({ ...record, outcome: 'complete' }));
  }
});
