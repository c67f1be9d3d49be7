import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ref } from '../../src/domain/ref.ts';
import { createFolderKeeper } from '../../src/store/folder-keeper.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { makeFolder } from '../../src/store/make-folder.ts';
import { pathInSweep, sweepFolder } from '../../src/store/sweep-path.ts';
import { randomFrom } from '../fakes/random.ts';

const HOUR_MS = 60 * 60 * 1000;
const LONG_AGO = new Date(Date.now() - 100 * HOUR_MS);

describe('sweeping a store', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'deeprepro-sweep-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const pathOf = ({ sha256 }: Ref) => join(folder, sha256.slice(0, 2), sha256);
  const age = (ref: Ref) => utimes(pathOf(ref), LONG_AGO, LONG_AGO);
  const cutoff = () => Date.now() - 24 * HOUR_MS;

  it('removes what nobody has put for long, and nothing that is new', async () => {
    const [store, keeper] = [createFolderStore(folder), createFolderKeeper(folder)];
    const [old, fresh] = [await store.put('old'), await store.put('fresh')];
    await age(old);
    const gone = await keeper.sweep(await keeper.list(), cutoff());
    assert.deepEqual(
      gone.map(({ sha256 }) => sha256),
      [old.sha256],
    );
    assert.deepEqual([await store.has(old), await store.has(fresh)], [false, true]);
  });

  it('leaves an old value that was put again', async () => {
    const [store, keeper] = [createFolderStore(folder), createFolderKeeper(folder)];
    const old = await store.put('old');
    await age(old);
    const before = await keeper.list();
    await createFolderStore(folder).put('old');
    assert.deepEqual(await keeper.sweep(before, cutoff()), []);
    assert.equal((await store.get(old)).toString(), 'old');
  });

  it('puts back what a sweep that was killed had taken aside, and meanwhile it can be read', async () => {
    const [store, keeper] = [createFolderStore(folder), createFolderKeeper(folder)];
    const [aside, other] = [await store.put('aside'), await store.put('other')];
    await age(other);
    await makeFolder(sweepFolder(folder));
    await rename(pathOf(aside), pathInSweep(folder, aside.sha256));
    assert.equal((await store.get(aside)).toString(), 'aside');
    await keeper.sweep(await keeper.list(), cutoff());
    assert.equal(await store.has(aside), true);
  });

  it('refuses to take values of the last hours, which writers do not touch again', async () => {
    await assert.rejects(createFolderKeeper(folder).sweep([], Date.now()), /two hours ago/);
  });

  for (const seed of [1, 2, 3])
    it(`never loses a value that writers put while it sweeps, and takes all others (${seed})`, async function () {
      this.timeout(20_000);
      const random = randomFrom(seed);
      const texts = Array.from({ length: 120 }, (_, index) => `value ${index}`);
      const refs = await Promise.all(texts.map((text) => createFolderStore(folder).put(text)));
      await Promise.all(refs.map(age));
      const held = new Set<string>();
      const keeper = createFolderKeeper(folder);
      let isSwept = false;

      /** With a store of its own, as another process has it: nothing is shared in memory. */
      async function write(): Promise<void> {
        const store = createFolderStore(folder);
        while (!isSwept) {
          const text = texts[random.below(texts.length / 2)] ?? '';
          const ref = await store.put(text);
          held.add(ref.sha256);
          assert.equal((await store.get(ref)).toString(), text);
          await new Promise(setImmediate);
          assert.equal((await store.get(ref)).toString(), text, `lost after it was put: ${text}`);
        }
      }
      const writers = [write(), write(), write()];
      const watched = Promise.allSettled(writers);
      const gone = await keeper.sweep(random.shuffled(await keeper.list()), cutoff());
      isSwept = true;
      await watched;
      await Promise.all(writers);

      const store = createFolderStore(folder);
      for (const [index, ref] of refs.entries()) {
        if (held.has(ref.sha256)) assert.equal((await store.get(ref)).toString(), texts[index]);
        else assert.equal(await store.has(ref), false);
      }
      assert.ok(held.size > 0 && gone.length >= texts.length / 2, `${held.size} held`);
    });
});
