import { readHolder } from './store/lock.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Connection, ConnectionOptions } from '@temporalio/client';
import { UsageError } from './domain/errors.ts';
import { DEFAULT_TASK_QUEUE } from './domain/task-queue.ts';
import { SUPERVISOR_CLAIM } from './local/supervisor-claim.ts';
import type { LocalConnection } from './local/connect.ts';
import type { SupervisorStatus } from './local/supervisor-messages.ts';
import type { Engine, Place } from './runs/ports.ts';
import { loadTemporalProfile, type Settings } from './settings.ts';

/** The engines that one command may need; each is opened when it is first asked for. */
export interface Engines {
  engine(keyNames: readonly string[]): Promise<Engine>;
  engineIfUp(): Promise<Engine | undefined>;
  leave(): Promise<'ended' | 'goes-on'>;
  close(): Promise<void>;
}

/** In a supervisor's claim and a run's record: this data folder's own server. */
const LOCAL = 'local';
const LOCAL_NAMESPACE = 'default';
const CONNECT_TIMEOUT_MS = 10_000;
/** After this a start is slow enough to be told. */
const SLOW_START_MS = 2000;
/** A supervisor that is up answers in a millisecond. */
const PEEK_TIMEOUT_MS = 500;
/** A supervisor that nobody needs waits a moment, lets calls finish for a minute, and ends its server. */
const LEAVE_TIMEOUT_MS = 90_000;
const LEAVE_POLL_MS = 100;
/** Variables of ours that concern workers; all others are the client's own. */
const WORKER_VARIABLES = ['DEEPREPRO_MAX_CALLS', 'DEEPREPRO_OUTAGE_MS', 'DEEPREPRO_DEBUG'];

interface Opened {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly local: LocalConnection | undefined;
}

export function createEngines(settings: Settings, onProgress: (line: string) => void): Engines {
  let opening: Promise<Opened> | undefined;
  let peeking: Promise<Opened | undefined> | undefined;
  const every: Opened[] = [];

  async function open(keyNames: readonly string[]): Promise<Opened> {
    const opened = settings.isRemote
      ? await openRemote(settings)
      : await openLocal(settings, keyNames, onProgress);
    every.push(opened);
    return opened;
  }

  async function current(keyNames: readonly string[]): Promise<Opened> {
    const standing = await opening?.catch(() => undefined);
    if (standing && !standing.engine.isLost) return standing;
    opening = open(keyNames);
    return opening;
  }

  async function close(): Promise<void> {
    for (const { local } of every) local?.close();
    await Promise.all(every.splice(0).map(({ connection }) => connection.close()));
    opening = undefined;
    peeking = undefined;
  }

  return {
    engine: async (keyNames) => (await current(keyNames)).engine,
    async engineIfUp() {
      if (opening) return (await current([])).engine;
      if (settings.isRemote) return (await current([])).engine;
      peeking ??= openPeek(settings);
      const peeked = await peeking;
      if (peeked && !every.includes(peeked)) every.push(peeked);
      return peeked?.engine;
    },
    async leave() {
      await close();
      if (settings.isRemote) return 'goes-on';
      const status = await askSupervisor(settings.home);
      // We are one of its clients ourselves while we ask.
      if (status && (status.kept || status.clients > 1)) return 'goes-on';
      const deadline = Date.now() + LEAVE_TIMEOUT_MS;
      while (Date.now() < deadline && (await readSupervisor(settings.home)))
        await wait(LEAVE_POLL_MS);
      return 'ended';
    },
    close,
  };
}

async function openLocal(
  settings: Settings,
  keyNames: readonly string[],
  onProgress: (line: string) => void,
): Promise<Opened> {
  const { connectLocal } = await import('./local/connect.ts');
  // A first start, or a busy machine: silence would look like a fault.
  const slow = setTimeout(
    () => onProgress('Starting the Temporal server and the worker …'),
    SLOW_START_MS,
  );
  const local = await connectLocal({
    home: settings.home,
    environment: workerVariables(settings.environment, keyNames),
    supervisorModule: modulePath('./local/supervisor-main'),
    workerModule: modulePath('./worker'),
    onProgress,
  }).finally(() => clearTimeout(slow));
  let isLost = false;
  local.onLost(() => (isLost = true));
  const place = { address: LOCAL, namespace: local.namespace, taskQueue: local.taskQueue };
  const connect = { ...place, uiAddress: local.uiAddress, options: { address: local.address } };
  const opened = await openTemporal(connect, { keep: () => local.keep(), isLost: () => isLost });
  return { ...opened, local };
}

