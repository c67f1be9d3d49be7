import assert from 'node:assert/strict';
import { fork, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { claim, isOwnerAlive, readHolder, thisOwner } from '../../src/store/lock.ts';
import type { Claim, Owner } from '../../src/store/lock.ts';

describe('a claim on a folder', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lock-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is refused, naming the holder and its details, while the holder lives', async () => {
    await claimed(folder, { socket: 'here' });
    const second = await claim(folder, 'lock');
    assert.ok('heldBy' in second);
    assert.equal(second.heldBy.pid, process.pid);
    assert.deepEqual(second.heldBy.details, { socket: 'here' });
  });

  it('passes on once it is released, by a generation that never goes back', async () => {
    await (await claimed(folder)).release();
    assert.equal(await readHolder(folder, 'lock'), undefined);
    await claimed(folder);
    assert.deepEqual(await readdir(folder), ['lock.2']);
  });

  it('is taken from a dead process of this host', async () => {
    const child = spawn(process.execPath, ['--version']);
    await once(child, 'exit');
    await writeClaim(folder, { ...thisOwner(), token: 'dead', pid: child.pid ?? 0 });
    await claimed(folder);
  });

  it('is taken from a process whose number another one has now', async () => {
    await writeClaim(folder, { ...thisOwner(), token: 'dead', processStart: '1' });
    await claimed(folder);
  });

  it('is taken from a process of an earlier boot', async () => {
    await writeClaim(folder, { ...thisOwner(), token: 'dead', boot: 'an earlier one' });
    await claimed(folder);
  });

  it('is taken from another host only when that has not touched it for 30 s', async () => {
    const path = await writeClaim(folder, { ...thisOwner(), token: 'far', host: 'far' });
    assert.ok('heldBy' in (await claim(folder, 'lock')));
    const longAgo = new Date(Date.now() - 31_000);
    await utimes(path, longAgo, longAgo);
    await claimed(folder);
  });

  it('with a damaged file is taken after 30 s', async () => {
    const path = join(folder, 'lock.7');
    await writeFile(path, '{"pid":');
    assert.ok('heldBy' in (await claim(folder, 'lock')));
    const longAgo = new Date(Date.now() - 31_000);
    await utimes(path, longAgo, longAgo);
    await claimed(folder);
  });

  it('tells a holder that slept through a takeover, whose release then changes nothing', async () => {
    const first = await claimed(folder);
    assert.equal(await first.touch(), true);
    await writeClaim(folder, { ...thisOwner(), details: { by: 'the next' } }, 2);
    assert.equal(await first.touch(), false);
    await first.release();
    assert.equal((await readHolder(folder, 'lock'))?.details['by'], 'the next');
  });

  it('says of this process that it lives', () => {
    assert.equal(isOwnerAlive(thisOwner()), true);
  });

  it('is never held by two of many processes that contend and are killed', async function () {
    this.timeout(30_000);
    const contenders = Array.from({ length: 8 }, () => startContender(folder));
    try {
      await Promise.all(contenders.map((child) => once(child, 'message')));
      for (const [index, child] of contenders.entries()) {
        const before = countLines(join(folder, 'entries'));
        while (index < 7 && countLines(join(folder, 'entries')) < before + 25) await sleep(1);
        // Every second kill hits the process that is inside, if there is one at that moment.
        const inside = contenders.find((other) => other.pid === readPid(join(folder, 'inside')));
        (index % 2 === 0 ? (inside ?? child) : child).kill('SIGKILL');
      }
    } finally {
      contenders.forEach((child) => child.kill('SIGKILL'));
    }
    assert.equal(existsSync(join(folder, 'violations')), false);
    assert.ok(countLines(join(folder, 'entries')) >= 7 * 25);
  });
});

async function claimed(folder: string, details: Record<string, string> = {}): Promise<Claim> {
  const result = await claim(folder, 'lock', details);
  assert.ok('release' in result, `held by ${JSON.stringify(result)}`);
  return result;
}

async function writeClaim(folder: string, owner: Owner, generation = 1): Promise<string> {
  const path = join(folder, `lock.${generation}`);
  await writeFile(path, JSON.stringify({ ...owner, released: false }));
  return path;
}

function startContender(folder: string): ChildProcess {
  const module = fileURLToPath(new URL('contender.ts', import.meta.url));
  return fork(module, [folder], { execArgv: ['--import', 'tsx'] });
}

function countLines(path: string): number {
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').length - 1 : 0;
}

function readPid(path: string): number {
  return existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
}
