import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { composeText, filledCompose, readCompose, type Service } from '../fakes/compose-file.ts';

const VARIABLES = { HOME: '/home/somebody', DEEPREPRO_POSTGRES_PASSWORD: 'a-password' };
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Built by `go install github.com/compose-spec/compose-go/v2/cmd@v2.16.2`. */
const COMPOSE_GO = join(homedir(), '.cache', 'deeprepro', 'compose', 'cmd');

describe('docker-compose.yml', () => {
  const { services, volumes } = readCompose(VARIABLES);
  const every = Object.entries(services);

  it('starts all that a cluster needs', () => {
    const names = ['postgresql', 'schema', 'temporal', 'namespace', 'ui', 'worker'];
    assert.deepEqual(Object.keys(services), names);
  });

  it('names images by their version', () => {
    const loose = every.filter(([, { image }]) => !/:\d[\w.-]*$/.test(image));
    assert.deepEqual(loose, []);
    assert.equal(
      services['temporal']?.image.split(':')[1],
      services['schema']?.image.split(':')[1],
    );
  });

  it('lets every service wait for services that exist, in a way that they can fulfil', () => {
    const faults = every.flatMap(([name, { depends_on: needs }]) =>
      Object.entries(needs)
        .filter(([needed, { condition }]) => !fulfils(services[needed], condition))
        .map(([needed, { condition }]) => `${name}: ${needed} is never ${condition}`),
    );
    assert.deepEqual(faults, []);
  });

  it('mounts volumes that are defined, and files that exist', () => {
    const faults = every.flatMap(([name, { volumes: mounts }]) =>
      mounts.flatMap((mount) => {
        const source = typeof mount === 'string' ? (mount.split(':')[0] ?? '') : mount.source;
        if (source.startsWith('./'))
          return existsSync(join(ROOT, source)) ? [] : [`${name}: ${source}`];
        return source.startsWith('/') || source in volumes ? [] : [`${name}: ${source}`];
      }),
    );
    assert.deepEqual(faults, []);
    assert.ok(services['postgresql']?.volumes.includes('database:/var/lib/postgresql/data'));
  });

  it('opens ports to this machine only', () => {
    const ports = every.flatMap(([, service]) => service.ports);
    assert.equal(ports.length, 2);
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/);
  });

  it('holds no password and no key', () => {
    const secrets = [...composeText().matchAll(/^\s*(\w*(?:PASSWORD|PWD|KEY|TOKEN)):\s*(.*)$/gm)];
    assert.ok(secrets.length >= 4);
    for (const [, name, value] of secrets) assert.match(value ?? '', /^\$\{\w+:[-?]/, name);
  });

  it('is refused without a password for the database', () => {
    assert.throws(() => readCompose({ HOME: '/home/somebody' }), /PASSWORD is not set/);
  });

  it('gives a worker longer to end than its calls have', () => {
    assert.equal(services['worker']?.stop_grace_period, '90s');
  });

  it('starts again what ends by accident', () => {
    const policies = every.map(([name, { restart }]) => [name, restart]);
    assert.deepEqual(Object.fromEntries(policies), {
      ...{ postgresql: 'unless-stopped', schema: 'on-failure', temporal: 'unless-stopped' },
      ...{ namespace: 'on-failure', ui: 'unless-stopped', worker: 'unless-stopped' },
    });
  });

  it('is what Compose understands', function () {
    const folder = mkdtempSync(join(tmpdir(), 'compose-'));
    try {
      writeFileSync(join(folder, 'docker-compose.yml'), JSON.stringify(filledCompose(VARIABLES)));
      const checker = findChecker();
      if (!checker) {
        console.log('      skipped: neither `docker compose` nor compose-go is here');
        this.skip();
      }
      const [command, ...args] = checker;
      const result = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout, /stop_grace_period: (1m30s|90s)/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

function fulfils(service: Service | undefined, condition: string): boolean {
  if (!service) return false;
  if (condition === 'service_healthy') return service.healthcheck !== undefined;
  // Only a job ends.
  if (condition === 'service_completed_successfully') return service.restart === 'on-failure';
  return condition === 'service_started';
}

function findChecker(): readonly [string, ...string[]] | undefined {
  if (spawnSync('docker', ['compose', 'version']).status === 0)
    return ['docker', 'compose', 'config'];
  if (existsSync(COMPOSE_GO)) return [COMPOSE_GO, 'docker-compose.yml'];
  return undefined;
}
