import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import type { Journal, OpenCall } from '../../src/store/journal.ts';
import { anEntry, aMarker, SEED } from './journal-values.ts';

const KEY = 'ab'.repeat(32);
const CALLER = fileURLToPath(new URL('journal-caller.ts', import.meta.url));

async function opened(journal: Journal, key = KEY): Promise<OpenCall> {
  const opening = await journal.open(SEED, aMarker(key));
  assert.equal(opening.kind, 'open');
  assert.ok(opening.kind === 'open');
  return opening.call;
}

describe('a folder journal', () => {
  let folder = '';
  let children: ChildProcess[] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'journal-'));
    children = [];
  });
  afterEach(async () => {
    for (const child of children) child.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });
  const shelf = () => join(folder, SEED, KEY.slice(0, 2));

  async function caller(behaviour: string): Promise<ChildProcess> {
    const child = fork(CALLER, [folder, join(folder, 'calls'), KEY, behaviour], {
      execArgv: ['--import=tsx'],
    });
    children.push(child);
    await once(child, 'message');
    return child;
  }

  const callsMade = async () => (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');

  it('gives the right to call once, and answers from then on', async () => {
    const journal = createFolderJournal(folder);
    const call = await opened(journal);
    assert.deepEqual(await call.close(anEntry(KEY)), anEntry(KEY));
    const again = await createFolderJournal(folder).open(SEED, aMarker(KEY));
    assert.deepEqual(again, { kind: 'answered', entry: anEntry(KEY), lost: [] });
    assert.deepEqual(await readdir(shelf()), [`${KEY}.json`]);
  });

  it('is busy while a call is under way', async () => {
    const journal = createFolderJournal(folder);
    await opened(journal);
    assert.deepEqual(await journal.open(SEED, aMarker(KEY)), { kind: 'busy' });
    await opened(journal, 'cd'.repeat(32));
  });

  it('forgets a call that was certainly not paid', async () => {
    const journal = createFolderJournal(folder);
    await (await opened(journal)).abandon({ maybePaid: false });
    assert.deepEqual((await opened(journal)).lost, []);
  });

  it('counts a call that may have been paid, once, for good', async () => {
    const journal = createFolderJournal(folder);
    await (await opened(journal)).abandon({ maybePaid: true });
    const second = await opened(journal);
    assert.deepEqual(
      second.lost.map(({ worstCost, ended }) => [worstCost, ended]),
      [[0.5, true]],
    );
    await second.close(anEntry(KEY));
    assert.deepEqual(await journal.totals(SEED, 'toy'), {
      spent: 0.1,
      maybePaid: 0.5,
      calls: 1,
      maybePaidCalls: 1,
    });
    const again = await journal.open(SEED, aMarker(KEY));
    assert.ok(again.kind === 'answered' && again.lost.length === 1);
  });

  it('takes a call over whose marker was not touched for 30 s, and counts it as lost', async () => {
    const journal = createFolderJournal(folder);
    const first = await opened(journal);
    const longAgo = new Date(Date.now() - 31_000);
    await utimes(join(shelf(), `${KEY}.open-1`), longAgo, longAgo);
    const second = await opened(journal);
    assert.equal(second.lost.length, 1);
    // The one that slept wakes up: its reply stands, as the first, and the other's is the one that was lost.
    await first.close(anEntry(KEY, { label: 'first' }));
    assert.equal((await second.close(anEntry(KEY, { label: 'second' }))).label, 'first');
    const { maybePaidCalls, calls } = await journal.totals(SEED, 'toy');
    assert.deepEqual([calls, maybePaidCalls], [1, 1]);
  });

  it('stays busy for a call that is touched', async () => {
    const journal = createFolderJournal(folder);
    const first = await opened(journal);
    const longAgo = new Date(Date.now() - 31_000);
    await utimes(join(shelf(), `${KEY}.open-1`), longAgo, longAgo);
    await first.touch();
    assert.equal((await journal.open(SEED, aMarker(KEY))).kind, 'busy');
  });

  it('does not count the call of a process that died between its reply and its marker’s end', async () => {
    const journal = createFolderJournal(folder);
    const marker = aMarker(KEY, { startedAt: '2030-01-01T00:00:00.000Z' });
    const opening = await journal.open(SEED, marker);
    assert.ok(opening.kind === 'open');
    const path = join(shelf(), `${KEY}.open-1`);
    const content = await readFile(path, 'utf8');
    await opening.call.close(anEntry(KEY, { startedAt: marker.startedAt }));
    await writeFile(
      path,
      content.replace(/"token":"[^"]*"/, '"token":"dead"').replace(/"pid":\d+/, '"pid":0'),
    );
    const again = await journal.open(SEED, aMarker(KEY));
    assert.ok(again.kind === 'answered');
    assert.deepEqual(again.lost, []);
    assert.equal((await journal.totals(SEED, 'toy')).maybePaid, 0);
  });

  it('lets exactly one of several processes call for one key', async () => {
    const all = await Promise.all(['', '', ''].map(caller));
    const answers = all.map((child) => once(child, 'message'));
    for (const child of all) child.send('go');
    const labels = (await Promise.all(answers)).map(([answer]) => JSON.stringify(answer));
    assert.equal((await callsMade()).length, 1);
    assert.equal(new Set(labels).size, 1);
  });

  it('lets exactly one take over from a dead process', async () => {
    const dead = await caller('die');
    dead.send('go');
    await once(dead, 'exit');
    const all = await Promise.all(['', ''].map(caller));
    const answers = all.map((child) => once(child, 'message'));
    for (const child of all) child.send('go');
    const seen = (await Promise.all(answers)).map(([answer]) => JSON.stringify(answer));
    assert.equal((await callsMade()).length, 2);
    assert.match(seen[0] ?? '', /"lost":1/);
    assert.equal(new Set(seen).size, 1);
  });

  it('adds up what one run paid, and not its forks', async () => {
    const journal = createFolderJournal(folder);
    const keys = ['0a', '0b', '1a'].map((start) => start.repeat(32));
    for (const [index, key] of keys.entries()) {
      const call = await opened(journal, key);
      await call.close(anEntry(key, { run: index === 2 ? 'fork' : 'toy', incarnation: index + 1 }));
    }
    const { spent, calls } = await journal.totals(SEED, 'toy');
    assert.deepEqual([spent, calls], [0.2, 2]);
    assert.equal((await journal.entries(SEED)).length, 3);
    assert.deepEqual(await journal.entries('6'.repeat(32)), []);
  });
});
