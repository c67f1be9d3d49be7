import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventOf } from '../../src/domain/event.ts';
import { RunDocument } from '../../src/domain/run-document.ts';
import { requireUsableFolder } from '../../src/runs/export-folder.ts';
import { exportRun } from '../../src/runs/export-run.ts';
import { readReport } from '../../src/runs/read-report.ts';
import { aMarker, anEntry } from '../store/journal-values.ts';
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

  it('tells of an earlier round what was true then, and that the run went on', async () => {
    await commit({ 'a.py': 'a = 1\n' });
    await tellRound(1, '2030-01-01T01:00:00.000Z');
    await pay('2030-01-01T00:30:00.000Z');
    await commitRound(bench, { 'a.py': 'a = 2\n' }, { report: '# Report\n' });
    await tellRound(2, '2030-01-01T02:00:00.000Z');
    await pay('2030-01-01T01:30:00.000Z');
    await exportRun(bench.ports, 'my-paper', out, { round: 1 });
    const report = await readFile(join(out, '.deeprepro/REPORT.md'), 'utf8');
    assert.match(report, /As of round 1 of 2\.\*\* The run ended afterwards: complete\./);
    assert.match(report, /Spent up to then: 0\.25 USD .* Model calls: 1\./);
    const told: unknown = JSON.parse(await readFile(join(out, '.deeprepro/run.json'), 'utf8'));
    const { account, lastChangeAt, later } = RunDocument.parse(told);
    assert.deepEqual([account.spent, account.calls], [0.25, 1]);
    assert.deepEqual(
      [lastChangeAt, later?.round, later?.outcome],
      ['2030-01-01T01:00:00.000Z', 2, 'complete'],
    );
  });

  it('tells before the end what the journal holds, not what was noted last', async () => {
    await commit({ 'a.py': 'a = 1\n' });
    await bench.ports.folders.update('my-paper', (record) => ({
      ...record,
      report: null,
      outcome: null,
    }));
    await pay('2030-01-01T01:30:00.000Z');
    const { text } = await readReport(bench.ports, 'my-paper');
    assert.match(text, /Spent: 0\.25 USD .* Model calls: 1,/);
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

  it('follows no link out of the folder, whichever part of the path is one', async () => {
    const outside = join(bench.folder, 'outside');
    await mkdir(outside);
    await commit({ 'src/a.py': 'a = 1\n', 'b.py': 'b = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await rm(join(out, 'src'), { recursive: true });
    await symlink(outside, join(out, 'src'));
    await rm(join(out, 'b.py'));
    await symlink(join(outside, 'b.py'), join(out, 'b.py'));
    await commit({ 'src/a.py': 'a = 2\n', 'b.py': 'b = 2\n' });
    const { keptChanges } = await exportRun(bench.ports, 'my-paper', out);
    assert.deepEqual(keptChanges, ['b.py', 'src/a.py']);
    assert.deepEqual(await readdir(outside), []);
    await rm(join(out, '.deeprepro'), { recursive: true });
    await symlink(outside, join(out, '.deeprepro'));
    await assert.rejects(exportRun(bench.ports, 'my-paper', out), /is a link or a file/);
  });

  it('writes to another file system', async function () {
    const shared = await mkdtemp('/dev/shm/deeprepro-test-').catch(() => undefined);
    if (shared === undefined) return this.skip();
    try {
      await commit({ 'src/a.py': 'a = 1\n' });
      const { written, history } = await exportRun(bench.ports, 'my-paper', join(shared, 'out'));
      assert.deepEqual([written, history], [2, { commits: 1, note: '' }]);
    } finally {
      await rm(shared, { recursive: true });
    }
  });

  it('says so on a full disk, keeps what is there, and goes on once there is room', async function () {
    const disk = join(bench.folder, 'disk');
    await mkdir(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=256k', 'tmpfs', disk]);
    if (mounted.status !== 0) return this.skip();
    try {
      await commit({ 'a.py': 'a = 1\n' });
      await exportRun(bench.ports, 'my-paper', join(disk, 'out'));
      await commit({ 'a.py': 'a = 2\n', 'big.txt': 'x'.repeat(300_000) });
      await assert.rejects(exportRun(bench.ports, 'my-paper', join(disk, 'out')), {
        name: 'NeedsPerson',
        message: /The disk that holds .* is full/,
      });
      spawnSync('mount', ['-o', 'remount,size=4m', disk]);
      const { keptChanges, history } = await exportRun(bench.ports, 'my-paper', join(disk, 'out'));
      assert.deepEqual([keptChanges, history.note], [[], '']);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  it('says that a folder cannot be written', async function () {
    const disk = join(bench.folder, 'disk');
    await mkdir(disk);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', disk]);
    if (mounted.status !== 0) return this.skip();
    try {
      await commit({ 'a.py': 'a = 1\n' });
      await assert.rejects(exportRun(bench.ports, 'my-paper', disk), /cannot be written/);
      await assert.rejects(requireUsableFolder(join(disk, 'out'), 'x'), /cannot be used .*--out/);
    } finally {
      spawnSync('umount', [disk]);
    }
  });

  async function tellRound(round: number, at: string) {
    const fact = { kind: 'round-committed', round, subject: '', text: '', ref: null } as const;
    await bench.ports.folders.append('my-paper', eventOf(fact, at));
  }

  async function pay(startedAt: string) {
    const { seed } = await bench.ports.folders.read('my-paper');
    const key = createHash('sha256').update(startedAt).digest('hex');
    const of = { label: 'plan/files/try1', run: 'my-paper', startedAt };
    const opening = await bench.ports.journal.open(seed, aMarker(key, of));
    assert.equal(opening.kind, 'open');
    await opening.call.close(anEntry(key, { ...of, cost: 0.25 }));
  }

  function commit(files: Readonly<Record<string, string>>, name = 'my-paper') {
    return commitRound(bench, files, { name, report: '# Report\n' });
  }
});
