import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RunSettings } from '../../src/domain/run-settings.ts';
import { resumeAll, resumeRun } from '../../src/runs/resume-run.ts';
import { getJson } from '../../src/store/stored-json.ts';
import { aBench, aStartedRun, aStatus, CLOSED, RUNNING, type Bench } from './a-run.ts';

const AS_IT_WAS = { model: undefined, cap: undefined };

describe('resumeRun', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('signals a workflow that runs, and lifts a pause', async () => {
    await aStartedRun(bench);
    const resumed = await resumeRun(bench.ports, 'my-paper', AS_IT_WAS);
    assert.deepEqual(resumed, { name: 'my-paper', how: 'signalled' });
    assert.deepEqual(bench.engine.told, [['resume', 'my-paper', { liftPause: true }]]);
  });

  it('starts the next life of a run that Temporal has forgotten, with what its journal says was spent', async () => {
    const { seed } = await aStartedRun(bench, { paused: true });
    bench.engine.run = undefined;
    const marker = aMarker('my-paper');
    const opening = await bench.ports.journal.open(seed, marker);
    assert.equal(opening.kind, 'open');
    if (opening.kind === 'open') await opening.call.abandon({ maybePaid: true });
    const resumed = await resumeRun(bench.ports, 'my-paper', AS_IT_WAS);
    assert.equal(resumed.how, 'restarted');
    const input = bench.engine.started.at(-1);
    assert.equal(input?.incarnation, 2);
    assert.equal(input?.paused, false);
    assert.deepEqual([input?.purse.spent, input?.purse.maybePaid], [0.25, 0.25]);
    assert.equal((await bench.ports.folders.read('my-paper')).incarnation, 2);
  });

  it('starts a stopped run anew once its workflow has closed', async () => {
    await aStartedRun(bench, { outcome: 'stopped', phase: 'ended' });
    bench.engine.run = RUNNING;
    setImmediate(() => (bench.engine.run = CLOSED));
    assert.equal((await resumeRun(bench.ports, 'my-paper', AS_IT_WAS)).how, 'restarted');
    assert.equal((await bench.ports.folders.read('my-paper')).outcome, null);
  });

  it('says of a complete and of a failed run that there is nothing to resume', async () => {
    await aStartedRun(bench, { outcome: 'complete' });
    await assert.rejects(resumeRun(bench.ports, 'my-paper', AS_IT_WAS), /nothing left to do/);
    await bench.ports.folders.update('my-paper', (record) => ({
      ...record,
      ...{ outcome: 'failed', failure: 'No blueprint.' },
    }));
    await assert.rejects(resumeRun(bench.ports, 'my-paper', AS_IT_WAS), /has failed.*No blueprint/);
  });

  it('never starts a second workflow for a run that another engine drives', async () => {
    await aStartedRun(bench, {
      temporal: { address: 'temporal.lab:7233', namespace: 'papers', taskQueue: 'deeprepro' },
    });
    await assert.rejects(resumeRun(bench.ports, 'my-paper', AS_IT_WAS), {
      name: 'UsageError',
      message: /set TEMPORAL_ADDRESS=temporal\.lab:7233 and TEMPORAL_NAMESPACE=papers/,
    });
    assert.equal(bench.engine.started.length, 1);
  });

  it('sends another model and another cap before it goes on', async () => {
    await aStartedRun(bench);
    bench.engine.answer = async () => aStatus();
    const model = { ...A_CHANGE, model: 'gpt-5' };
    await resumeRun(bench.ports, 'my-paper', { model, cap: 20 });
    const verbs = bench.engine.told.map((each) => (Array.isArray(each) ? String(each[0]) : ''));
    assert.deepEqual(verbs, ['setModel', 'setBudget', 'resume']);
  });

  it('starts the next life under the other model', async () => {
    await aStartedRun(bench);
    bench.engine.run = undefined;
    await resumeRun(bench.ports, 'my-paper', { model: { ...A_CHANGE, model: 'gpt-5' }, cap: 20 });
    const { settings, account } = await bench.ports.folders.read('my-paper');
    const { models } = await getJson(bench.ports.store, RunSettings, settings);
    assert.equal(models.executor.model, 'gpt-5');
    assert.equal(account.cap, 20);
  });

  it('refuses a model without a price for a run that counts dollars', async () => {
    await aStartedRun(bench);
    bench.engine.answer = async () => aStatus();
    const wish = { model: { ...A_CHANGE, model: 'home-made' }, cap: undefined };
    await assert.rejects(resumeRun(bench.ports, 'my-paper', wish), /add --price IN,OUT/);
    assert.deepEqual(bench.engine.told, []);
  });
});

describe('resumeAll', () => {
  it('goes on with every run that has not ended and leaves pauses to the person', async () => {
    const bench = await aBench();
    try {
      await aStartedRun(bench);
      await aStartedRun(bench, { outcome: 'stopped' });
      const resumed = await resumeAll(bench.ports, (name) => assert.equal(name, ''));
      assert.deepEqual(resumed, [{ name: 'my-paper', how: 'signalled' }]);
      assert.deepEqual(bench.engine.told, [['resume', 'my-paper', { liftPause: false }]]);
    } finally {
      await bench.end();
    }
  });

  it('goes on with the others where the record of one is damaged', async () => {
    const bench = await aBench();
    try {
      await aStartedRun(bench);
      await aStartedRun(bench);
      await writeFile(join(bench.ports.folders.pathOf('my-paper'), 'run.json'), '{"schema');
      const troubles: string[] = [];
      const resumed = await resumeAll(bench.ports, (name, error) =>
        troubles.push(`${name}: ${String(error)}`),
      );
      assert.deepEqual(resumed, [{ name: 'my-paper-2', how: 'signalled' }]);
      assert.match(troubles.join('\n'), /^my-paper: .*run\.json to be JSON/);
    } finally {
      await bench.end();
    }
  });
});

const A_CHANGE = {
  model: undefined,
  baseUrl: undefined,
  keyEnv: undefined,
  price: undefined,
  environment: { OPENAI_API_KEY: 'key-for-tests' },
};

function aMarker(run: string) {
  return {
    schemaVersion: 1 as const,
    key: randomUUID().replaceAll('-', '').repeat(2),
    label: 'r1/write/a.py/t1/try1',
    run,
    incarnation: 1,
    worstCost: 0.25,
    startedAt: new Date().toISOString(),
    ended: false,
  };
}
