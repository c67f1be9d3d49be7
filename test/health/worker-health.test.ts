import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  checkWorker,
  type HealthSources,
  type WorkerState,
} from '../../src/health/worker-health.ts';

const RUNNING: WorkerState = {
  runState: 'RUNNING',
  workflowPollerState: 'POLLING',
  activityPollerState: 'POLLING',
  numInFlightActivities: 3,
};

describe('checkWorker', () => {
  let home: string;

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'health-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  function sources(wish: Partial<HealthSources> = {}): HealthSources {
    return {
      home,
      temporalAddress: 'there:7233',
      state: () => RUNNING,
      ping: () => Promise.resolve(),
      ...wish,
    };
  }

  it('finds nothing against a worker that polls, and leaves nothing in its folder', async () => {
    const health = await checkWorker(sources());
    assert.deepEqual(health, { isHealthy: true, reasons: [], activities: 3 });
    assert.deepEqual(await readdir(home), []);
  });

  it('says that the server does not answer', async () => {
    const ping = () => Promise.reject(new Error('connection refused'));
    const { isHealthy, reasons } = await checkWorker(sources({ ping }));
    assert.equal(isHealthy, false);
    assert.deepEqual(reasons, [
      'The Temporal server at there:7233 does not answer: connection refused',
    ]);
  });

  it('does not wait for a server that does not answer at all', async () => {
    const ping = () => new Promise<void>(() => undefined);
    const { reasons } = await checkWorker(sources({ ping }));
    assert.match(reasons.join(), /at there:7233 does not answer: no answer in 2 s/);
  });

  it('says that the worker drains, and for how many activities', async () => {
    const state = () => ({ ...RUNNING, runState: 'DRAINING', activityPollerState: 'SHUTDOWN' });
    const { reasons } = await checkWorker(sources({ state }));
    assert.deepEqual(reasons, [
      'The worker drains: it takes no new work and lets 3 activities finish.',
    ]);
  });

  it('says that a live worker does not poll', async () => {
    const state = () => ({ ...RUNNING, activityPollerState: 'FAILED' });
    const { reasons } = await checkWorker(sources({ state }));
    assert.match(reasons.join(), /does not poll \(workflows: POLLING, activities: FAILED\)/);
  });

  it('says that the data folder cannot be written', async () => {
    const { isHealthy, reasons } = await checkWorker(sources({ home: join(home, 'gone') }));
    assert.equal(isHealthy, false);
    assert.match(reasons.join(), /The data folder .*gone cannot be written/);
  });

  it('names every reason', async () => {
    const ping = () => Promise.reject(new Error('no'));
    const state = () => ({ ...RUNNING, runState: 'STOPPED' });
    assert.equal((await checkWorker(sources({ ping, state }))).reasons.length, 2);
  });
});