async function openRemote(settings: Settings): Promise<Opened> {
  const { connectionOptions, namespace = 'default' } = await loadTemporalProfile(
    settings.environment,
  );
  const { address = 'localhost:7233', tls, apiKey, metadata } = connectionOptions;
  const options: ConnectionOptions = {
    address,
    ...(tls === undefined ? {} : { tls }),
    ...(apiKey === undefined ? {} : { apiKey }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  const place = { address, namespace, taskQueue: settings.taskQueue };
  const connect = { ...place, uiAddress: null, options };
  return openTemporal(connect, { keep: () => Promise.resolve(), isLost: () => false });
}

/** The engine of a supervisor that is up, without a worker's variables, and without keeping it up. */
async function openPeek({ home }: Settings): Promise<Opened | undefined> {
  const status = await askSupervisor(home);
  if (!status?.address) return undefined;
  const place = { address: LOCAL, namespace: LOCAL_NAMESPACE, taskQueue: DEFAULT_TASK_QUEUE };
  const connect = { ...place, uiAddress: status.uiAddress, options: { address: status.address } };
  return openTemporal(connect, { keep: () => Promise.resolve(), isLost: () => false });
}

async function openTemporal(
  connect: Place & { readonly uiAddress: string | null; readonly options: ConnectionOptions },
  { keep, isLost }: { keep: () => Promise<void>; isLost: () => boolean },
): Promise<Opened> {
  const { Client, Connection } = await import('@temporalio/client');
  const { createTemporalEngine } = await import('./runs/temporal-engine.ts');
  const { address, namespace, taskQueue, uiAddress, options } = connect;
  const connection = await Connection.connect({
    ...options,
    connectTimeout: CONNECT_TIMEOUT_MS,
  }).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      address === LOCAL
        ? `This machine's Temporal server at ${options.address ?? address} cannot be reached (${reason}): try again; where \`deeprepro down\` has just ended it, that starts it anew.`
        : `The Temporal server at ${options.address ?? address} cannot be reached (${reason}): check TEMPORAL_ADDRESS and that the server runs.`,
      { cause: error },
    );
  });
  const client = new Client({ connection, namespace });
  const place = { address, namespace, taskQueue };
  return {
    engine: createTemporalEngine(client, { place, uiAddress, keep, isLost }),
    connection,
    local: undefined,
  };
}

async function askSupervisor(home: string): Promise<SupervisorStatus | undefined> {
  const socketPath = (await readSupervisor(home))?.details['socket'];
  if (socketPath === undefined) return undefined;
  const { openLink } = await import('./local/supervisor-link.ts');
  const link = await openLink(socketPath);
  if (!link) return undefined;
  link.send({ kind: 'status' });
  const status = await link.waitFor(
    (message) => (message.kind === 'status' ? message : undefined),
    PEEK_TIMEOUT_MS,
  );
  link.close();
  return status;
}

/** Undefined when there is none, or no data folder yet. */
function readSupervisor(home: string) {
  return readHolder(home, SUPERVISOR_CLAIM).catch(() => undefined);
}

/** Keys of providers, and what of ours concerns workers. */
function workerVariables(
  environment: Readonly<Record<string, string>>,
  keyNames: readonly string[],
): Record<string, string> {
  const isWanted = (name: string) =>
    keyNames.includes(name) || WORKER_VARIABLES.includes(name) || name.endsWith('_API_KEY');
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isWanted(name)));
}

/** A module beside this one, both from source and built. */
function modulePath(relative: string): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  return fileURLToPath(new URL(`${relative}.${extension}`, import.meta.url));
}
