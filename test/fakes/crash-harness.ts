import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { findTemporal } from '../../src/local/temporal-binary.ts';
import { nodeArguments } from '../../src/local/node-arguments.ts';
import { openServer, type TemporalServer } from '../../src/local/temporal-server.ts';
import { killProcess } from '../../src/processes/kill-process.ts';
import type { RunPorts } from '../../src/runs/ports.ts';
import { startRun, type StartWish } from '../../src/runs/start-run.ts';
import { runGit } from '../../src/processes/git.ts';
import { createTemporalEngine } from '../../src/runs/temporal-engine.ts';
import { foldersOf } from '../../src/settings.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import type { Kill } from './crash-check.ts';
import type { CrashPlan } from './crash-points.ts';
import { openModelServer, type ModelServer, type ModelWish } from './crash-model.ts';
import { aPaperText } from './plan-scenario.ts';

/** How a run is started, where it differs from the usual. */
export type HarnessWish = Partial<
  Pick<StartWish, 'continueEvery' | 'budgetUsd' | 'onBudget' | 'parallel' | 'mode'>
> & { readonly price?: string };

/** A data folder with a real server, worker and model server, each its own process, all of which may die. */
export interface CrashHarness {
  readonly home: string;
  readonly ports: RunPorts;
  readonly model: ModelServer;
  /** All that have died so far, by their own hand or ours. */
  readonly kills: readonly Kill[];
  /** Where workers write what has happened to them. */
  readonly crashFolder: string;
  start(run: string, wish?: HarnessWish): Promise<void>;
  /** Resolves with the run's outcome; rejects, with what is known, when there is none in time. */
  outcome(run: string): Promise<string>;
  kill(what: 'worker' | 'server' | 'both'): Promise<void>;
  /** Resolves when server and worker stand. */
  whole(): Promise<void>;
  end(): Promise<void>;
}

const TASK_QUEUE = 'crash';
const OUTCOME_TIMEOUT_MS = 540_000;
const LOOK_MS = 40;
/** A worker that did not get ready, as while its server is down, is started again after this. */
const FAILED_START_MS = 300;
const BUILT_WORKER = new URL('../../dist/worker.js', import.meta.url).href;
const WORKER = fileURLToPath(new URL('crash-worker.ts', import.meta.url));

