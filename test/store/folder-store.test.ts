import assert from 'node:assert/strict';
import { chmod, mkdtemp, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobUnreadable } from '../../src/domain/errors.ts';
import { createFolderStore, refOf } from '../../src/store/folder-store.ts';

describe('a folder store', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'store-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const pathOf = ({ sha256 }: { sha256: string }) => join(folder, sha256.slice(0, 2), sha256);

  it('gives back what was put, text as UTF-8', async () => {
    const store = createFolderStore(folder);
    const ref = await store.put('naïve π');
    assert.equal((await store.get(ref)).toString('utf8'), 'naïve π');
    assert.equal(ref.bytes, Buffer.byteLength('naïve π'));
    assert.deepEqual(await store.put(Buffer.from('naïve π')), ref);
  });

  it('holds the empty value', async () => {
    const store = createFolderStore(folder);
    assert.equal((await store.get(await store.put(''))).length, 0);
  });

  it('is put the same value by many at once without harm, and leaves no temporary file', async () => {
    const store = createFolderStore(folder);
    const other = createFolderStore(folder);
    const text = 'x'.repeat(100_000);
    const refs = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 ? store : other).put(text)),
    );
    assert.equal(new Set(refs.map(({ sha256 }) => sha256)).size, 1);
    const [shelf = ''] = await readdir(folder);
    assert.equal((await readdir(join(folder, shelf))).length, 1);
    assert.equal((await store.get(refOf(text))).toString(), text);
  });

  it('says which value is missing', async () => {
    const store = createFolderStore(folder);
    const ref = refOf('never put');
    assert.equal(await store.has(ref), false);
    await assert.rejects(store.get(ref), (error) => {
      assert.ok(error instanceof BlobUnreadable);
      return error.message.includes(ref.sha256);
    });
  });

  it('says which value is damaged', async () => {
    const store = createFolderStore(folder);
    const ref = await store.put('sound');
    await writeFile(pathOf(ref), 'sOund');
    await assert.rejects(store.get(ref), BlobUnreadable);
  });

  it('heals a value that was cut when it is put again', async () => {
    const store = createFolderStore(folder);
    const ref = await store.put('a whole value');
    await truncate(pathOf(ref), 3);
    assert.equal(await store.has(ref), false);
    await assert.rejects(store.get(ref), BlobUnreadable);
    await store.put('a whole value');
    assert.equal((await store.get(ref)).toString(), 'a whole value');
  });

  it('names the folder when it cannot be written', async function () {
    if (process.getuid?.() === 0) {
      // Root writes anywhere, but nobody makes a folder below a file.
      await writeFile(join(folder, 'file'), '');
      await assert.rejects(createFolderStore(join(folder, 'file', 'store')).put('x'), /ENOTDIR/);
      return;
    }
    await chmod(folder, 0o500);
    await assert.rejects(createFolderStore(folder).put('x'), /cannot be written/);
    await chmod(folder, 0o700);
  });

  it('names its own folder on a disk that refuses, not the one of the value', async function () {
    if (process.platform !== 'linux') this.skip();
    // Nobody, not even root, makes folders there.
    await assert.rejects(createFolderStore('/sys').put('x'), /The folder \/sys cannot be written/);
  });
});
