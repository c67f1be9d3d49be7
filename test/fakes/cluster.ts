import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { nodeArguments } from '../../src/local/node-arguments.ts';
import { runGit } from '../../src/processes/git.ts';
import type { RunPorts } from '../../src/runs/ports.ts';
import { startRun } from '../../src/runs/start-run.ts';
import { createTemporalEngine } from '../../src/runs/temporal-engine.ts';
import { foldersOf } from '../../src/settings.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import type { Kill } from './crash-check.ts';
import { openModelServer, type ModelServer, type ModelWish } from './crash-model.ts';
import { aPaperText } from './plan-scenario.ts';

/** Where a Temporal server is, and which queue of it is ours. */
export interface ClusterPlace {
  readonly address: string;
  readonly taskQueue: string;
}

/** A worker that is a process of its own. */
export interface ClusterWorker {
  readonly pid: number;
  readonly healthUrl: string;
  readonly metricsUrl: string;
  /** Sends a signal, and resolves when the process is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
}

/** A data folder, a model server and any number of workers, at a Temporal server elsewhere. */
export interface Cluster {
  readonly home: string;
  readonly ports: RunPorts;
  readonly client: Client;
  readonly model: ModelServer;
  /** Workers that were killed. */
  readonly kills: readonly Kill[];
  /** Where workers write which messages each label stands for. */
  readonly labels: string;
  /** Resolves when it polls; on another data folder where one is given. */
  startWorker(home?: string): Promise<ClusterWorker>;
  start(run: string): Promise<void>;
  /** Resolves with the run's outcome; rejects, with what is known, when there is none in time. */
  outcome(run: string, timeoutMs?: number): Promise<string>;
  end(): Promise<void>;
}

const OUTCOME_TIMEOUT_MS = 120_000;
const LOOK_MS = 40;
const HEARTBEAT_MS = 3_000;
const BUILT_WORKER = new URL('../../dist/worker.js', import.meta.url).href;
const WORKER = fileURLToPath(new URL('crash-worker.ts', import.meta.url));

export async function openCluster(place: ClusterPlace, wish: ModelWish): Promise<Cluster> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'cluster-')));
  const crashFolder = join(home, 'crashes');
  mkdirSync(crashFolder);
  mkdirSync(join(home, 'logs'));
  await writeFile(join(home, 'paper.md'), aPaperText());
  const model = await openModelServer(home, wish);
  const connection = await Connection.connect({ address: place.address });
  const client = new Client({ connection });
  const ports = portsOn(home, client, place);
  const children = new Set<ChildProcess>();
  const kills: Kill[] = [];

  /** A test that is itself cut off must leave nothing running. */
  function endAtOnce(): void {
    for (const child of children) child.kill('SIGKILL');
    process.kill(model.pid, 'SIGKILL');
  }
  process.once('exit', endAtOnce);

  async function endWorker(child: ChildProcess, signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const ended = once(child, 'exit');
    const at = Date.now();
    child.kill(signal);
    await ended;
    children.delete(child);
    if (signal === 'SIGKILL') kills.push({ what: 'worker', at, goneAt: Date.now() });
  }

  return {
    home,
    ports,
    client,
    model,
    kills,
    labels: join(crashFolder, 'labels.jsonl'),
    async startWorker(folder = home) {
      const [health, metrics] = [await freePort(), await freePort()];
      const log = openSync(join(home, 'logs', 'worker.log'), 'a');
      const child = spawn(process.execPath, nodeArguments(WORKER), {
        cwd: home,
        stdio: ['ignore', log, log, 'ipc'],
        env: {
          ...process.env,
          DEEPREPRO_HOME: folder,
          DEEPREPRO_HEALTH: `${health}`,
          DEEPREPRO_METRICS: `${metrics}`,
          TEMPORAL_ADDRESS: place.address,
          TEMPORAL_TASK_QUEUE: place.taskQueue,
          OPENAI_API_KEY: 'no-secret',
          CRASH_ROOT: BUILT_WORKER,
          CRASH_PLANS: '[]',
          CRASH_FOLDER: crashFolder,
        },
      });
      closeSync(log);
      children.add(child);
      child.send('go');
      await Promise.race([once(child, 'message'), endsEarly(child, home)]);
      return {
        pid: child.pid ?? 0,
        healthUrl: `http://127.0.0.1:${health}/healthz`,
        metricsUrl: `http://127.0.0.1:${metrics}/metrics`,
        end: (signal) => endWorker(child, signal),
      };
    },
    start: (run) => startRunOn(ports, { home, run, baseUrl: model.baseUrl }),
    outcome: (run, timeoutMs = OUTCOME_TIMEOUT_MS) => outcomeOf(ports, run, timeoutMs),
    async end() {
      process.off('exit', endAtOnce);
      await Promise.all([...children].map((child) => endWorker(child, 'SIGKILL')));
      await connection.close();
      await model.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** A port that was free a moment ago; the one that is wished for, if any. Rejects when that is taken. */
export async function freePort(wish = 0): Promise<number> {
  const server = createServer().listen(wish, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function endsEarly(child: ChildProcess, home: string): Promise<never> {
  await once(child, 'exit');
  throw new Error(`A worker has ended at once; see ${join(home, 'logs', 'worker.log')}.`);
}

function portsOn(home: string, client: Client, place: ClusterPlace): RunPorts {
  const engine = createTemporalEngine(client, {
    place: { ...place, namespace: 'default' },
    uiAddress: null,
    keep: () => Promise.resolve(),
    isLost: () => false,
  });
  const folders = foldersOf(home);
  return {
    store: createFolderStore(folders.store),
    journal: createFolderJournal(folders.journal),
    folders: createRunFolders(folders.runs),
    engine: () => Promise.resolve(engine),
    checkPaper: () => Promise.resolve({ characters: 0 }),
    engineIfUp: () => Promise.resolve(engine),
    git: runGit,
  };
}

interface RunWish {
  readonly home: string;
  readonly run: string;
  readonly baseUrl: string;
}

async function startRunOn(ports: RunPorts, { home, run, baseUrl }: RunWish): Promise<void> {
  await startRun(ports, {
    paper: join(home, 'paper.md'),
    ...{ supplements: [], figures: [], userRequests: [] },
    // The model's name tells the requests of runs apart.
    model: { model: run, baseUrl, keyEnv: 'OPENAI_API_KEY', price: '1,4', replay: undefined },
    ...{ budgetUsd: undefined, budgetTokens: undefined, onBudget: 'wait' },
    ...{ parallel: 8, review: false, maxOutputTokens: 8_000, name: run, out: null },
    ...{ heartbeatMs: HEARTBEAT_MS, continueEvery: undefined, mode: 'fast' },
    environment: { OPENAI_API_KEY: 'no-secret' },
  });
}

async function outcomeOf({ folders }: RunPorts, run: string, timeoutMs: number): Promise<string> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const { outcome, waits } = await folders.read(run);
    if (outcome) return outcome;
    if (Date.now() > deadline) {
      const told = (await folders.events(run)).map(({ at, text }) => `${at} ${text}`);
      throw new Error(`${run} does not end: ${JSON.stringify(waits)}\n${told.join('\n')}`);
    }
    await pause(LOOK_MS);
  }
}
