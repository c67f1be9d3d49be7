import assert from 'node:assert/strict';
import { serveHealth, type HealthServer } from '../../src/health/health-server.ts';
import type { Health } from '../../src/health/worker-health.ts';

const WELL: Health = { isHealthy: true, reasons: [], activities: 2 };
const ILL: Health = { isHealthy: false, reasons: ['The disk is full.'], activities: 0 };
const ANY = { host: '127.0.0.1', port: 0 };

describe('serveHealth', () => {
  let server: HealthServer | undefined;

  afterEach(() => server?.close());

  async function ask(check: () => Promise<Health>, path = '/healthz', method = 'GET') {
    server ??= await serveHealth(ANY, check);
    const response = await fetch(`http://127.0.0.1:${server.address.port}${path}`, { method });
    return { status: response.status, body: await response.text() };
  }
  beforeEach(() => (server = undefined));

  it('answers 200 for a healthy worker', async () => {
    const { status, body } = await ask(() => Promise.resolve(WELL));
    assert.equal(status, 200);
    assert.deepEqual(JSON.parse(body), { status: 'ok', reasons: [], activities: 2 });
  });

  it('answers 503 with the reasons for another', async () => {
    const { status, body } = await ask(() => Promise.resolve(ILL), '/healthz?verbose');
    assert.equal(status, 503);
    const expected = { status: 'unavailable', reasons: ['The disk is full.'], activities: 0 };
    assert.deepEqual(JSON.parse(body), expected);
  });

  it('answers nothing else', async () => {
    const check = () => Promise.resolve(WELL);
    assert.equal((await ask(check, '/')).status, 404);
    assert.equal((await ask(check, '/healthz', 'POST')).status, 405);
    assert.deepEqual(await ask(check, '/healthz', 'HEAD'), { status: 200, body: '' });
  });

  it('says which address it cannot have', async () => {
    server = await serveHealth(ANY, () => Promise.resolve(WELL));
    const { port } = server.address;
    await assert.rejects(
      serveHealth({ host: '127.0.0.1', port }, () => Promise.resolve(WELL)),
      new RegExp(`cannot be served on 127.0.0.1:${port} .*choose another address with --health`),
    );
  });
});
