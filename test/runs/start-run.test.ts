import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PaperUnreadable } from '../../src/domain/errors.ts';
import { RunSettings } from '../../src/domain/run-settings.ts';
import { Task } from '../../src/domain/task.ts';
import { startRun } from '../../src/runs/start-run.ts';
import { getJson } from '../../src/store/stored-json.ts';
import { aBench, aWish, type Bench } from './a-run.ts';

describe('startRun', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('keeps the paper, makes the folder, and starts the workflow from the record', async () => {
    const { record, notice } = await startRun(bench.ports, aWish(bench.paper));
    assert.equal(record.name, 'my-paper');
    assert.equal(notice, '');
    const settings = await getJson(bench.ports.store, RunSettings, record.settings);
    const task = await getJson(bench.ports.store, Task, settings.task);
    assert.equal(task.paper.name, 'My Paper.md');
    assert.match(
      (await bench.ports.store.get(task.paper.content)).toString(),
      /The score is a sum/,
    );
    assert.deepEqual(record.account.cap, 15);
    assert.equal(bench.engine.started.length, 1);
    assert.equal(bench.engine.started[0]?.run, 'my-paper');
    assert.deepEqual(
      (await bench.ports.folders.events('my-paper')).map(({ kind }) => kind),
      ['run-started'],
    );
  });

  it('has made the folder when starting the workflow fails', async () => {
    bench.engine.start = () => Promise.reject(new Error('no server'));
    await assert.rejects(startRun(bench.ports, aWish(bench.paper)), /no server/);
    assert.equal((await bench.ports.folders.read('my-paper')).outcome, null);
  });

  it('counts on where the name from the file is taken', async () => {
    const names = [];
    for (let index = 0; index < 3; index += 1)
      names.push((await startRun(bench.ports, aWish(bench.paper))).record.name);
    assert.deepEqual(names, ['my-paper', 'my-paper-2', 'my-paper-3']);
  });

  it('gives two runs started at once two names', async () => {
    const started = await Promise.all(
      [1, 2, 3, 4].map(() => startRun(bench.ports, aWish(bench.paper))),
    );
    assert.equal(new Set(started.map(({ record }) => record.name)).size, 4);
  });

  it('refuses a name that is taken', async () => {
    await startRun(bench.ports, aWish(bench.paper, { name: 'mine' }));
    await assert.rejects(startRun(bench.ports, aWish(bench.paper, { name: 'mine' })), {
      name: 'UsageError',
      message: /"mine" is taken/,
    });
  });

  it('refuses an --out that holds foreign files or is a file, before anything is made', async () => {
    const foreign = join(bench.folder, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'notes.txt'), 'mine');
    for (const out of [foreign, bench.paper, join(bench.paper, 'below')])
      await assert.rejects(startRun(bench.ports, aWish(bench.paper, { out })), {
        name: 'UsageError',
        message: /name (another|an empty or new folder) with --out/,
      });
    assert.deepEqual(await bench.ports.folders.names(), []);
  });

  it('refuses a paper without text, before anything is made', async () => {
    const checkPaper = () => Promise.reject(new PaperUnreadable('It has no text.'));
    await assert.rejects(startRun({ ...bench.ports, checkPaper }, aWish(bench.paper)), {
      name: 'UsageError',
      message: 'It has no text.',
    });
    assert.deepEqual(await bench.ports.folders.names(), []);
  });

  it('caps a run on a model without a known price in tokens, and says so', async () => {
    const model = { ...aWish('').model, model: 'home-made' };
    const { record, notice } = await startRun(bench.ports, aWish(bench.paper, { model }));
    assert.deepEqual([record.account.unit, record.account.cap], ['tokens', 20_000_000]);
    assert.match(notice, /"home-made" is not known.*20,000,000 tokens/);
    assert.equal(record.controls.callAllowance, 92_000);
  });

  const BAD: readonly (readonly [string, string, string | Uint8Array, RegExp])[] = [
    ['an empty file', 'empty.md', ' \n', /empty\.md is empty/],
    ['a binary file', 'paper.bin', new Uint8Array([80, 75, 0, 4]), /is a binary file/],
  ];
  for (const [what, name, content, message] of BAD) {
    it(`refuses ${what} before anything is made`, async () => {
      const path = join(bench.folder, name);
      await writeFile(path, content);
      await assert.rejects(startRun(bench.ports, aWish(path)), { name: 'UsageError', message });
      assert.deepEqual(await bench.ports.folders.names(), []);
    });
  }

  it('refuses a paper that is missing, a folder, or an address', async () => {
    await assert.rejects(startRun(bench.ports, aWish('/nowhere/x.md')), /no file \/nowhere\/x\.md/);
    await assert.rejects(startRun(bench.ports, aWish(bench.folder)), /is not a file/);
    await assert.rejects(
      startRun(bench.ports, aWish('arXiv:2406.12345')),
      /cannot fetch papers yet/,
    );
  });

  it('never prints a key that cannot be one', async () => {
    const environment = { OPENAI_API_KEY: 'sk-secret\nmore' };
    await assert.rejects(startRun(bench.ports, aWish(bench.paper, { environment })), (error) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /OPENAI_API_KEY holds a line break/);
      assert.doesNotMatch(error.message, /secret/);
      return true;
    });
  });

  it('needs no key for a server of another host', async () => {
    const model = { ...aWish('').model, baseUrl: 'http://127.0.0.1:9/v1' };
    await startRun(bench.ports, aWish(bench.paper, { model, environment: {} }));
    assert.equal(bench.engine.started.length, 1);
  });
});
