import { randomInt } from 'node:crypto';
import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Connection } from '@temporalio/client';
import { readLogEnd } from '../../src/local/log-end.ts';
import { runCommand } from '../../src/processes/run-command.ts';
import { spawnProcess, type SpawnedProcess } from '../../src/processes/spawn-process.ts';
import { freePort } from '../fakes/cluster.ts';
import type { Compose, Service } from '../fakes/compose-file.ts';
import type { Programs } from './programs.ts';

/** The services of docker-compose.yml but page and worker, as processes of this machine. */
export interface Stack {
  /** Of the Temporal server. */
  readonly address: string;
  /** Ends it at once, and resolves when it serves again, not before `downMs`. */
  kill(what: 'server' | 'database', downMs?: number): Promise<void>;
  end(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;
const JOB_TIMEOUT_MS = 120_000;
const POLL_MS = 100;
/** Long enough that whoever needs it notices. */
const DOWN_MS = 1_000;
/** PostgreSQL refuses to run as root. */
const NOBODY = 65_534;
const DYNAMIC_CONFIG = fileURLToPath(new URL('../../docker/temporal.yaml', import.meta.url));
const MEMBERS = ['FRONTEND', 'MATCHING', 'HISTORY', 'WORKER'];

/** Starts them in the order in which they wait for each other, with their own environments and commands. */
export async function openStack({ services }: Compose, programs: Programs): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'stack-'));
  const [databasePort, serverPort] = [await freePort(), await lowPort()];
  const path = [programs.temporal, process.env['PATH'] ?? ''].join(delimiter);
  const names = new Map([
    ['postgresql', '127.0.0.1'],
    ['temporal:7233', `127.0.0.1:${serverPort}`],
  ]);
  const moved: Readonly<Record<string, string>> = {
    ...{ DB_PORT: `${databasePort}`, SQL_PORT: `${databasePort}`, BIND_ON_IP: '127.0.0.1' },
    ...{ DYNAMIC_CONFIG_FILE_PATH: DYNAMIC_CONFIG, PATH: path, HOME: folder },
  };
  const ports = await serverPorts(serverPort);
  const environmentOf = (name: string): Record<string, string> => {
    const { environment } = serviceOf(services, name);
    const own: Record<string, string> = { ...moved };
    for (const [key, value] of Object.entries(environment))
      own[key] = names.get(value) ?? moved[key] ?? value;
    return own;
  };

  const data = await prepareDatabase(folder, programs.postgres, environmentOf('postgresql'));
  let database = await startDatabase();
  let server: SpawnedProcess | undefined;

  async function startDatabase(): Promise<SpawnedProcess> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    // Processes of a killed one hold its memory for a moment: it refuses to start meanwhile.
    for (;;) {
      const child = spawnProcess({
        ...asNobody(join(programs.postgres, 'postgres'), [
          ...['-D', data, '-p', `${databasePort}`, '-k', data, '-h', '127.0.0.1'],
        ]),
        env: { PATH: path, LANG: 'C.UTF-8' },
        logPath: join(folder, 'database.log'),
      });
      let isGone = false;
      void child.ended.then(() => (isGone = true));
      while (!isGone && Date.now() < deadline) {
        if (await isReady(programs.postgres, databasePort)) return child;
        await pause(POLL_MS);
      }
      if (Date.now() > deadline)
        throw new Error(`PostgreSQL does not start:\n${await logEnd(child, 'database.log')}`);
      await pause(POLL_MS);
    }
  }

  async function startServer(): Promise<SpawnedProcess> {
    const child = spawnProcess({
      ...{ command: join(programs.temporal, 'temporal-server'), args: ['start'] },
      env: { ...environmentOf('temporal'), ...ports },
      cwd: folder,
      logPath: join(folder, 'server.log'),
    });
    let isGone = false;
    void child.ended.then(() => (isGone = true));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await isServing(`127.0.0.1:${serverPort}`))) {
      if (isGone || Date.now() > deadline)
        throw new Error(
          `The Temporal server does not start:\n${await logEnd(child, 'server.log')}`,
        );
      await pause(POLL_MS);
    }
    return child;
  }

  function logEnd({ logOffset }: SpawnedProcess, name: string): Promise<string> {
    return readLogEnd(join(folder, name), logOffset);
  }

  async function runJob(name: string): Promise<void> {
    const [command = '', ...args] = serviceOf(services, name).command;
    const env = environmentOf(name);
    const result = await runCommand({ command, args, env, timeoutMs: JOB_TIMEOUT_MS });
    if (result.exitCode !== 0)
      throw new Error(`The job ${name} fails: ${result.failure}\n${result.stdout}${result.stderr}`);
  }

  async function end(): Promise<void> {
    process.off('exit', endAtOnce);
    endAtOnce();
    await Promise.all([server?.ended, database.ended]);
    // The database's own processes notice a moment later.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 });
  }

  function endAtOnce(): void {
    server?.killGroup('SIGKILL');
    database.killGroup('SIGKILL');
  }
  process.once('exit', endAtOnce);

  try {
    // Twice: it must do no harm to a database that is up to date.
    for (const name of ['schema', 'schema']) await runJob(name);
    server = await startServer();
    for (const name of ['namespace', 'namespace']) await runJob(name);
  } catch (error) {
    await end();
    throw error;
  }
  return {
    address: `127.0.0.1:${serverPort}`,
    async kill(what, downMs = DOWN_MS) {
      const victim = what === 'server' ? server : database;
      victim?.kill('SIGKILL');
      await victim?.ended;
      await pause(downMs);
      if (what === 'server') server = await startServer();
      else database = await startDatabase();
    },
    end,
  };
}

