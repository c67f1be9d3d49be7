import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What hostile programs must not reach: open to everybody on this machine, and watched. */
export interface HostileWorld {
  /** Stands in all that must not be reached, and nowhere else. */
  readonly secret: string;
  /** Names of what must not be reached, for the programs. */
  readonly variables: Readonly<Record<string, string>>;
  /** A folder in which everything of the test is made; empty once all has been removed. */
  readonly scratch: string;
  /** What was reached or changed, a sentence each. */
  findDamage(): Promise<string[]>;
  end(): Promise<void>;
}

const VARIABLE = 'DEEPREPRO_CANARY';

/** Starts servers, writes a file and sets a variable, and from then on keeps temporary files in a folder of its own. */
export async function startHostileWorld(): Promise<HostileWorld> {
  const secret = `secret-KEY=${randomBytes(12).toString('hex')}`;
  const place = await mkdtemp(join(tmpdir(), 'hostile-'));
  await chmod(place, 0o755);
  const folder = join(place, 'canary-folder');
  const scratch = join(place, 'scratch');
  for (const path of [folder, scratch]) {
    await mkdir(path);
    await chmod(path, 0o777);
  }
  const file = join(folder, 'canary');
  await writeFile(file, secret);
  await chmod(file, 0o666);

  const reached: string[] = [];
  const watch = (name: string): Server =>
    createServer((socket) => {
      reached.push(`${name} was reached`);
      socket.on('error', () => undefined).end(secret);
    });
  const socketName = `deeprepro-${randomBytes(6).toString('hex')}`;
  const servers = {
    tcp: watch('the server on 127.0.0.1'),
    abstract: watch('the abstract socket'),
    path: watch('the socket in the file system'),
  };
  const pathSocket = join(place, 'socket');
  await listen(servers.tcp, { host: '127.0.0.1', port: 0 });
  await listen(servers.abstract, { path: `\0${socketName}` });
  await listen(servers.path, { path: pathSocket });
  await chmod(pathSocket, 0o777);
  const address = servers.tcp.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;

  const readPidMax = () => readFile('/proc/sys/kernel/pid_max', 'utf8').catch(() => '');
  const pidMax = await readPidMax();
  const temporary = process.env['TMPDIR'];
  process.env['TMPDIR'] = scratch;
  process.env[VARIABLE] = secret;
  return {
    secret,
    scratch,
    variables: {
      ...{ CANARY_FILE: file, CANARY_FOLDER: folder, CANARY_PATH_SOCKET: pathSocket },
      ...{ CANARY_PORT: `${port}`, CANARY_SOCKET: socketName },
    },
    async findDamage() {
      const content = await readFile(file, 'utf8').catch(() => 'removed');
      const names = await readdir(folder);
      return [
        ...reached,
        ...((await readPidMax()) === pidMax ? [] : ["the machine's kernel.pid_max was changed"]),
        ...(content === secret ? [] : [`the file of the host is now ${content.slice(0, 40)}`]),
        ...(names.join() === 'canary' ? [] : [`the folder of the host holds ${names.join()}`]),
      ];
    },
    async end() {
      delete process.env[VARIABLE];
      if (temporary === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = temporary;
      for (const server of Object.values(servers)) server.close();
      await rm(place, { recursive: true, force: true });
    },
  };
}

function listen(server: Server, options: object): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, resolve);
  });
}
