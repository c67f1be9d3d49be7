import { unlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { join } from 'node:path';
import { DEFAULT_TASK_QUEUE } from '../domain/task-queue.ts';
import { openLineSocket } from './line-socket.ts';
import type { LineSocket } from './line-socket.ts';
import { clearKept, isKept, markKept } from './kept.ts';
import { keepServer } from './server-keeper.ts';
import type { ServerKeeper } from './server-keeper.ts';
import { ClientMessage } from './supervisor-messages.ts';
import type { Ready, SupervisorMessage } from './supervisor-messages.ts';
import type { TemporalServer } from './temporal-server.ts';
import { isSameEnvironment, LOCAL_NAMESPACE, makeWorkerEnvironment } from './worker-environment.ts';
import { createWorkerKeeper } from './worker-keeper.ts';
import type { WorkerKeeper } from './worker-keeper.ts';

/** What a supervisor is started with. `home` is absolute, without symbolic links, and claimed by the caller. */
export interface SupervisorOptions {
  readonly home: string;
  readonly socketPath: string;
  /** The compiled root of the worker. */
  readonly workerModule: string;
  readonly version: string;
  /** How long it lives on after its last client has gone, so that a command right after does not start anew. */
  readonly lingerMs: number;
  /** How long it waits for its first client. */
  readonly firstClientMs: number;
  /** For the supervisor's own log; never anything of a client's environment. */
  readonly log: (line: string) => void;
}

interface Client {
  readonly socket: LineSocket<SupervisorMessage>;
  hasSaidHello: boolean;
  wasToldReady: boolean;
  awaitsEnd: boolean;
}

/**
 * Owns the Temporal server and the worker of one data folder and restarts either. It lives while a client is
 * connected, or until told `down` once a client has told it `keep`.
 *
 * Idle, it *drains*: the worker finishes its calls, and a client that arrives meanwhile turns it back. Only then does
 * it *close*, which nothing turns back: clients that arrive find no socket and start the next supervisor.
 */
export class Supervisor {
  /** Resolves when server and worker have ended; the caller then gives the claim back. */
  readonly closed: Promise<void>;
  readonly #options: SupervisorOptions;
  readonly #clients = new Set<Client>();
  readonly #listener: Server;
  readonly #worker: WorkerKeeper;
  readonly #server: ServerKeeper;
  #resolveClosed: () => void = () => undefined;
  #phase: 'running' | 'draining' | 'closing' = 'running';
  #kept = false;
  #problem: string | undefined;
  /** Undefined until a client has said hello: without keys there is no use in a worker. */
  #environment: Readonly<Record<string, string>> | undefined;
  #servedAddress: string | undefined;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => (this.#resolveClosed = resolve));
    this.#listener = createServer((socket) => this.#welcome(socket));
    this.#worker = createWorkerKeeper(
      options.workerModule,
      join(options.home, 'logs', 'worker.log'),
      {
        onReady: () => this.#announceReady(),
        onProblem: (message) => this.#announceProblem(message),
        onRestart: (line) => this.#progress(line),
      },
    );
    this.#server = keepServer(options.home, {
      onProgress: (line) => this.#progress(line),
      onServing: (server) => this.#useServer(server),
      onProblem: (message) => this.#announceProblem(message),
    });
  }

  /** Opens the socket. The claim makes this the only one, so a socket file that is there is a dead supervisor's. */
  async listen(): Promise<void> {
    const { home, socketPath, firstClientMs } = this.#options;
    // One before us that was told so has been killed.
    this.#kept = await isKept(home);
    await unlink(socketPath).catch(() => undefined);
    await new Promise<void>((resolve, reject) => {
      this.#listener.once('error', reject);
      // From its first moment the socket is the user's alone.
      const mask = process.umask(0o177);
      this.#listener.listen(socketPath, resolve);
      process.umask(mask);
    });
    this.#watchIdle(firstClientMs);
  }

  /** Ends everything, gracefully. */
  async close(): Promise<void> {
    if (this.#phase === 'closing') return;
    this.#phase = 'closing';
    clearTimeout(this.#idleTimer);
    this.#options.log('Ending.');
    this.#listener.close();
    await clearKept(this.#options.home);
    await this.#worker.stop();
    await this.#server.stop();
    this.#resolveClosed();
  }

  /** Answers the clients that wait for the end. After this nothing keeps the process alive. */
  disconnectClients(): void {
    for (const client of this.#clients) {
      if (client.awaitsEnd) client.socket.send({ kind: 'ended' });
      client.socket.close();
    }
  }

  #welcome(connection: Socket): void {
    clearTimeout(this.#idleTimer);
    const socket = openLineSocket<ClientMessage, SupervisorMessage>(
      connection,
      ClientMessage,
      (message) => this.#answer(client, message),
      () => {
        this.#clients.delete(client);
        this.#watchIdle(this.#options.lingerMs);
      },
    );
    const client: Client = { socket, hasSaidHello: false, wasToldReady: false, awaitsEnd: false };
    this.#clients.add(client);
  }

  #answer(client: Client, message: ClientMessage): void {
    switch (message.kind) {
      case 'hello':
        this.#greet(client, message.version, message.environment);
        break;
      case 'keep':
        void this.#keep(client);
        break;
      case 'down':
        client.awaitsEnd = true;
        void this.close();
        break;
      case 'status':
        client.socket.send(this.#status());
        break;
    }
  }

  async #keep({ socket }: Client): Promise<void> {
    this.#kept = true;
    await markKept(this.#options.home).catch((error: unknown) =>
      this.#options.log(`It cannot be noted that it is to be kept: ${String(error)}`),
    );
    socket.send({ kind: 'kept' });
  }

  #greet(client: Client, version: string, environment: Readonly<Record<string, string>>): void {
    const own = this.#options.version;
    client.socket.send({ kind: 'welcome', pid: process.pid, version: own });
    if (version !== own) {
      const message = `deeprepro ${own} is running for this data folder and this is ${version}: end it by \`deeprepro down\`, then try again.`;
      client.socket.send({ kind: 'problem', message });
      return;
    }
    client.hasSaidHello = true;
    const merged = { ...this.#environment, ...environment };
    const isChanged = !isSameEnvironment(this.#environment, merged);
    this.#environment = merged;
    const hadProblem = this.#problem !== undefined;
    this.#problem = undefined;
    if (isChanged) this.#startWorker();
    if (hadProblem) {
      this.#server.retry();
      if (!isChanged) this.#worker.retry();
    }
    if (this.#phase === 'draining')
      client.socket.send({ kind: 'progress', line: 'Waiting for the calls of before to finish …' });
    this.#announceReady();
  }

  #useServer(server: TemporalServer): void {
    this.#options.log(
      `The Temporal server ${server.version} ${server.adopted ? 'was adopted' : 'serves'} at ${server.address}, process ${server.pid}.`,
    );
    const isMoved = server.address !== this.#servedAddress;
    const hadAddress = this.#servedAddress !== undefined;
    this.#servedAddress = server.address;
    // Clients hold the old address: they learn the new one by connecting again.
    if (isMoved && hadAddress) this.#dropReadyClients();
    if (isMoved) {
      this.#startWorker();
    } else {
      // It may have given up while there was no server to connect to.
      this.#worker.retry();
      this.#announceReady();
    }
  }

  #startWorker(): void {
    if (this.#phase !== 'running' || !this.#environment || this.#servedAddress === undefined)
      return;
    const { home } = this.#options;
    this.#worker.start(makeWorkerEnvironment(home, this.#servedAddress, this.#environment));
  }

  #announceReady(): void {
    const { server } = this.#server;
    if (this.#phase !== 'running' || !server || !this.#worker.isReady) return;
    const ready: Ready = {
      kind: 'ready',
      address: server.address,
      namespace: LOCAL_NAMESPACE,
      taskQueue: DEFAULT_TASK_QUEUE,
      uiAddress: server.uiAddress,
      versions: { deeprepro: this.#options.version, server: server.version },
      pid: process.pid,
    };
    for (const client of this.#clients) {
      if (!client.hasSaidHello || client.wasToldReady) continue;
      client.wasToldReady = true;
      client.socket.send(ready);
    }
  }

  #announceProblem(message: string): void {
    this.#problem = message;
    this.#options.log(message);
    for (const { socket, hasSaidHello } of this.#clients)
      if (hasSaidHello) socket.send({ kind: 'problem', message });
  }

  #progress(line: string): void {
    this.#options.log(line);
    for (const { socket, hasSaidHello } of this.#clients)
      if (hasSaidHello) socket.send({ kind: 'progress', line });
  }

  #status(): SupervisorMessage {
    const { server } = this.#server;
    return {
      kind: 'status',
      version: this.#options.version,
      pid: process.pid,
      serverPid: server?.pid ?? null,
      address: server?.address ?? null,
      uiAddress: server?.uiAddress ?? null,
      workerPid: this.#worker.pid,
      isWorkerReady: this.#worker.isReady,
      kept: this.#kept,
      clients: this.#clients.size,
    };
  }

  #dropReadyClients(): void {
    for (const { socket, wasToldReady } of this.#clients) if (wasToldReady) socket.close();
  }

  #watchIdle(afterMs: number): void {
    clearTimeout(this.#idleTimer);
    if (this.#phase === 'closing') return;
    this.#idleTimer = setTimeout(() => {
      if (this.#isIdle()) void this.#drain();
    }, afterMs);
  }

  #isIdle(): boolean {
    return this.#phase === 'running' && this.#clients.size === 0 && !this.#kept;
  }

  async #drain(): Promise<void> {
    this.#phase = 'draining';
    await this.#worker.stop();
    if (this.#phase !== 'draining') return;
    this.#phase = 'running';
    if (this.#isIdle()) return this.close();
    this.#startWorker();
  }
}
