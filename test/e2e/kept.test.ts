import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectLocal, downLocal } from '../../src/local/connect.ts';
import { SUPERVISOR_CLAIM } from '../../src/local/supervisor-claim.ts';
import { readHolder } from '../../src/store/lock.ts';
import { until } from './driven-run.ts';

const compiled = (path: string) => fileURLToPath(new URL(`../../dist/${path}`, import.meta.url));

describe('a data folder that is to be kept running', () => {
  it('gets another supervisor from its worker when the supervisor is killed', async () => {
    const home = await mkdtemp(join(tmpdir(), 'deeprepro-kept-'));
    try {
      const connect = () =>
        connectLocal({
          home,
          environment: { SOME_API_KEY: 'abc' },
          supervisorModule: compiled('local/supervisor-main.js'),
          workerModule: compiled('worker.js'),
          onProgress: () => undefined,
        });
      const connection = await connect();
      await connection.keep();
      connection.close();
      process.kill(connection.pid, 'SIGKILL');
      const next = await until('another supervisor holds the data folder', async () => {
        const holder = await readHolder(home, SUPERVISOR_CLAIM);
        return holder && holder.pid !== connection.pid ? holder : undefined;
      });
      const again = await connect();
      assert.equal(again.pid, next.pid);
      await again.down();
    } finally {
      await downLocal(home);
      await rm(home, { recursive: true, force: true, maxRetries: 20 });
    }
  });
});