function serviceOf(services: Compose['services'], name: string): Service {
  const service = services[name];
  if (!service) throw new Error(`docker-compose.yml has no service ${name}.`);
  return service;
}

/** The server has four parts with two ports each, and one for HTTP. */
async function serverPorts(frontend: number): Promise<Record<string, string>> {
  const names = MEMBERS.flatMap((name) => [`${name}_MEMBERSHIP_PORT`, `${name}_GRPC_PORT`]);
  const ports: Record<string, string> = {};
  for (const name of [...names, 'FRONTEND_HTTP_PORT']) ports[name] = `${await lowPort()}`;
  return { ...ports, FRONTEND_GRPC_PORT: `${frontend}` };
}

/** The server keeps ports in the database as numbers of 16 bits with a sign; free ones are mostly above. */
async function lowPort(): Promise<number> {
  for (;;) {
    const port = await freePort(randomInt(12_000, 32_000)).catch(() => 0);
    if (port > 0) return port;
  }
}

/** Makes an empty database with the user and password that the service names. */
async function prepareDatabase(
  folder: string,
  programs: string,
  environment: Readonly<Record<string, string>>,
): Promise<string> {
  const data = join(folder, 'data');
  const passwordFile = join(folder, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(passwordFile, environment['POSTGRES_PASSWORD'] ?? '');
  if (process.getuid?.() === 0)
    for (const path of [folder, data, passwordFile]) await chown(path, NOBODY, NOBODY);
  const user = ['-U', environment['POSTGRES_USER'] ?? '', `--pwfile=${passwordFile}`];
  const { failure, stderr } = await runCommand({
    ...asNobody(join(programs, 'initdb'), [
      '-D',
      data,
      '-A',
      'scram-sha-256',
      '-E',
      'UTF8',
      ...user,
    ]),
    env: { PATH: process.env['PATH'], LANG: 'C.UTF-8' },
    timeoutMs: JOB_TIMEOUT_MS,
  });
  if (failure !== '') throw new Error(`initdb fails: ${failure}\n${stderr}`);
  return data;
}

function asNobody(command: string, args: readonly string[]) {
  if (process.getuid?.() !== 0) return { command, args };
  const user = [`--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', '--'];
  return { command: 'setpriv', args: [...user, command, ...args] };
}

async function isReady(programs: string, port: number): Promise<boolean> {
  const args = ['-q', '-h', '127.0.0.1', '-p', `${port}`];
  const command = join(programs, 'pg_isready');
  return (await runCommand({ command, args, timeoutMs: 5_000 })).exitCode === 0;
}

async function isServing(address: string): Promise<boolean> {
  const connection = await Connection.connect({ address, connectTimeout: 1_000 }).catch(
    () => undefined,
  );
  await connection?.close();
  return connection !== undefined;
}
