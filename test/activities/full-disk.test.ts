import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NeedsPerson } from '../../src/domain/errors.ts';
import { DEFAULT_LIMITS, type RunSettings } from '../../src/domain/run-settings.ts';
import { openCalls } from '../../src/activities/model-calls.ts';
import { depsFor } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { refTo } from '../fakes/states.ts';

const CHOICE = {
  model: 'scripted',
  baseUrl: 'http://127.0.0.1:9',
  keyEnv: 'KEY',
  price: { input: 1, cached: 1, output: 1 },
};
const SETTINGS: RunSettings = {
  schemaVersion: 1,
  seed: 'cd'.repeat(16),
  task: refTo('task'),
  mode: 'fast',
  models: {
    analysis: CHOICE,
    planner: CHOICE,
    executor: CHOICE,
    memory: CHOICE,
    judge: CHOICE,
    vision: CHOICE,
  },
  unit: 'usd',
  maxOutputTokens: 100,
  limits: DEFAULT_LIMITS,
};
const CALL = {
  schemaVersion: 1 as const,
  run: 'toy',
  incarnation: 1,
  settings: refTo('settings'),
  allowance: 1,
};
const PULSE = {
  signal: new AbortController().signal,
  requireWanted: () => undefined,
  progress: () => undefined,
  onBeat: () => () => undefined,
  stop: () => undefined,
};
const REQUEST = {
  label: 'r1/write/a.py/t1',
  role: 'executor' as const,
  schemaId: 'write-file/1',
  messages: [{ role: 'user' as const, content: 'Write.' }],
  maxOutputTokens: 100,
};

describe('a disk that fills up', () => {
  let disk = '';
  before(async function () {
    disk = await mkdtemp(join(tmpdir(), 'disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=66m', 'tmpfs', disk], { stdio: 'ignore' });
    } catch {
      console.log('    (skipped: a small disk can only be mounted by root)');
      await rm(disk, { recursive: true });
      disk = '';
      this.skip();
    }
  });
  after(async () => {
    if (disk === '') return;
    execFileSync('umount', [disk]);
    await rm(disk, { recursive: true });
  });

  it('while the model answers waits for a person, and the reply is saved later without asking again', async () => {
    const ballast = join(disk, 'ballast');
    const model = scriptedModel(() => ({ text: 'x'.repeat(100_000) }));
    const filling = {
      async reply(...input: Parameters<typeof model.reply>) {
        const reply = await model.reply(...input);
        await fill(disk, ballast);
        return reply;
      },
    };
    const deps = await depsFor(join(disk, 'home'), filling);
    const ask = () => openCalls(deps, CALL, SETTINGS, PULSE).reply(REQUEST);
    await assert.rejects(ask(), isAboutDisk);
    // Still full: it is not asked again, and says the same.
    await assert.rejects(ask(), isAboutDisk);
    assert.equal(model.requests.length, 1);
    await unlink(ballast);
    const calls = openCalls(deps, CALL, SETTINGS, PULSE);
    assert.equal((await calls.reply(REQUEST)).reply.text.length, 100_000);
    assert.equal(model.requests.length, 1);
    assert.deepEqual([calls.settlement().calls, calls.settlement().maybePaid], [1, 0]);
    assert.equal(deps.unsaved.size, 0);
  });

  it('before a call keeps the model from being asked', async () => {
    const model = scriptedModel(() => 'never');
    await fill(disk, join(disk, 'ballast'), 1024 * 1024);
    const deps = await depsFor(join(disk, 'home'), model);
    const request = { ...REQUEST, label: 'r2/write/a.py/t1' };
    await assert.rejects(openCalls(deps, CALL, SETTINGS, PULSE).reply(request), isAboutDisk);
    assert.equal(model.requests.length, 0);
    assert.equal((await deps.journal.totals(SETTINGS.seed, 'toy')).maybePaidCalls, 0);
  });
});

function isAboutDisk(error: unknown): boolean {
  assert.ok(error instanceof NeedsPerson, String(error));
  return error.kind === 'disk' && error.remedy !== '';
}

/** Fills a disk up to `leftBytes`. */
async function fill(disk: string, path: string, leftBytes = 0): Promise<void> {
  const { bavail, bsize } = await statfs(disk);
  await writeFile(path, Buffer.alloc(Math.max(0, bavail * bsize - leftBytes)));
}
