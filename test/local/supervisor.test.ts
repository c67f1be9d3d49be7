import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { downLocal } from '../../src/local/connect.ts';
import { isServing } from '../../src/local/temporal-health.ts';
import { readServerRecord } from '../../src/local/temporal-server.ts';
import type { ServerRecord } from '../../src/local/temporal-server.ts';
import { isAlive } from '../../src/processes/kill-process.ts';
import { eventually, Home } from './home.ts';

describe('the supervisor of a data folder', function () {
  // The first test on a machine fetches the Temporal server.
  this.timeout(240_000);
  let home: Home;
  beforeEach(async () => {
    home = await Home.make();
  });
  afterEach(() => home.remove());

  it('serves two commands that start at once on a fresh folder with one server and one worker', async () => {
    const [one, other] = await Promise.all([home.connect(), home.connect()]);
    assert.equal(one.pid, other.pid);
    assert.equal(one.address, other.address);
    assert.ok(await isServing(one.address, 2000));
    assert.equal(startedPids(home).length, 1);
    one.close();
    other.close();
  });

  it('lets only its user in, ends everything on down, and has written no variable of a client', async () => {
    const connection = await home.connect({ FAKE_SECRET: 'do-not-write-this' });
    assert.equal((await stat(join(home.path, 'supervisor.sock'))).mode & 0o777, 0o600);
    assert.equal((await stat(home.path)).mode & 0o777, 0o700);
    await connection.down();
    assert.deepEqual(await home.processes(), []);
    assert.equal(home.notes().at(-1)?.why, 'asked');
    for (const file of ['logs/supervisor.log', 'logs/worker.log', 'logs/server.log', 'server.json'])
      assert.ok(!(await readFile(join(home.path, file), 'utf8')).includes('do-not-write-this'));
    assert.equal(await downLocal(home.path), false);
  });

  it('ends by itself when its last client has gone, and lives on when told to', async () => {
    const connection = await home.connect();
    connection.close();
    await eventually('its end', async () => (await home.processes()).length === 0);
    const kept = await home.connect();
    await kept.keep();
    kept.close();
    const again = await home.connect();
    assert.equal(again.pid, kept.pid);
    again.close();
  });

  it('adopts the living server of a supervisor that was killed, whose client hears of it', async () => {
    const connection = await home.connect();
    const lost = new Promise<void>((resolve) => connection.onLost(resolve));
    const before = await recordOf(home);
    process.kill(connection.pid, 'SIGKILL');
    await lost;
    const again = await home.connect();
    assert.notEqual(again.pid, connection.pid);
    assert.equal(again.address, connection.address);
    assert.equal((await recordOf(home)).pid, before.pid);
    await eventually('the old worker to end by itself', () =>
      home.notes().some(({ why }) => why === 'alone'),
    );
    again.close();
  });

  it('ends a server that hangs before it opens the file again', async () => {
    const connection = await home.connect();
    const { pid } = await recordOf(home);
    process.kill(pid, 'SIGSTOP');
    process.kill(connection.pid, 'SIGKILL');
    const again = await home.connect();
    assert.notEqual((await recordOf(home)).pid, pid);
    assert.equal(isAlive(pid), false);
    again.close();
  });

  it('ends the server that a killed supervisor left behind, on down', async () => {
    const connection = await home.connect();
    process.kill(connection.pid, 'SIGKILL');
    await eventually('the supervisor to be gone', () => !isAlive(connection.pid));
    assert.equal(await downLocal(home.path), true);
    await eventually('the worker to end', async () => (await home.processes()).length === 0);
  });

  it('starts a killed worker again, and a killed server on the same file and address', async () => {
    const connection = await home.connect();
    const [first] = startedPids(home);
    assert.ok(first !== undefined);
    process.kill(first, 'SIGKILL');
    await eventually('another worker', () => startedPids(home).length === 2);
    const before = await recordOf(home);
    process.kill(before.pid, 'SIGKILL');
    const after = await eventually('another server', async () => {
      const record = await recordOf(home);
      return record.pid !== before.pid && record;
    });
    assert.equal(after.dbPath, before.dbPath);
    assert.equal(after.address, before.address);
    assert.ok(await isServing(after.address, 2000));
    assert.equal(startedPids(home).length, 2);
    connection.close();
  });

  it('takes another port when the one of before is in use', async () => {
    const connection = await home.connect();
    await connection.down();
    const port = Number(connection.address.split(':')[1]);
    const thief = createServer().listen(port, '127.0.0.1');
    await once(thief, 'listening');
    const again = await home.connect();
    assert.notEqual(again.address, connection.address);
    again.close();
    thief.close();
  });

  it('gives a changed environment to a new worker, while the old one finishes its calls', async () => {
    const first = await home.connect({ FAKE_KEY: 'first', FAKE_CALL_MS: '300' });
    const second = await home.connect({ FAKE_KEY: 'second' });
    assert.deepEqual(startedKeys(home), ['first', 'second']);
    await eventually('the first worker to finish', () =>
      home.notes().some(({ kind, why }) => kind === 'finished' && why === 'asked'),
    );
    const third = await home.connect({});
    assert.deepEqual(startedKeys(home), ['first', 'second']);
    for (const connection of [first, second, third]) connection.close();
  });

  it('says why a worker does not stay up, and tries again with another environment', async () => {
    await assert.rejects(
      home.connect({ FAKE_WORKER_FAILS: 'yes' }),
      /ended 5 times in a row, last with exit code 7.*The fake worker was told to fail/s,
    );
    const connection = await home.connect({ FAKE_WORKER_FAILS: '' });
    connection.close();
  });

  it('works in a folder whose path is too long for a socket', async () => {
    const long = home.inside('x'.repeat(120));
    await (await long.connect()).down();
    assert.deepEqual(await home.processes(), []);
  });
});

function startedPids(home: Home): number[] {
  return home.notes().flatMap(({ kind, pid }) => (kind === 'started' ? [pid] : []));
}

function startedKeys(home: Home): (string | null | undefined)[] {
  return home.notes().flatMap(({ kind, key }) => (kind === 'started' ? [key] : []));
}

async function recordOf(home: Home): Promise<ServerRecord> {
  const record = await readServerRecord(home.path);
  assert.ok(record);
  return record;
}

describe('a data folder that cannot be used', () => {
  let home: Home;
  beforeEach(async () => {
    home = await Home.make();
  });
  afterEach(() => home.remove());

  it('is refused when a newer deeprepro wrote it', async () => {
    await writeFile(join(home.path, 'version.json'), '{"schemaVersion":2}');
    await assert.rejects(home.connect(), { name: 'NewerVersion', message: /update deeprepro/ });
  });

  it('is refused when it is a file', async () => {
    const file = join(home.path, 'file');
    await writeFile(file, '');
    await assert.rejects(home.inside('file').connect(), {
      name: 'UsageError',
      message: /a file stands in/,
    });
  });
});
