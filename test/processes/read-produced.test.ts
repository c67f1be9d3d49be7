import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listProduced, readProduced } from '../../src/processes/read-produced.ts';

describe('readProduced', () => {
  let folder: string;
  let outside: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'produced-'));
    outside = await mkdtemp(join(tmpdir(), 'outside-'));
    await writeFile(join(outside, 'secret'), 'secret');
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
    await rm(outside, { recursive: true });
  });

  it('reads a file below the folder', async () => {
    await mkdir(join(folder, 'results'));
    await writeFile(join(folder, 'results/cells.csv'), 'a,b\n');
    const produced = await readProduced(folder, './results//cells.csv', 100);
    assert.ok(produced.kind === 'file');
    assert.deepEqual([produced.content.toString(), produced.bytes], ['a,b\n', 4]);
  });

  it('reads no more than it was asked for, whatever size a file claims', async () => {
    await writeFile(join(folder, 'huge'), 'begin');
    await truncate(join(folder, 'huge'), 2 ** 40);
    const produced = await readProduced(folder, 'huge', 5);
    assert.ok(produced.kind === 'file');
    assert.deepEqual([produced.content.toString(), produced.bytes], ['begin', 2 ** 40]);
  });

  it('says what is not there', async () => {
    await writeFile(join(folder, 'file'), '');
    for (const path of ['none', 'no/folder', 'file/below'])
      assert.notEqual((await readProduced(folder, path, 9)).kind, 'file', path);
    assert.deepEqual(await readProduced(folder, 'none', 9), { kind: 'absent' });
  });

  it('follows no link, whether it is the file or a folder on the way', async () => {
    await symlink(join(outside, 'secret'), join(folder, 'direct'));
    await symlink(outside, join(folder, 'behind'));
    await mkdir(join(folder, 'deep'));
    await symlink(`../../${outside.split('/').at(-1) ?? ''}`, join(folder, 'deep/relative'));
    for (const path of ['direct', 'behind/secret', 'deep/relative/secret'])
      assert.equal((await readProduced(folder, path, 100)).kind, 'refused', path);
  });

  it('reads nothing outside the folder', async () => {
    const name = outside.split('/').at(-1) ?? '';
    for (const path of [
      `../${name}/secret`,
      `x/../../${name}/secret`,
      `${outside}/secret`,
      '',
      '.',
    ])
      assert.equal((await readProduced(folder, path, 100)).kind, 'refused', path);
  });

  it('refuses a second name of a file that may stand elsewhere', async () => {
    await link(join(outside, 'secret'), join(folder, 'twin'));
    assert.deepEqual(await readProduced(folder, 'twin', 100), {
      kind: 'refused',
      reason: 'twin has several names.',
    });
  });

  it('waits for no pipe and opens no folder', async () => {
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await mkdir(join(folder, 'folder'));
    for (const path of ['pipe', 'folder'])
      assert.deepEqual(await readProduced(folder, path, 100), {
        kind: 'refused',
        reason: `${path} is no regular file.`,
      });
  });

  it('lists regular files alone, and says when there are more', async () => {
    await mkdir(join(folder, 'a'));
    await writeFile(join(folder, 'a/1'), 'one');
    await writeFile(join(folder, '2'), 'x');
    await symlink(outside, join(folder, 'out'));
    await symlink('.', join(folder, 'a/loop'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const { files, isWhole } = await listProduced(folder, 10);
    assert.deepEqual(
      files.map(({ path, bytes }) => [path, bytes]),
      [
        ['2', 1],
        ['a/1', 3],
      ],
    );
    assert.equal(isWhole, true);
    const fewer = await listProduced(folder, 1);
    assert.deepEqual([fewer.files.length, fewer.isWhole], [1, false]);
  });
});
