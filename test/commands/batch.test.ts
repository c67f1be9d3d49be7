import assert from 'node:assert/strict';
import { join } from 'node:path';
import { CommanderError } from 'commander';
import { batchHead } from '../../src/commands/batch-view.ts';
import { describePlaces } from '../../src/commands/batch-end.ts';
import { describeSpend } from '../../src/commands/describe-run.ts';
import { buildProgram } from '../../src/commands/program.ts';
import type { Batch } from '../../src/domain/batch.ts';
import { UsageError } from '../../src/domain/errors.ts';
import { readStatus } from '../../src/runs/read-status.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import { createBatchFolders } from '../../src/store/batch-folders.ts';
import { aBench, aStartedRun, type Bench } from '../runs/a-run.ts';
import { portsOf } from './command-ports.ts';

describe('a batch on the command line', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('is named where its name is given for a run', async () => {
    await aBatch();
    await assert.rejects(run(['status', 'bb']), /"bb" is a batch and no run: `deeprepro batch bb`/);
  });

  it('is removed without its runs, and not while it is driven', async () => {
    const { name } = await aStartedRun(bench, { outcome: 'complete' });
    const batches = await aBatch([name, 'unbegun']);
    const driver = await batches.drive('bb');
    await assert.rejects(run(['remove', 'bb', '--yes']), /is driven by process/);
    assert.ok('release' in driver);
    await driver.release();
    await assert.rejects(
      run(['remove', 'bb']),
      /without a terminal: add --yes\..*stay: my-paper\./,
    );
    assert.match(await run(['remove', 'bb', '--yes']), /bb is removed\. Its runs stay: my-paper\./);
    assert.deepEqual(await batches.names(), []);
    assert.deepEqual(await bench.ports.folders.names(), [name]);
  });

  it('is listed with where it stands', async () => {
    await aBatch();
    assert.match(await run(['batch']), /^bb: 0 of 1 ended · 0\.00 USD of 4\.00 USD · \d/);
  });

  it('refuses a total that is for no batch', async () => {
    await assert.rejects(run(['batch', '--total-budget', '4']), /of one batch/);
  });

  it('takes no longer for being looked at when it is over', async () => {
    const updatedAt = '2026-01-01T00:20:12.000Z';
    await aStartedRun(bench, { outcome: 'complete', updatedAt });
    const batch = await (await aBatch(['my-paper'])).read('bb');
    const statuses = new Map([['my-paper', await readStatus(bench.ports, 'my-paper')]]);
    const nowMs = Date.parse('2026-03-01T00:00:00.000Z');
    assert.match(
      batchHead({ batch, statuses, problems: new Map(), nowMs }),
      /1 of 1 ended .* 20:12$/,
    );
  });

  it('says at its end where repositories and reports are', () => {
    const [line] = describePlaces([], new Map([['a', '/out/a']]));
    assert.equal(line, `a: /out/a (report: ${join('/out/a', '.deeprepro', 'REPORT.md')})`);
  });

  it('tells how to have what no folder was named for', async () => {
    await aStartedRun(bench, { outcome: 'complete', report: { sha256: 'a'.repeat(64), bytes: 1 } });
    const status = await readStatus(bench.ports, 'my-paper');
    const end = { run: 'my-paper', kind: 'ended', status, problem: '' } as const;
    assert.match(describePlaces([end], new Map()).join('\n'), /report RUN.*export RUN --out/);
  });

  it('shows no cap of a run that it has settled', async () => {
    const account = { unit: 'usd', cap: 0, spent: 0, maybePaid: 0 } as const;
    assert.equal(describeSpend({ account, batch: 'bb', outcome: 'complete' }), '0.00 USD');
    assert.equal(describeSpend({ account, batch: 'bb', outcome: null }), '0.00 of 0.00 USD');
  });

  it('says that not all names are shown where a run is not there', async () => {
    for (let index = 0; index < 11; index += 1) await aStartedRun(bench);
    await assert.rejects(run(['status', 'nothing']), /my-paper-\d+, …\. See/);
  });

  async function aBatch(runs: readonly string[] = ['a']) {
    const batches = createBatchFolders(join(bench.folder, 'batches'));
    await batches.create(batchOf(runs, bench.paper));
    return batches;
  }

  async function run(words: readonly string[]): Promise<string> {
    const batches = createBatchFolders(join(bench.folder, 'batches'));
    const folders = createRunFolders(
      join(bench.folder, 'runs'),
      async (name) => (await batches.find(name)) !== undefined,
    );
    const lines: string[] = [];
    const ports = portsOf({ ...bench, ports: { ...bench.ports, folders } }, lines);
    await buildProgram(ports)
      .parseAsync(words, { from: 'user' })
      .catch((error: unknown) => {
        throw error instanceof CommanderError ? new UsageError(error.message) : error;
      });
    return lines.map((line) => line.slice(4)).join('\n');
  }
});

function batchOf(runs: readonly string[], paper: string): Batch {
  return {
    schemaVersion: 1,
    ...{ name: 'bb', createdAt: '2026-01-01T00:00:00.000Z', unit: 'usd', total: 4 },
    ...{ onBudget: 'wait', parallelRuns: 2, parallel: 8, maxOutputTokens: 8000 },
    ...{ review: false, out: null, replay: null },
    entries: runs.map((run) => ({
      run,
      paper: { paper, supplements: [], figures: [], requests: [] },
      ...{ granted: 0, settled: null, problem: '' },
    })),
  };
}
