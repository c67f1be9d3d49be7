import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { approveRun } from '../../src/runs/approve-run.ts';
import { pauseRun, setBudget, stopRun } from '../../src/runs/steer-run.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';

describe('steering a run', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('tells the workflow', async () => {
    await aStartedRun(bench);
    await pauseRun(bench.ports, 'my-paper');
    await stopRun(bench.ports, 'my-paper');
    assert.deepEqual(bench.engine.told, [
      ['pause', 'my-paper'],
      ['stop', 'my-paper'],
    ]);
  });

  it('gives each change of the budget an id of its own', async () => {
    await aStartedRun(bench);
    await setBudget(bench.ports, 'my-paper', 20);
    await setBudget(bench.ports, 'my-paper', 20);
    const ids = bench.engine.told.map((each) => JSON.stringify(each));
    assert.equal(new Set(ids).size, 2);
  });

  it('says of a run that has ended that it has', async () => {
    await aStartedRun(bench, { outcome: 'stopped' });
    await assert.rejects(pauseRun(bench.ports, 'my-paper'), /has ended already \(stopped\)/);
    assert.deepEqual(bench.engine.told, []);
  });

  it('names the run that does not exist and those that do', async () => {
    await aStartedRun(bench);
    await assert.rejects(pauseRun(bench.ports, 'my-papre'), {
      name: 'UsageError',
      message: /no run "my-papre".*my-paper/,
    });
  });

  it('approves the blueprint that the person has read', async () => {
    const blueprint = await bench.ports.store.put('a blueprint');
    await aStartedRun(bench, { blueprint });
    assert.equal(await approveRun(bench.ports, 'my-paper', undefined), 'approved');
    assert.match(JSON.stringify(bench.engine.told), new RegExp(blueprint.sha256));
  });

  it('refuses an edited blueprint that does not fit, naming the place', async () => {
    const blueprint = await bench.ports.store.put('a blueprint');
    await aStartedRun(bench, { blueprint });
    const edited = join(bench.folder, 'edited.yaml');
    await writeFile(edited, 'schemaVersion: 1\ntitle: 7\n');
    await assert.rejects(approveRun(bench.ports, 'my-paper', edited), {
      name: 'UsageError',
      message: /edited\.yaml does not fit at "title"/,
    });
    await writeFile(edited, 'title: [\n');
    await assert.rejects(approveRun(bench.ports, 'my-paper', edited), /neither YAML nor JSON/);
    assert.deepEqual(bench.engine.told, []);
  });

  it('says that there is no blueprint yet', async () => {
    await aStartedRun(bench);
    bench.engine.answer = () => Promise.reject(new Error('no worker'));
    await assert.rejects(approveRun(bench.ports, 'my-paper', undefined), /no blueprint yet/);
  });
});
