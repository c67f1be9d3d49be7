import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UsageError } from '../domain/errors.ts';
import { waitUntilGone } from '../processes/kill-process.ts';
import { spawnProcess } from '../processes/spawn-process.ts';
import type { ProcessEnd, SpawnedProcess } from '../processes/spawn-process.ts';
import { claim, readHolder } from '../store/lock.ts';
import { prepareDataFolder } from './data-folder.ts';
import { readLogEnd } from './log-end.ts';
import { nodeArguments } from './node-arguments.ts';
import { SUPERVISOR_CLAIM } from './supervisor-claim.ts';
import { openLink } from './supervisor-link.ts';
import type { SupervisorLink } from './supervisor-link.ts';
import type { Ready } from './supervisor-messages.ts';
import { endServers } from './temporal-server.ts';
import { readOwnVersion } from './version.ts';

/** How to reach, or start, the supervisor of a data folder. */
export interface LocalOptions {
  readonly home: string;
  /** Variables of model providers, for the worker. They travel over the socket and are stored nowhere. */
  readonly environment: Readonly<Record<string, string>>;
  /** Path of `supervisor-main`. */
  readonly supervisorModule: string;
  /** Path of the worker's root. */
  readonly workerModule: string;
  /** Gets a line for each slow step, and for each trouble after the connection stands. */
  readonly onProgress: (line: string) => void;
}

/** A server and a worker that are ready, and stay so while this is open. */
export interface LocalConnection extends Omit<Ready, 'kind'> {
  /** Lets them live on after this connection is closed. */
  keep(): Promise<void>;
  close(): void;
  /** Ends them, gracefully, and resolves when no process is left. */
  down(): Promise<void>;
  /** Calls back once when the supervisor has gone without our asking; connecting again starts the next one. */
  onLost(listener: () => void): void;
}

const REACH_POLL_MS = 25;
/** The supervisor before may let calls finish for a minute, and then has a server to end. */
const END_TIMEOUT_MS = 110_000;
const WELCOME_TIMEOUT_MS = 15_000;
/** A supervisor that is killed while it starts is replaced this often. */
const READY_TRIES = 5;

/**
 * Connects to the supervisor of the data folder, starting one when there is none, and waits until server and worker
 * are ready. Any number of processes may do so at once.
 * Throws a `UsageError` when the folder cannot be used or something does not start, and `NewerVersion`.
 */
export async function connectLocal(options: LocalOptions): Promise<LocalConnection> {
  const home = await prepareDataFolder(options.home);
  for (let attempt = 1; attempt <= READY_TRIES; attempt++) {
    const link = await reachSupervisor(home, options);
    const ready = await waitUntilReady(link, options);
    if (ready) return holdConnection(link, ready, options);
  }
  throw new UsageError(
    `The supervisor ended ${READY_TRIES} times while it started: \`deeprepro doctor\` looks for the cause. The end of its log:\n${await readSupervisorLog(home, 0)}`,
  );
}

/** Ends all that runs on the data folder, gracefully; false when nothing did. */
export async function downLocal(folder: string): Promise<boolean> {
  const home = await realpath(folder).catch(() => undefined);
  if (home === undefined) return false;
  const deadline = Date.now() + END_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const result = await claim(home, SUPERVISOR_CLAIM);
    if ('release' in result) {
      // No supervisor; one that was killed may have left its server.
      try {
        return await endServers(home);
      } finally {
        await result.release();
      }
    }
    const link = await openLink(result.heldBy.details['socket'] ?? '');
    if (link && (await requestEnd(link, result.heldBy.pid))) return true;
    await sleep(REACH_POLL_MS);
  }
  throw new UsageError(await describeStuck(home));
}

async function reachSupervisor(home: string, options: LocalOptions): Promise<SupervisorLink> {
  const deadline = Date.now() + END_TIMEOUT_MS;
  let started: { process: SpawnedProcess; end?: ProcessEnd } | undefined;
  let kills = 0;
  while (Date.now() < deadline) {
    const holder = await readHolder(home, SUPERVISOR_CLAIM);
    const socketPath = holder?.details['socket'];
    const link = socketPath === undefined ? undefined : await openLink(socketPath);
    if (link && (await sayHello(link, options, holder?.pid ?? 0))) return link;
    if (started?.end?.signal) kills++;
    // One that found another listening has ended with exit code 0.
    if (started?.end && (started.end.signal ? kills >= READY_TRIES : started.end.exitCode !== 0))
      throw new UsageError(await describeFailedStart(home, started.process, started.end));
    if (!started || started.end) {
      const next: typeof started = { process: startSupervisor(home, options) };
      void next.process.ended.then((end) => (next.end = end));
      started = next;
    }
    await sleep(REACH_POLL_MS);
  }
  throw new UsageError(await describeStuck(home));
}

