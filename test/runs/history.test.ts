import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportRun } from '../../src/runs/export-run.ts';
import { aFinding } from '../fakes/builders.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';

describe('the history of an exported repository', function () {
  this.timeout(30_000);
  let bench: Bench;
  let out: string;
  beforeEach(async () => {
    bench = await aBench();
    out = join(bench.folder, 'out');
    await aStartedRun(bench);
  });
  afterEach(() => bench.end());

  const ROUNDS = [
    { 'a.py': 'a = 1\n', 'run.sh': 'echo\n' },
    { 'a.py': 'a = 2\n', 'run.sh': 'echo\n', 'src/é b.py': 'b = 1\n' },
    { 'a.py': 'a = 2\n' },
  ];

  async function playAll(): Promise<void> {
    for (const files of ROUNDS) await commitRound(bench, files);
  }

  it('has a commit a round, also of rounds that nobody exported, whose trees are those of the rounds', async () => {
    await playAll();
    const { history } = await exportRun(bench.ports, 'my-paper', out);
    assert.deepEqual(history, { commits: 3, note: '' });
    assert.deepEqual(git('log', '--format=%s', 'main').split('\n'), [
      'Round 3: 2 files removed',
      'Round 2: 1 file written, 1 file repaired',
      'Round 1: 2 files written',
    ]);
    assert.equal(
      git('ls-tree', '-r', '--name-only', 'main~1', '-z'),
      '.gitignore\0a.py\0run.sh\0src/é b.py\0',
    );
    assert.equal(git('show', 'main:a.py'), 'a = 2');
    assert.match(git('ls-tree', 'main~2', 'run.sh'), /^100755/);
    assert.equal(git('status', '--porcelain'), '');
    git('fsck', '--strict');
  });

  it('has the same ids, written at once or round by round, and again after the folder was removed', async () => {
    const ids: string[] = [];
    for (const files of ROUNDS) {
      await commitRound(bench, files);
      await exportRun(bench.ports, 'my-paper', out);
      ids.push(git('rev-parse', 'main'));
      assert.equal(git('status', '--porcelain'), '');
    }
    await rm(out, { recursive: true });
    await exportRun(bench.ports, 'my-paper', out);
    assert.deepEqual(git('rev-list', '--reverse', 'main').split('\n'), ids);
    assert.equal(git('rev-parse', 'deeprepro'), ids[2]);
    const { history } = await exportRun(bench.ports, 'my-paper', out);
    assert.deepEqual(history, { commits: 0, note: '' });
  });

  it('goes back to an older round and on again, with the same ids', async () => {
    await playAll();
    await exportRun(bench.ports, 'my-paper', out);
    const newest = git('rev-parse', 'main');
    await exportRun(bench.ports, 'my-paper', out, { round: 2 });
    assert.equal(git('rev-parse', 'main'), git('rev-parse', `${newest}~1`));
    assert.equal(await readFile(join(out, 'src/é b.py'), 'utf8'), 'b = 1\n');
    assert.match(await readFile(join(out, '.deeprepro/REPORT.md'), 'utf8'), /As of round 2 of 3/);
    await exportRun(bench.ports, 'my-paper', out);
    assert.equal(git('rev-parse', 'main'), newest);
    assert.equal(git('status', '--porcelain'), '');
    await assert.rejects(
      exportRun(bench.ports, 'my-paper', out, { round: 9 }),
      /no round 9: .* 3\./,
    );
  });

  it('names the product, not the person, and runs no hook of theirs', async () => {
    const home = join(bench.folder, 'home');
    await mkdir(join(home, 'hooks'), { recursive: true });
    const witness = join(home, 'witness');
    await writeFile(join(home, 'hooks', 'reference-transaction'), `#!/bin/sh\ntouch ${witness}\n`, {
      mode: 0o755,
    });
    await writeFile(
      join(home, '.gitconfig'),
      `[user]\nname = Me\nemail = me@example.org\n[core]\nhooksPath = ${home}/hooks\n[init]\ntemplateDir = ${home}\n[commit]\ngpgsign = true\n`,
    );
    const before = { HOME: process.env['HOME'], GIT_AUTHOR_NAME: process.env['GIT_AUTHOR_NAME'] };
    Object.assign(process.env, { HOME: home, GIT_AUTHOR_NAME: 'Somebody' });
    try {
      await playAll();
      await exportRun(bench.ports, 'my-paper', out);
    } finally {
      for (const [name, value] of Object.entries(before))
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
    }
    await assert.rejects(readFile(witness));
    assert.deepEqual(
      new Set(git('log', '--format=%an %cn').split('\n')),
      new Set(['deeprepro deeprepro']),
    );
  });

  it('says in the message which findings were opened and resolved', async () => {
    const finding = aFinding({ path: 'a.py' });
    await commitRound(bench, { 'a.py': 'a = 1\n' }, { findings: [finding] });
    await commitRound(
      bench,
      { 'a.py': 'a = 2\n' },
      { findings: [{ ...finding, resolvedInRound: 2 }] },
    );
    await exportRun(bench.ports, 'my-paper', out);
    assert.match(
      git('log', '-1', '--format=%B', 'main'),
      /1 finding resolved[^]*Findings resolved:\n- a\.py: /,
    );
    assert.match(git('log', '-1', '--format=%B', 'main~1'), /1 finding opened/);
  });

  it("leaves a person's commits alone and keeps the rounds on a branch of its own", async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await writeFile(join(out, 'a.py'), 'mine\n');
    git('-c', 'user.name=Me', '-c', 'user.email=me@example.org', 'commit', '-qam', 'Mine');
    const mine = git('rev-parse', 'main');
    await commitRound(bench, { 'a.py': 'a = 2\n', 'b.py': 'b = 1\n' });
    const exported = await exportRun(bench.ports, 'my-paper', out);
    assert.match(exported.history.note, /git merge deeprepro/);
    assert.equal(git('rev-parse', 'main'), mine);
    assert.equal(git('show', 'deeprepro:a.py'), 'a = 2');
    assert.equal(await readFile(join(out, 'a.py'), 'utf8'), 'mine\n');
  });

  it('keeps what a person has staged', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await writeFile(join(out, 'mine.txt'), 'mine\n');
    git('add', 'mine.txt');
    await commitRound(bench, { 'a.py': 'a = 2\n' });
    await exportRun(bench.ports, 'my-paper', out);
    assert.equal(git('status', '--porcelain'), 'A  mine.txt');
  });

  it('makes no commit in a repository that a person made, or that is a work tree of theirs', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await mkdir(out);
    execFileSync('git', ['init', '-q', out]);
    const { history, written } = await exportRun(bench.ports, 'my-paper', out);
    assert.match(history.note, /repository of yours/);
    assert.equal(written, 2);
    assert.throws(() => git('rev-parse', '--verify', '-q', 'HEAD'));
    const linked = join(bench.folder, 'linked');
    await mkdir(linked);
    await symlink(join(out, '.git'), join(linked, '.git'));
    assert.match(
      (await exportRun(bench.ports, 'my-paper', linked)).history.note,
      /repository of yours/,
    );
  });

  it('is its own inside the repository of a person', async () => {
    execFileSync('git', ['init', '-q', bench.folder]);
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    assert.equal(git('rev-list', '--count', 'main'), '1');
    assert.throws(() =>
      execFileSync('git', ['-C', bench.folder, 'rev-parse', '-q', '--verify', 'HEAD'], {
        stdio: 'pipe',
      }),
    );
  });

  it('is left out, and said to be, where there is no git', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    const missing = { exitCode: null, stdout: '', started: false, failure: 'no git' };
    const ports = { ...bench.ports, git: () => Promise.resolve(missing) };
    const { history, written } = await exportRun(ports, 'my-paper', out);
    assert.match(history.note, /git is not installed/);
    assert.equal(written, 2);
    await exportRun(bench.ports, 'my-paper', out);
    assert.equal(git('rev-list', '--count', 'main'), '1');
  });

  it('is repaired by the next export where git died in the middle', async () => {
    await playAll();
    for (const command of ['init', 'fast-import', 'update-ref', 'read-tree', 'update-index']) {
      let isArmed = true;
      const ports = {
        ...bench.ports,
        async git(request: Parameters<typeof bench.ports.git>[0]) {
          if (isArmed && request.args.includes(command)) {
            isArmed = false;
            throw new Error('killed');
          }
          return bench.ports.git(request);
        },
      };
      const folder = join(bench.folder, command);
      await exportRun(ports, 'my-paper', folder).catch(() => undefined);
      await exportRun(bench.ports, 'my-paper', folder);
      assert.equal(gitIn(folder, 'rev-list', '--count', 'main'), '3', command);
      assert.equal(gitIn(folder, 'status', '--porcelain'), '', command);
    }
  });

  it('removes the lock that a killed git left on its branch', async () => {
    await commitRound(bench, { 'a.py': 'a = 1\n' });
    await exportRun(bench.ports, 'my-paper', out);
    await writeFile(join(out, '.git/refs/heads/deeprepro.lock'), '');
    await commitRound(bench, { 'a.py': 'a = 2\n' });
    assert.equal((await exportRun(bench.ports, 'my-paper', out)).history.note, '');
    assert.equal(git('rev-list', '--count', 'main'), '2');
  });

  function git(...args: readonly string[]): string {
    return gitIn(out, ...args);
  }
});

function gitIn(folder: string, ...args: readonly string[]): string {
  const output = execFileSync('git', ['-c', 'safe.directory=*', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  });
  return output.trimEnd();
}
