import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackArchive } from '../../src/processes/unpack-archive.ts';

interface Head {
  readonly name: string;
  readonly kind?: string;
  readonly content?: string;
  /** Where it differs from the content's. */
  readonly size?: string;
}

describe('unpackArchive', () => {
  let place: string;
  let folder: string;

  beforeEach(async () => {
    place = await mkdtemp(join(tmpdir(), 'archive-'));
    folder = join(place, 'a/folder');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'before'), 'as it was');
  });
  afterEach(() => rm(place, { recursive: true }));

  async function unpack(heads: readonly Head[], end = Buffer.alloc(1024)): Promise<boolean> {
    const archive = join(place, 'archive.tar');
    await writeFile(archive, Buffer.concat([...heads.map(entryOf), end]));
    return unpackArchive(archive, folder, 100);
  }

  it('makes the folder hold what the archive holds, and nothing else', async () => {
    assert.ok(
      await unpack([
        { name: './' },
        { name: './d/', kind: '5' },
        { name: './d/x', content: 'new' },
      ]),
    );
    assert.deepEqual((await readdir(folder, { recursive: true })).sort(), ['d', 'd/x']);
    assert.equal(await readFile(join(folder, 'd/x'), 'utf8'), 'new');
  });

  it('writes nothing outside the folder, whatever names an archive has', async () => {
    const names = [
      '../escaped',
      'd/../../escaped',
      '/tmp/escaped',
      `${place}/escaped`,
      '..',
      './..//x',
      '',
    ];
    assert.ok(
      await unpack([
        ...names.map((name) => ({ name, content: 'x' })),
        { name: 'last', content: 'y' },
      ]),
    );
    assert.deepEqual(await readdir(folder), ['last']);
    assert.deepEqual((await readdir(place)).sort(), ['a', 'archive.tar']);
    assert.deepEqual(await readdir(join(place, 'a')), ['folder']);
  });

  it('makes no link, device or pipe, so that nothing is written through one', async () => {
    await writeFile(join(place, 'outside'), 'as it was');
    const heads = ['1', '2', '3', '4', '6', '7', 'K', 'S', 'g', 'x'].map((kind) => ({
      name: 'out',
      kind,
    }));
    assert.ok(await unpack([...heads, { name: 'out', content: 'through' }]));
    assert.deepEqual(await readdir(folder), ['out']);
    assert.equal(await readFile(join(folder, 'out'), 'utf8'), 'through');
    assert.equal(await readFile(join(place, 'outside'), 'utf8'), 'as it was');
  });

  it('removes a link that was there, not what it leads to', async () => {
    await mkdir(join(place, 'outside'));
    await writeFile(join(place, 'outside/kept'), '');
    await symlink(join(place, 'outside'), join(folder, 'out'));
    assert.ok(await unpack([{ name: 'out/kept', content: 'new' }]));
    assert.equal(await readFile(join(place, 'outside/kept'), 'utf8'), '');
    assert.equal(await readFile(join(folder, 'out/kept'), 'utf8'), 'new');
  });

  it('takes the first of names that clash', async () => {
    const heads = [
      { name: 'a', content: 'file' },
      { name: 'a/b', content: 'below a file' },
      { name: 'a', content: 'again' },
      { name: 'd', kind: '5' },
      { name: 'd', content: 'a folder' },
      { name: 'e'.repeat(99), content: '' },
    ];
    assert.ok(await unpack(heads));
    assert.equal(await readFile(join(folder, 'a'), 'utf8'), 'file');
    assert.deepEqual((await readdir(folder)).sort(), ['a', 'd', 'e'.repeat(99)]);
  });

  it('changes nothing by an archive that is cut, too long or none', async () => {
    const file = { name: 'x', content: 'new' };
    assert.equal(await unpack([file], Buffer.alloc(0)), false);
    assert.equal(await unpack([file], Buffer.alloc(100)), false);
    assert.equal(await unpack([{ ...file, size: '77777777777' }]), false);
    assert.equal(await unpack([{ ...file, size: 'not octal' }]), false);
    assert.equal(await unpack([{ ...file, size: '\x80\xff' }]), false);
    assert.equal(
      await unpack(Array.from({ length: 101 }, (_, index) => ({ name: `${index}` }))),
      false,
    );
    assert.equal(await unpack([], Buffer.from('no archive at all'.repeat(100))), false);
    assert.equal(await readFile(join(folder, 'before'), 'utf8'), 'as it was');
  });
});

function entryOf({ name, kind = '0', content = '', size }: Head): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0, 100);
  head.write('0000644', 100);
  head.write(size ?? content.length.toString(8).padStart(11, '0'), 124, 12, 'latin1');
  head.write('00000000000', 136);
  head.write(kind, 156);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([head, body]);
}
