import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeWorkerEnvironment } from '../src/local/worker-environment.ts';
import { modelWishOf } from '../src/commands/model-options.ts';
import { loadTemporalProfile, readSettings } from '../src/settings.ts';

const PROFILES = `
[profile.default]
address = "default.internal:7233"
namespace = "papers"
api_key = "profile-key"

[profile.secure]
address = "secure.internal:7233"
[profile.secure.tls]
server_name = "temporal.secure"
server_ca_cert_data = "a certificate"
`;

describe('the Temporal profile', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
    file = join(folder, 'temporal.toml');
    await writeFile(file, PROFILES);
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function connection(variables: Record<string, string>) {
    const { environment } = readSettings({ TEMPORAL_CONFIG_FILE: file, ...variables }, folder);
    const { connectionOptions, namespace } = await loadTemporalProfile(environment);
    const { address, apiKey, tls } = connectionOptions;
    return { address, namespace, apiKey, tls };
  }

  it('names address, namespace and key, which turns TLS on', async () => {
    assert.deepEqual(await connection({}), {
      ...{
        address: 'default.internal:7233',
        namespace: 'papers',
        apiKey: 'profile-key',
        tls: true,
      },
    });
  });

  it('may be another by its name, with its own TLS', async () => {
    const { address, namespace, tls } = await connection({ TEMPORAL_PROFILE: 'secure' });
    assert.deepEqual([address, namespace], ['secure.internal:7233', undefined]);
    assert.ok(tls && typeof tls === 'object');
    assert.equal(tls.serverNameOverride, 'temporal.secure');
    assert.equal(Buffer.from(tls.serverRootCACertificate ?? '').toString(), 'a certificate');
  });

  it('gives way to variables', async () => {
    const variables = {
      TEMPORAL_ADDRESS: '127.0.0.1:7233',
      TEMPORAL_NAMESPACE: 'mine',
      TEMPORAL_API_KEY: 'my-key',
      TEMPORAL_TLS: 'false',
    };
    assert.deepEqual(await connection(variables), {
      ...{ address: '127.0.0.1:7233', namespace: 'mine', apiKey: 'my-key', tls: false },
    });
  });

  it('does not give way to empty variables', async () => {
    const { namespace, apiKey } = await connection({
      TEMPORAL_NAMESPACE: '',
      TEMPORAL_API_KEY: '',
    });
    assert.deepEqual([namespace, apiKey], ['papers', 'profile-key']);
  });

  it('that does not exist is said so', async () => {
    await assert.rejects(
      connection({ TEMPORAL_PROFILE: 'missing' }),
      /TEMPORAL_… variables .*'missing' not found.*: correct them, or unset/,
    );
  });

  it('is not for the server of this machine, and neither is a key', async () => {
    const variables = { TEMPORAL_CONFIG_FILE: file, TEMPORAL_API_KEY: 'my-key' };
    const local = makeWorkerEnvironment(folder, '127.0.0.1:9', variables);
    const { environment, taskQueue } = readSettings(local, folder);
    const { connectionOptions, namespace } = await loadTemporalProfile(environment);
    const { address, apiKey, tls } = connectionOptions;
    assert.deepEqual([address, apiKey, tls], ['127.0.0.1:9', undefined, undefined]);
    assert.deepEqual([namespace, taskQueue], ['default', 'deeprepro']);
  });
});

describe('readSettings', () => {
  const read = (variables: Record<string, string>) => readSettings(variables, tmpdir());

  it('takes the task queue from our variable, else from the usual one', () => {
    const usual = { TEMPORAL_TASK_QUEUE: 'usual' };
    assert.equal(read({}).taskQueue, 'deeprepro');
    assert.equal(read(usual).taskQueue, 'usual');
    assert.equal(read({ ...usual, DEEPREPRO_TASK_QUEUE: 'ours' }).taskQueue, 'ours');
  });

  it('takes addresses to listen on, and this machine where only a port is named', () => {
    const { health, metrics } = read({
      DEEPREPRO_HEALTH: '8080',
      DEEPREPRO_METRICS: '0.0.0.0:9464',
    });
    assert.deepEqual(health, { host: '127.0.0.1', port: 8080 });
    assert.deepEqual(metrics, { host: '0.0.0.0', port: 9464 });
    assert.equal(read({}).health, undefined);
    assert.throws(
      () => read({ DEEPREPRO_HEALTH: 'http://x' }),
      /Expected DEEPREPRO_HEALTH to be HOST:PORT, or PORT on this machine alone, got "http:\/\/x"/,
    );
  });

  it('serves neither from a worker of this machine, of which there may be two', () => {
    const local = makeWorkerEnvironment(tmpdir(), '127.0.0.1:9', { DEEPREPRO_HEALTH: '8080' });
    assert.equal(
      read(Object.fromEntries(Object.entries(local).map(([k, v]) => [k, v ?? '']))).health,
      undefined,
    );
  });
});

describe('deeprepro.json', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function settingsWith(file: string, variables: Record<string, string> = {}) {
    await writeFile(join(folder, 'deeprepro.json'), file);
    return readSettings(variables, folder);
  }

  it('names models by role, at one address or another', async () => {
    const { model, baseUrl, project } = await settingsWith(
      '{"model": "small", "baseUrl": "http://x/v1", "roles": {"planner": "big", "judge": {"model": "other", "keyEnv": "OTHER_KEY"}}}',
    );
    assert.deepEqual([model, baseUrl], ['small', 'http://x/v1']);
    assert.deepEqual(project.roles, {
      planner: { model: 'big' },
      judge: { model: 'other', keyEnv: 'OTHER_KEY' },
    });
  });

  it('gives way to the environment', async () => {
    const { model } = await settingsWith('{"model": "small"}', { DEEPREPRO_MODEL: 'big' });
    assert.equal(model, 'big');
  });

  it('is not needed', () => {
    assert.deepEqual(readSettings({}, folder).project, {});
  });

  it('is refused with the field that cannot be used, by who asks for a model alone', async () => {
    const problemOf = async (file: string) => (await settingsWith(file)).projectProblem;
    assert.match(await problemOf('{"model": 5}'), /deeprepro\.json: model cannot be used/);
    assert.match(await problemOf('{"apiKey": "sk-1"}'), /"apiKey" is not known; there are model,/);
    assert.match(await problemOf('{"roles": {"writer": "x"}}'), /writer/);
    const broken = await settingsWith('{');
    assert.match(broken.projectProblem, /deeprepro\.json is no JSON/);
    assert.throws(() => modelWishOf({}, broken), /deeprepro\.json is no JSON/);
  });
});
