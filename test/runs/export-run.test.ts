import assert from 'node:assert/strict';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportRun } from '../../src/runs/export-run.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';

describe('exportRun', () => {
  let bench: Bench;
  let out: string;
  beforeEach(async () => {
    bench = await aBench();
    out = join(bench.folder, 'out');
    await aStartedRun(bench);
  });
  afterEach(() => bench.end());

  it('writes the tree, the report and the record', async () => {
    await commit({ 'src/a.py': 'a = 1\n', 'run.sh': '#!/bin/sh\n' });
    const exported = await exportRun(bench.ports, 'my-paper', out);
    assert.equal(exported.written, 3);
    assert.equal(await readFile(join(out, 'src/a.py'), 'utf8'), 'a = 1\n');
    assert.equal((await stat(join(out, 'run.sh'))).mode & 0o111, 0o111);
    assert.equal(await readFile(join(out, '.deeprepro/REPORT.md'), 'utf8'), '# Report\n');
    assert.match(await readFile(join(out, '.deeprepro/run.json'), 'utf8'), /"run": "my-paper"/);
    assert.match(await readFile(join(out, '.gitignore'), 'utf8'), /^\/results\/$/m);
  });

  it('follows the next round: changed files are written, files that left are removed', async () => {
    await commit({ 'src/a.py': 'a = 1\n', 'src/old/b.py': 'b = 1\n', 'c.py': 'c = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await commit({ 'src/a.py': 'a = 2\n', 'c.py': 'c = 1\n' });
    const exported = await exportRun(bench.ports, 'my-paper', out);
    assert.deepEqual(exported.removed, ['src/old/b.py']);
    assert.deepEqual([exported.written, exported.unchanged], [1, 2]);
    await assert.rejects(stat(join(out, 'src/old')));
  });

  it('leaves alone what a person has changed, also when the file left the tree', async () => {
    await commit({ 'a.py': 'a = 1\n', 'b.py': 'b = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await writeFile(join(out, 'a.py'), 'mine\n');
    await writeFile(join(out, 'b.py'), 'mine too\n');
    await commit({ 'a.py': 'a = 2\n' });
    for (let times = 0; times < 2; times += 1) {
      const exported = await exportRun(bench.ports, 'my-paper', out);
      assert.deepEqual([...exported.keptChanges].sort(), ['a.py', 'b.py']);
    }
    assert.equal(await readFile(join(out, 'a.py'), 'utf8'), 'mine\n');
    assert.equal(await readFile(join(out, 'b.py'), 'utf8'), 'mine too\n');
  });

  it('writes a file again that was deleted', async () => {
    await commit({ 'a.py': 'a = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await rm(join(out, 'a.py'));
    assert.equal((await exportRun(bench.ports, 'my-paper', out)).written, 1);
  });

  it('refuses a folder with foreign files, one of another run, and a file', async () => {
    await commit({ 'a.py': 'a = 1\n' });
    const foreign = join(bench.folder, 'foreign');
    await mkdir(foreign);
    await writeFile(join(foreign, 'thesis.tex'), 'years of work');
    await assert.rejects(exportRun(bench.ports, 'my-paper', foreign), {
      name: 'UsageError',
      message: /holds files that deeprepro did not write/,
    });
    await exportRun(bench.ports, 'my-paper', out);
    const other = await aStartedRun(bench);
    await commit({ 'a.py': 'a = 1\n' }, other.name);
    await assert.rejects(exportRun(bench.ports, other.name, out), /of the run "my-paper"/);
    await assert.rejects(exportRun(bench.ports, 'my-paper', bench.paper), /cannot be used/);
  });

  it('goes on where an export was cut off before its marker was written', async () => {
    await commit({ 'a.py': 'a = 1\n', 'b.py': 'b = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await commit({ 'a.py': 'a = 2\n', 'b.py': 'b = 1\n' });
    // As if the process had died here, after the first file.
    await writeFile(join(out, 'a.py'), 'a = 2\n');
    assert.deepEqual((await exportRun(bench.ports, 'my-paper', out)).keptChanges, []);
  });

  function commit(files: Readonly<Record<string, string>>, name = 'my-paper') {
    return commitRound(bench, files, { name, report: '# Report\n' });
  }
});
