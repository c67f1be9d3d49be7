import { writeFile, rename, mkdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { endProcess, isAlive } from '../processes/kill-process.ts';
import { listProcesses } from '../processes/list-processes.ts';
import type { RunningProcess } from '../processes/list-processes.ts';
import { spawnProcess } from '../processes/spawn-process.ts';
import type { TemporalBinary } from './temporal-binary.ts';
import { isServing, waitUntilServing } from './temporal-health.ts';
import { readLogEnd } from './log-end.ts';

/** What `HOME/server.json` says of the running server. */
export const ServerRecord = z.object({
  pid: z.int(),
  /** `host:port` of its gRPC service. */
  address: z.string(),
  /** Of its web page. */
  uiAddress: z.string(),
  version: z.string(),
  dbPath: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
});
export type ServerRecord = Readonly<z.infer<typeof ServerRecord>>;

/** A server that serves. */
export interface TemporalServer extends ServerRecord {
  /** Whether it ran before and was taken over. */
  readonly adopted: boolean;
  /** Resolves when its process is gone. */
  readonly ended: Promise<void>;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/**
 * The dev server takes at most 20 tasks a second from each queue of its one shard, which makes every step of a
 * workflow last 50 ms; with these it lasts 8 to 22 ms.
 */
const DYNAMIC_CONFIG = [
  'history.transferProcessorMaxPollRPS=1000',
  'history.timerProcessorMaxPollRPS=1000',
];
/**
 * Halves the time of a step on a slow disk (measured: 28 to 16 ms). Nothing is lost with the process; when the machine
 * itself fails, the last transactions may be, which a run survives: its own record is on disk.
 */
const SQLITE_PRAGMAS = ['journal_mode=wal', 'synchronous=normal'];
/** It serves after 0.3 s; a busy machine with a slow disk has needed several seconds. */
const START_TIMEOUT_MS = 30_000;
const HEALTH_TIMEOUT_MS = 3000;
/** Left alone it drains for 2.5 s what has no takers any more; its file is as good after a kill. */
const STOP_GRACE_MS = 500;
/** How often we look whether an adopted server, which is not our child, still lives. */
const ADOPTED_POLL_MS = 250;
/** A port that was free when we looked may be taken when the server asks for it. */
const START_TRIES = 3;

/**
 * The one Temporal server on the data folder's database: adopts the one that runs, else starts one, and resolves when
 * it serves. A server of ours that does not answer, or has the database of another version, is ended first. The caller
 * must hold the data folder's claim. `home` is absolute, without symbolic links.
 * Throws when the server does not start, with the end of its log.
 */
export async function openServer(home: string, binary: TemporalBinary): Promise<TemporalServer> {
  const folder = join(home, 'temporal');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const dbPath = join(folder, `${binary.serverVersion}.db`);
  const adopted = await adoptOrEnd(folder, dbPath, binary.serverVersion);
  const server = adopted ?? (await startServer(home, dbPath, binary));
  const { pid, address, uiAddress, version, startedAt } = server;
  await writeRecord(home, { pid, address, uiAddress, version, dbPath, startedAt });
  return server;
}

/** The record of the last server, if one can be read. */
export async function readServerRecord(home: string): Promise<ServerRecord | undefined> {
  try {
    return ServerRecord.parse(JSON.parse(await readFile(join(home, 'server.json'), 'utf8')));
  } catch {
    return undefined;
  }
}

/** Ends the servers that run on any database of the data folder; says whether there was one. Needs the claim too. */
export async function endServers(home: string): Promise<boolean> {
  const pids = (await listServers(join(home, 'temporal'))).map(({ pid }) => pid);
  await Promise.all(pids.map((pid) => endProcess(pid, STOP_GRACE_MS)));
  return pids.length > 0;
}

/** Looks in the process table, not in the record: a supervisor may have died between starting one and recording it. */
async function adoptOrEnd(
  folder: string,
  dbPath: string,
  version: string,
): Promise<TemporalServer | undefined> {
  let adopted: TemporalServer | undefined;
  for (const { pid, commandLine } of await listServers(folder)) {
    const ports = /\.db --port (\d+) --ui-port (\d+) /.exec(commandLine);
    const [address, uiAddress] = [`127.0.0.1:${ports?.[1]}`, `http://127.0.0.1:${ports?.[2]}`];
    // A wrapper script on PATH and the server that it runs have the same arguments.
    if (adopted?.address === address) continue;
    const isOurs = commandLine.includes(`--db-filename ${dbPath} `);
    if (!adopted && isOurs && ports && (await isServing(address, HEALTH_TIMEOUT_MS))) {
      const startedAt = new Date().toISOString();
      adopted = takeOver({ pid, address, uiAddress, version, dbPath, startedAt });
    } else {
      await endProcess(pid, STOP_GRACE_MS);
    }
  }
  return adopted;
}

async function listServers(folder: string): Promise<RunningProcess[]> {
  const mark = ` server start-dev --db-filename ${folder}/`;
  return (await listProcesses()).filter(({ commandLine }) => commandLine.includes(mark));
}

function takeOver(record: ServerRecord): TemporalServer {
  const watchEnd = async () => {
    while (isAlive(record.pid)) await sleep(ADOPTED_POLL_MS, undefined, { ref: false });
  };
  return {
    ...record,
    adopted: true,
    ended: watchEnd(),
    stop: () => endProcess(record.pid, STOP_GRACE_MS),
  };
}

async function startServer(
  home: string,
  dbPath: string,
  binary: TemporalBinary,
): Promise<TemporalServer> {
  const previous = await readServerRecord(home);
  for (let attempt = 1; ; attempt++) {
    const server = await tryStart(
      home,
      dbPath,
      binary,
      attempt === 1 ? portOf(previous?.address) : undefined,
    );
    if (server.kind === 'serving') return server.server;
    if (attempt === START_TRIES)
      throw new Error(
        `The Temporal server (${binary.path}) does not start. The end of its log:\n${server.log}`,
      );
  }
}

type Start =
  | { readonly kind: 'serving'; readonly server: TemporalServer }
  | { readonly kind: 'failed'; readonly log: string };

async function tryStart(
  home: string,
  dbPath: string,
  binary: TemporalBinary,
  wantedPort: number | undefined,
): Promise<Start> {
  // Clients and workers that know the old address find the new server there by themselves.
  const port = await findFreePort(wantedPort);
  const uiPort = await findFreePort(undefined);
  const logPath = join(home, 'logs', 'server.log');
  const child = spawnProcess({
    command: binary.path,
    args: [
      ...['server', 'start-dev', '--db-filename', dbPath],
      ...['--port', `${port}`, '--ui-port', `${uiPort}`, '--ip', '127.0.0.1'],
      ...['--log-level', 'warn'],
      ...DYNAMIC_CONFIG.flatMap((value) => ['--dynamic-config-value', value]),
      ...SQLITE_PRAGMAS.flatMap((value) => ['--sqlite-pragma', value]),
    ],
    env: process.env,
    logPath,
  });
  const address = `127.0.0.1:${port}`;
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), START_TIMEOUT_MS);
  void child.ended.then(() => limit.abort());
  const serving = await waitUntilServing(address, limit.signal);
  clearTimeout(timer);
  // Another program may answer on the port that ours was refused.
  if (!serving || !isAlive(child.pid)) {
    if (child.pid > 0) await endProcess(child.pid, 0);
    const log = await readLogEnd(logPath, child.logOffset);
    return { kind: 'failed', log: log || (await child.ended).failure };
  }
  const server: TemporalServer = {
    pid: child.pid,
    address,
    uiAddress: `http://127.0.0.1:${uiPort}`,
    version: binary.serverVersion,
    dbPath,
    startedAt: new Date().toISOString(),
    adopted: false,
    ended: child.ended.then(() => undefined),
    stop: () => endProcess(child.pid, STOP_GRACE_MS),
  };
  return { kind: 'serving', server };
}

async function writeRecord(home: string, record: ServerRecord): Promise<void> {
  const temporary = join(home, `.server.json.${process.pid}`);
  await writeFile(temporary, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, join(home, 'server.json'));
}

function portOf(address: string | undefined): number | undefined {
  const port = Number(address?.split(':').at(-1));
  return Number.isInteger(port) ? port : undefined;
}

/** `wanted` when it is free, else any free port of the loopback interface. */
function findFreePort(wanted: number | undefined): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', (error) => {
      if (wanted === undefined) reject(error);
      else resolve(findFreePort(undefined));
    });
    probe.listen(wanted ?? 0, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      probe.close(() => resolve(port));
    });
  });
}
