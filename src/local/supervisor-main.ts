import { connect } from 'node:net';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { claim, readHolder } from '../store/lock.ts';
import type { Claim } from '../store/lock.ts';
import { prepareDataFolder, prepareSocketPath } from './data-folder.ts';
import { SUPERVISOR_CLAIM } from './supervisor-claim.ts';
import { Supervisor } from './supervisor.ts';
import { readOwnVersion } from './version.ts';

/** Root of the supervisor's process: `node supervisor-main.js --home DIR --worker MODULE`. */

/** The one before us may let calls finish for a minute, and then has a server to end. */
const CLAIM_TIMEOUT_MS = 100_000;
const CLAIM_POLL_MS = 50;
/** Other hosts that share the data folder take over what was not touched for 30 s. */
const TOUCH_INTERVAL_MS = 8000;
const DEFAULT_LINGER_MS = '1500';
const FIRST_CLIENT_MS = 30_000;

try {
  await main();
} catch (error) {
  log(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
  process.exitCode = 1;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      home: { type: 'string' },
      worker: { type: 'string' },
      'linger-ms': { type: 'string', default: DEFAULT_LINGER_MS },
    },
  });
  if (values.home === undefined || values.worker === undefined)
    throw new Error('Wanted: supervisor-main --home DIR --worker MODULE');
  const home = await prepareDataFolder(values.home);
  const socketPath = await prepareSocketPath(home);
  const held = await claimWhenFree(home, socketPath);
  if (!held) return;
  const supervisor = new Supervisor({
    home,
    socketPath,
    workerModule: values.worker,
    version: readOwnVersion(),
    lingerMs: Number(values['linger-ms']),
    firstClientMs: FIRST_CLIENT_MS,
    log,
  });
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.on(signal, () => void supervisor.close());
  // A closed terminal is no reason to stop.
  process.on('SIGHUP', () => undefined);
  const touching = setInterval(() => void keepClaim(held, supervisor), TOUCH_INTERVAL_MS);
  await supervisor.listen();
  log(`Supervising ${home} as process ${process.pid}.`);
  await supervisor.closed;
  clearInterval(touching);
  await held.release();
  supervisor.disconnectClients();
}

/** Waits for a supervisor that ends; undefined when another one listens. */
async function claimWhenFree(home: string, socketPath: string): Promise<Claim | undefined> {
  const deadline = Date.now() + CLAIM_TIMEOUT_MS;
  while (Date.now() < deadline) {
    const result = await claim(home, SUPERVISOR_CLAIM, { socket: socketPath });
    if ('release' in result) return result;
    const holder = await readHolder(home, SUPERVISOR_CLAIM);
    if (holder && (await isListening(holder.details['socket'] ?? socketPath))) return undefined;
    await sleep(CLAIM_POLL_MS);
  }
  throw new Error('The supervisor before this one does not end.');
}

function isListening(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath);
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

/** A process that slept through a takeover must not go on beside its successor. */
async function keepClaim(held: Claim, supervisor: Supervisor): Promise<void> {
  if (await held.touch().catch(() => true)) return;
  log('Another process has taken this data folder over.');
  await supervisor.close();
}

function log(line: string): void {
  process.stderr.write(`${new Date().toISOString()} ${line}\n`);
}