export async function openHarness(
  plans: readonly CrashPlan[],
  wish: ModelWish,
  heartbeatMs = 3_000,
): Promise<CrashHarness> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'crash-')));
  const crashFolder = join(home, 'crashes');
  mkdirSync(crashFolder);
  mkdirSync(join(home, 'logs'));
  const model = await openModelServer(home, wish);
  const binary = await findTemporal({ environment: process.env, report: () => undefined });
  const kills: Kill[] = [];
  let isEnding = false;
  let struckAt = 0;
  let restarting = Promise.resolve();

  let server: TemporalServer | undefined = await openServer(home, binary);
  const { address } = server;
  watchServer(server);
  let worker: StartedWorker | undefined;
  let spare = spawnWorker();
  startWorker();

  const connection = await Connection.connect({ address });
  const place = { address, namespace: 'default', taskQueue: TASK_QUEUE };
  const engine = createTemporalEngine(new Client({ connection }), {
    place,
    uiAddress: null,
    keep: () => Promise.resolve(),
    isLost: () => false,
  });
  const folders = foldersOf(home);
  const ports: RunPorts = {
    store: createFolderStore(folders.store),
    journal: createFolderJournal(folders.journal),
    folders: createRunFolders(folders.runs),
    engine: () => Promise.resolve(engine),
    git: runGit,
    checkPaper: () => Promise.resolve({ characters: 0 }),
    engineIfUp: () => Promise.resolve(engine),
  };
  await writeFile(join(home, 'paper.md'), aPaperText());

  function watchServer(serving: TemporalServer): void {
    void serving.ended.then(() => {
      if (isEnding) return;
      server = undefined;
      kills.push({ what: 'server', at: struckAt || Date.now() - SLOW_MS, goneAt: Date.now() });
      restarting = restartServer();
    });
  }

  async function restartServer(): Promise<void> {
    server = await openServer(home, binary);
    if (server.address !== address) throw new Error(`The server has moved to ${server.address}.`);
    watchServer(server);
  }

  function spawnWorker(): ChildProcess {
    const log = openSync(join(home, 'logs', 'worker.log'), 'a');
    const child = spawn(process.execPath, nodeArguments(WORKER), {
      cwd: home,
      stdio: ['ignore', log, log, 'ipc'],
      env: {
        ...process.env,
        DEEPREPRO_HOME: home,
        DEEPREPRO_TASK_QUEUE: TASK_QUEUE,
        TEMPORAL_ADDRESS: address,
        OPENAI_API_KEY: 'no-secret',
        CRASH_ROOT: BUILT_WORKER,
        CRASH_PLANS: JSON.stringify(plans),
        CRASH_FOLDER: crashFolder,
      },
    });
    closeSync(log);
    return child;
  }

  /** A spare that has loaded its modules stands by, so that a restart takes a moment only. */
  function startWorker(): void {
    // A spare that did not start has said why in the log.
    const child = spare.connected ? spare : spawnWorker();
    spare = spawnWorker();
    const started: StartedWorker = { child, isReady: false };
    worker = started;
    child.once('message', () => (started.isReady = true));
    child.once('exit', (_code, signal) => {
      if (isEnding) return;
      if (signal === 'SIGKILL')
        kills.push({ what: 'worker', at: struckAt || Date.now() - SLOW_MS, goneAt: Date.now() });
      if (started.isReady) startWorker();
      else setTimeout(() => isEnding || startWorker(), FAILED_START_MS);
    });
    child.send('go');
  }

  /** A test that is itself cut off must leave nothing running. */
  function endAtOnce(): void {
    isEnding = true;
    for (const child of [worker?.child, spare]) child?.kill('SIGKILL');
    if (server) killProcess(server.pid, 'SIGKILL');
    killProcess(model.pid, 'SIGKILL');
  }
  process.once('exit', endAtOnce);

  const harness: CrashHarness = {
    home,
    ports,
    model,
    kills,
    crashFolder,
    async start(
      run,
      {
        continueEvery,
        price = '1,4',
        budgetUsd,
        onBudget = 'wait',
        parallel = 8,
        mode = 'fast',
      } = {},
    ) {
      await startRun(ports, {
        paper: join(home, 'paper.md'),
        supplements: [],
        figures: [],
        userRequests: [],
        model: {
          model: run,
          baseUrl: model.baseUrl,
          keyEnv: 'OPENAI_API_KEY',
          price,
          replay: undefined,
        },
        budgetUsd,
        budgetTokens: undefined,
        onBudget,
        parallel,
        review: false,
        mode,
        maxOutputTokens: 8_000,
        name: run,
        out: null,
        heartbeatMs,
        continueEvery,
        environment: { OPENAI_API_KEY: 'no-secret' },
      });
    },
    async outcome(run) {
      const deadline = Date.now() + OUTCOME_TIMEOUT_MS;
      for (;;) {
        const record = await ports.folders.read(run);
        if (record.outcome) return record.outcome;
        if (Date.now() > deadline) {
          const told = (await ports.folders.events(run)).map(({ at, text }) => `${at} ${text}`);
          throw new Error(
            `${run} does not end: ${JSON.stringify(record.waits)}\n${told.join('\n')}`,
          );
        }
        await pause(LOOK_MS);
      }
    },
    async kill(what) {
      struckAt = Date.now();
      if (what !== 'server') worker?.child.kill('SIGKILL');
      if (what !== 'worker' && server) killProcess(server.pid, 'SIGKILL');
      const before = kills.length;
      const wanted = what === 'both' ? 2 : 1;
      while (kills.length < before + wanted) await pause(5);
      struckAt = 0;
    },
    async whole() {
      while (!server || !worker?.isReady) await pause(10);
    },
    async end() {
      isEnding = true;
      process.off('exit', endAtOnce);
      await connection.close();
      worker?.child.kill('SIGKILL');
      spare.kill('SIGKILL');
      await restarting;
      await server?.stop();
      await model.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
  return harness;
}

interface StartedWorker {
  readonly child: ChildProcess;
  isReady: boolean;
}

/** A process that kills itself does not tell us when; this is more than it takes us to see it. */
const SLOW_MS = 1_000;
