import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endProcess, isAlive, waitUntilGone } from '../../src/processes/kill-process.ts';
import { listProcesses } from '../../src/processes/list-processes.ts';
import { spawnProcess } from '../../src/processes/spawn-process.ts';
import type { SpawnedProcess } from '../../src/processes/spawn-process.ts';

describe('spawnProcess', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'spawn-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  function start(text: string, ipc = false): SpawnedProcess {
    const logPath = join(folder, 'log');
    return spawnProcess({ command: process.execPath, args: ['-e', text], env: {}, logPath, ipc });
  }

  it('appends both outputs to the log and tells where they begin', async () => {
    await writeFile(join(folder, 'log'), 'before\n');
    const child = start('console.log("out"); console.error("err"); process.exit(4)');
    assert.deepEqual(await child.ended, { exitCode: 4, signal: null, failure: '' });
    assert.equal(child.logOffset, 7);
    assert.equal(await readFile(join(folder, 'log'), 'utf8'), 'before\nout\nerr\n');
  });

  it('begins a log anew that is longer than 10 MB', async () => {
    await writeFile(join(folder, 'log'), '');
    await truncate(join(folder, 'log'), 10_000_001);
    await start('console.log("out")').ended;
    assert.equal((await stat(join(folder, 'log'))).size, 4);
  });

  it('carries messages of a child that asks for a channel', async () => {
    const child = start('process.send({ kind: "ready" }, () => process.exit(0))', true);
    const message = await new Promise((resolve) => child.onMessage(resolve));
    assert.deepEqual(message, { kind: 'ready' });
    await child.ended;
  });

  it('reports a program that does not exist as an end', async () => {
    const child = spawnProcess({
      command: 'no-such-program',
      args: [],
      env: {},
      logPath: join(folder, 'log'),
    });
    assert.equal(child.pid, 0);
    assert.match((await child.ended).failure, /ENOENT/);
  });

  it('kills a process that does not heed a request to end, and waits until it is gone', async () => {
    const child = start(
      'process.on("SIGTERM", () => 1); process.send(1); setInterval(() => 1, 1000)',
      true,
    );
    await new Promise((resolve) => child.onMessage(resolve));
    assert.ok((await listProcesses()).some(({ pid }) => pid === child.pid));
    assert.equal(await waitUntilGone(child.pid, 50), false);
    await endProcess(child.pid, 100);
    assert.equal(isAlive(child.pid), false);
    assert.equal((await child.ended).signal, 'SIGKILL');
  });
});
