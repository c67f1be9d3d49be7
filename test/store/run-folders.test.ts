import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { NewerVersion, UsageError } from '../../src/domain/errors.ts';
import { eventOf, type Event } from '../../src/domain/event.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import { aRecord } from '../fakes/a-record.ts';

const UPDATER = fileURLToPath(new URL('record-updater.ts', import.meta.url));

function anEvent(subject: string, at = '2030-01-01T00:00:00.000Z'): Event {
  return eventOf(
    { kind: 'file-written', round: 1, subject, text: `Wrote ${subject}.`, ref: null },
    at,
  );
}

describe('run folders', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'runs-'));
  });
  afterEach(() => rm(folder, { recursive: true }));
  const eventsPath = () => join(folder, 'toy', 'events.jsonl');

  it('makes a run once: of many at the same moment one gets the name', async () => {
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, index) =>
        createRunFolders(folder).create(aRecord({ paper: `paper ${index}` })),
      ),
    );
    const taken = tries.filter((each) => each.status === 'rejected');
    assert.equal(taken.length, 7);
    for (const { reason } of taken) {
      assert.ok(reason instanceof UsageError);
      assert.match(reason.message, /"toy" is taken/);
    }
    assert.deepEqual(await readdir(folder), ['toy']);
    assert.match((await createRunFolders(folder).read('toy')).paper, /^paper \d$/);
  });

  it('names the runs there are when one is not', async () => {
    const folders = createRunFolders(folder);
    await assert.rejects(folders.read('toy'), /no run "toy"\. There are no runs yet/);
    await folders.create(aRecord({ name: 'other' }));
    await assert.rejects(folders.read('toy'), /Runs: other/);
    await assert.rejects(folders.read('../etc'), UsageError);
    await assert.rejects(
      folders.update('toy', (record) => record),
      UsageError,
    );
  });

  it('says that a record is of a newer deeprepro', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    await writeFile(
      join(folder, 'toy', 'run.json'),
      JSON.stringify({ ...aRecord(), schemaVersion: 9 }),
    );
    await assert.rejects(folders.read('toy'), NewerVersion);
  });

  it('loses no update of many at once in one process', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    await Promise.all(
      Array.from({ length: 20 }, () =>
        folders.update('toy', (record) => ({ ...record, sequence: record.sequence + 1 })),
      ),
    );
    assert.equal((await folders.read('toy')).sequence, 20);
  });

  it('loses no update of several processes', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    const children = [1, 2].map(() =>
      fork(UPDATER, [folder, '10'], { execArgv: ['--import=tsx'] }),
    );
    const ends = await Promise.all(children.map((child) => once(child, 'exit')));
    assert.deepEqual(
      ends.map(([code]) => Number(code)),
      [0, 0],
    );
    assert.equal((await folders.read('toy')).sequence, 20);
  });

  it('lets go of the record when a change throws', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    const broken = folders.update('toy', () => {
      throw new Error('broken change');
    });
    await assert.rejects(broken, /broken change/);
    await folders.update('toy', (record) => ({ ...record, sequence: 7 }));
    assert.equal((await folders.read('toy')).sequence, 7);
  });

  it('tells each fact once, in the order it was first told', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    for (const [subject, at] of [
      ['a', '1'],
      ['b', '2'],
      ['a', '3'],
    ] as const)
      await folders.append('toy', anEvent(subject, at));
    const events = await folders.events('toy');
    assert.deepEqual(
      events.map(({ subject, at }) => [subject, at]),
      [
        ['a', '1'],
        ['b', '2'],
      ],
    );
  });

  it('does not mix what many append at once', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    const long = 'x'.repeat(3_000);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => folders.append('toy', anEvent(`${index} ${long}`))),
    );
    assert.equal((await folders.events('toy')).length, 50);
  });

  it('has no facts to tell where their file is gone', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    await rm(join(folders.pathOf('toy'), 'events.jsonl'));
    assert.deepEqual(await folders.events('toy'), []);
  });

  it('passes over a line that was cut, and over no other', async () => {
    const folders = createRunFolders(folder);
    await folders.create(aRecord());
    await folders.append('toy', anEvent('a'));
    const line = await readFile(eventsPath(), 'utf8');
    await appendFile(eventsPath(), line.slice(0, 40));
    assert.deepEqual(
      (await folders.events('toy')).map(({ subject }) => subject),
      ['a'],
    );
    await folders.append('toy', anEvent('b'));
    assert.deepEqual(
      (await folders.events('toy')).map(({ subject }) => subject),
      ['a', 'b'],
    );
  });
});