/** False when the supervisor was about to end and did not take us in. */
async function sayHello(
  link: SupervisorLink,
  options: LocalOptions,
  pid: number,
): Promise<boolean> {
  let isClosed = false;
  void link.closed.then(() => (isClosed = true));
  const welcome = link.waitFor(
    (message) => (message.kind === 'welcome' ? message : undefined),
    WELCOME_TIMEOUT_MS,
  );
  link.send({ kind: 'hello', version: readOwnVersion(), environment: options.environment });
  if (await welcome) return true;
  if (isClosed) return false;
  link.close();
  throw new UsageError(
    `The supervisor, process ${pid}, does not answer: end it by \`kill -9 ${pid}\` and try again; nothing is lost.`,
  );
}

function startSupervisor(home: string, options: LocalOptions): SpawnedProcess {
  const secret = new Set(Object.keys(options.environment));
  return spawnProcess({
    command: process.execPath,
    args: [
      ...nodeArguments(options.supervisorModule),
      ...['--home', home, '--worker', options.workerModule],
    ],
    env: Object.fromEntries(Object.entries(process.env).filter(([name]) => !secret.has(name))),
    cwd: home,
    logPath: supervisorLog(home),
    unreferenced: true,
  });
}

/** Undefined when the supervisor went away before it was ready. */
async function waitUntilReady(
  link: SupervisorLink,
  { onProgress }: LocalOptions,
): Promise<Ready | undefined> {
  const answer = await link.waitFor((message) => {
    if (message.kind === 'progress') onProgress(message.line);
    return message.kind === 'ready' || message.kind === 'problem' ? message : undefined;
  });
  if (answer?.kind !== 'problem') return answer;
  link.close();
  throw new UsageError(answer.message);
}

function holdConnection(
  link: SupervisorLink,
  ready: Ready,
  { onProgress }: LocalOptions,
): LocalConnection {
  const { address, namespace, taskQueue, uiAddress, versions, pid } = ready;
  let isLeaving = false;
  link.onMessage((message) => {
    if (message.kind === 'progress') onProgress(message.line);
    if (message.kind === 'problem') onProgress(message.message);
  });
  return {
    ...{ address, namespace, taskQueue, uiAddress, versions, pid },
    async keep() {
      const kept = link.waitFor((message) => (message.kind === 'kept' ? true : undefined));
      link.send({ kind: 'keep' });
      if (!(await kept))
        throw new UsageError('The supervisor has ended: give the command again; nothing is lost.');
    },
    close() {
      isLeaving = true;
      link.close();
    },
    async down() {
      isLeaving = true;
      await requestEnd(link, pid);
    },
    onLost: (listener) => void link.closed.then(() => !isLeaving && listener()),
  };
}

/** False when the supervisor went away without saying that all has ended. */
async function requestEnd(link: SupervisorLink, pid: number): Promise<boolean> {
  const ended = link.waitFor(
    (message) => (message.kind === 'ended' ? true : undefined),
    END_TIMEOUT_MS,
  );
  link.send({ kind: 'down' });
  const hasEnded = (await ended) ?? false;
  link.close();
  return hasEnded && (await waitUntilGone(pid, WELCOME_TIMEOUT_MS));
}

async function describeFailedStart(
  home: string,
  child: SpawnedProcess,
  end: ProcessEnd,
): Promise<string> {
  const how = end.failure || end.signal || `exit code ${end.exitCode ?? 'unknown'}`;
  const log = await readSupervisorLog(home, child.logOffset);
  return `The supervisor does not start (${how}). The end of its log (${supervisorLog(home)}):\n${log}`;
}

async function describeStuck(home: string): Promise<string> {
  const pid = (await readHolder(home, SUPERVISOR_CLAIM))?.pid ?? 0;
  return `The supervisor of ${home}, process ${pid}, neither serves nor ends: end it by \`kill -9 ${pid}\` and try again; nothing is lost.`;
}

function readSupervisorLog(home: string, offset: number): Promise<string> {
  return readLogEnd(supervisorLog(home), offset).catch(() => '');
}

function supervisorLog(home: string): string {
  return join(home, 'logs', 'supervisor.log');
}
