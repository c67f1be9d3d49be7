import assert from 'node:assert/strict';
import { readStatus } from '../../src/runs/read-status.ts';
import { loseCall } from './lost-call.ts';
import { aBench, aStartedRun, aStatus, CLOSED, RUNNING, type Bench } from './a-run.ts';

describe('readStatus', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('takes the workflow at its word while it answers', async () => {
    await aStartedRun(bench);
    bench.engine.answer = async () => aStatus();
    const status = await readStatus(bench.ports, 'my-paper');
    assert.equal(status.state, 'running');
    assert.equal(status.account.spent, 1);
    assert.deepEqual(status.live, ['write src/model.py']);
  });

  it('waits 300 ms for a workflow that never answers, then shows what the server knows', async () => {
    await aStartedRun(bench);
    const pending = [{ name: 'takeTurn', attempt: 3, lastFailure: 'rate limit' }];
    bench.engine.run = { ...RUNNING, pending };
    const startedAtMs = performance.now();
    const status = await readStatus(bench.ports, 'my-paper');
    assert.ok(performance.now() - startedAtMs < 600);
    assert.equal(status.engine.state, 'silent');
    assert.deepEqual(status.engine.pending, pending);
    assert.equal(status.state, 'running');
  });

  it('is not slower than 0.6 s where nothing answers at all', async () => {
    await aStartedRun(bench);
    bench.engine.describe = () => new Promise(() => undefined);
    const startedAtMs = performance.now();
    const status = await readStatus(bench.ports, 'my-paper');
    assert.ok(performance.now() - startedAtMs < 900);
    // Slow is not gone: a run that is driven must not be called idle.
    assert.deepEqual([status.engine.state, status.state], ['silent', 'running']);
  });

  it('shows what the folder holds where the server cannot be reached', async () => {
    await aStartedRun(bench);
    const engineIfUp = () => Promise.reject(new Error('The Temporal server is not there.'));
    const status = await readStatus({ ...bench.ports, engineIfUp }, 'my-paper');
    assert.deepEqual([status.state, status.paper], ['idle', 'My Paper.md']);
    assert.equal(status.engine.message, 'The Temporal server is not there.');
  });

  it('says that the run waits for space where a full disk silences the engine', async function () {
    if (process.platform !== 'linux') this.skip();
    await aStartedRun(bench);
    // The kernel's own file system has no space, ever.
    const folders = { ...bench.ports.folders, pathOf: () => '/proc' };
    const status = await readStatus({ ...bench.ports, folders }, 'my-paper');
    assert.equal(status.state, 'waiting');
    assert.deepEqual(
      status.waits.map(({ kind, remedy }) => [kind, remedy]),
      [['disk', 'Free at least 64 MB on it.']],
    );
  });

  it('does not call a run idle whose server is slow to be reached', async () => {
    await aStartedRun(bench);
    const engineIfUp = () => new Promise<undefined>(() => undefined);
    const status = await readStatus({ ...bench.ports, engineIfUp }, 'my-paper');
    assert.equal(status.state, 'running');
  });

  it('counts what the journal holds where the workflow does not answer, so that spend never falls', async () => {
    const { seed } = await aStartedRun(bench);
    await loseCall(bench, seed, 'my-paper');
    const { account } = await readStatus(bench.ports, 'my-paper');
    assert.deepEqual([account.spent, account.calls, account.maybePaid], [0.25, 1, 0.25]);
  });

  it('outlives a query that fails after we have stopped waiting', async () => {
    await aStartedRun(bench);
    let fail: (error: Error) => void = () => undefined;
    bench.engine.answer = () => new Promise((_, reject) => (fail = reject));
    await readStatus(bench.ports, 'my-paper');
    fail(new Error('too late'));
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('asks no engine about a run that has ended', async () => {
    await aStartedRun(bench, { outcome: 'complete' });
    const ports = { ...bench.ports, engineIfUp: () => Promise.reject(new Error('asked')) };
    assert.equal((await readStatus(ports, 'my-paper')).outcome, 'complete');
  });

  it('says how to go on where no engine is up, and where the workflow is gone', async () => {
    await aStartedRun(bench);
    const down = await readStatus(
      { ...bench.ports, engineIfUp: async () => undefined },
      'my-paper',
    );
    assert.equal(down.state, 'idle');
    assert.match(down.engine.message, /deeprepro resume my-paper/);
    bench.engine.answer = () => Promise.reject(new Error('closed'));
    bench.engine.run = CLOSED;
    assert.equal((await readStatus(bench.ports, 'my-paper')).engine.state, 'closed');
    bench.engine.run = undefined;
    assert.equal((await readStatus(bench.ports, 'my-paper')).engine.state, 'unknown');
  });

  it('is waiting only when nothing else is under way', async () => {
    await aStartedRun(bench);
    const waits = [
      { kind: 'key', step: 'write a', message: 'No key.', remedy: 'Set it.' },
    ] as const;
    bench.engine.answer = async () => aStatus({ waits });
    assert.equal((await readStatus(bench.ports, 'my-paper')).state, 'running');
    bench.engine.answer = async () => aStatus({ waits, live: [] });
    assert.equal((await readStatus(bench.ports, 'my-paper')).state, 'waiting');
  });
});
