import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { claimFolder } from '../../src/runs/export-folder.ts';
import type { Exported } from '../../src/runs/export-run.ts';
import { openLiveFolder } from '../../src/runs/live-folder.ts';
import { readStatus } from '../../src/runs/read-status.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';

describe('the folder of a run that is followed', function () {
  this.timeout(20_000);
  let bench: Bench;
  let out: string;
  beforeEach(async () => {
    bench = await aBench();
    out = join(bench.folder, 'out');
    await aStartedRun(bench, { out });
    bench.engine.answer = () => Promise.reject(new Error('busy'));
  });
  afterEach(() => bench.end());

  it('holds each round as it is committed, and is made anew when it was removed', async () => {
    const folder = openLiveFolder(bench.ports);
    for (const round of [1, 2, 3]) {
      await commitRound(bench, { 'a.py': `a = ${round}\n` });
      await look(folder);
      assert.equal(await readFile(join(out, 'a.py'), 'utf8'), `a = ${round}\n`);
      assert.match(await readFile(join(out, '.deeprepro/REPORT.md'), 'utf8'), /Not ended: as of/);
      if (round === 2) await rm(out, { recursive: true });
    }
    const log = execFileSync('git', [
      '-c',
      'safe.directory=*',
      '-C',
      out,
      'rev-list',
      '--count',
      'main',
    ]);
    assert.equal(String(log).trim(), '3');
  });

  it('is not written again while the run stands still', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    const folder = openLiveFolder(bench.ports);
    const exports = listen(folder);
    for (let looks = 0; looks < 3; looks += 1) await look(folder);
    assert.equal(exports.length, 1);
  });

  it('is left to another client that writes to it, and written when that one has gone', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    const other = await claimFolder(out, 0);
    assert.ok(typeof other !== 'number');
    const folder = openLiveFolder(bench.ports);
    const exports = listen(folder);
    await look(folder);
    assert.deepEqual([exports.length, folder.trouble()], [0, '']);
    await other.release();
    await look(folder);
    assert.equal(exports.length, 1);
  });

  it('tells of a change of a person once, also to the next client, and again when the file changes', async () => {
    const told: (readonly string[])[] = [];
    for (const text of ['a = 1\n', 'a = 2\n', 'a = 2\n', 'a = 3\n']) {
      await commitRound(bench, { 'a.py': text });
      const folder = openLiveFolder(bench.ports);
      const exports = listen(folder);
      await look(folder);
      told.push(exports.flatMap(({ newlyKept }) => newlyKept));
      await writeFile(join(out, 'a.py'), 'mine\n');
    }
    assert.deepEqual(told, [[], ['a.py'], [], ['a.py']]);
    assert.equal(await readFile(join(out, 'a.py'), 'utf8'), 'mine\n');
  });

  it('says why it cannot be written, and ends nothing', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await writeFile(out, 'a file');
    const folder = openLiveFolder(bench.ports);
    await look(folder);
    assert.match(folder.trouble(), /cannot be written at the moment: .*it is a file.*--out/);
  });

  async function look(folder: ReturnType<typeof openLiveFolder>): Promise<void> {
    folder.look(await readStatus(bench.ports, 'my-paper'));
    await folder.settled();
  }

  function listen(folder: ReturnType<typeof openLiveFolder>): Exported[] {
    const exports: Exported[] = [];
    folder.onExported((exported) => exports.push(exported));
    return exports;
  }
});
