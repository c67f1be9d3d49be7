import assert from 'node:assert/strict';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../src/store/make-folder.ts';

describe('makeFolder', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'deeprepro-folder-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('makes all that is missing, by many at once', async () => {
    const path = join(folder, 'a', 'b', 'c', 'd');
    await Promise.all(Array.from({ length: 50 }, () => makeFolder(path, 0o700)));
    assert.ok((await stat(path)).isDirectory());
  });

  it('is no more than a look where the folder is there', () => makeFolder(folder));

  it('says what stands in the way', async () => {
    await writeFile(join(folder, 'file'), '');
    await assert.rejects(makeFolder(join(folder, 'file')), { code: 'EEXIST' });
    await assert.rejects(makeFolder(join(folder, 'file', 'below')), { code: 'ENOTDIR' });
  });

  it('comes back where the kernel lets nobody make a folder', async function () {
    if (process.platform !== 'linux') this.skip();
    await assert.rejects(makeFolder('/proc/deeprepro/below'), { code: 'ENOENT' });
  });
});
