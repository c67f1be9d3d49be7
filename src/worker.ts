import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from './activities/create-activities.ts';
import type { Deps } from './activities/deps.ts';
import { UsageError } from './domain/errors.ts';
import { createParser } from './analyzers/parse-file.ts';
import { createCapabilityFile } from './models/capability-file.ts';
import { runNodeModule } from './local/run-node-module.ts';
import { succeedSupervisor } from './local/succeed.ts';
import type { Model } from './models/model.ts';
import { createOpenAiModel } from './models/openai-model.ts';
import { withOutageLimit } from './models/outage-limit.ts';
import { createReplayModel } from './models/recorded-model.ts';
import { createPdfReader } from './papers/read-pdf.ts';
import { foldersOf, loadTemporalProfile, readSettings, type Settings } from './settings.ts';
import { createFolderJournal } from './store/folder-journal.ts';
import { createFolderStore } from './store/folder-store.ts';
import { createRunFolders } from './store/run-folders.ts';

/** Calls in flight may end within this when the worker is told to stop; what is cut after it may be paid twice. */
const SHUTDOWN_GRACE = '60 seconds';
/** A model choice whose base URL starts so is answered from recorded replies in the folder that follows. */
const REPLAY = 'replay:';
/** Activities of one worker at once, of all its runs; most of them wait for a model. */
const DEFAULT_MAX_CALLS = 200;

/** What activities work with, for a data folder; the journal, store and run folders that the client reads too. */
export async function createDeps({ home, environment, outageMs }: Settings): Promise<Deps> {
  const { store, journal, runs } = foldersOf(home);
  const capabilities = createCapabilityFile(join(home, 'capabilities.json'));
  return {
    store: createFolderStore(store),
    journal: createFolderJournal(journal),
    folders: createRunFolders(runs),
    model: chooseModel(
      withOutageLimit(
        createOpenAiModel({ environment: (name) => environment[name], capabilities }),
        { limitMs: outageMs, nowMs: () => Date.now() },
      ),
    ),
    parser: await createParser(),
    pdf: createPdfReader(runNodeModule),
    now: () => new Date(),
    unsaved: new Map(),
  };
}

/** Sends each request to its recorded replies or to its provider. */
function chooseModel(openAi: Model): Model {
  return {
    reply(request, signal, onProgress) {
      const { baseUrl } = request.endpoint;
      const model = baseUrl.startsWith(REPLAY)
        ? createReplayModel(baseUrl.slice(REPLAY.length))
        : openAi;
      return model.reply(request, signal, onProgress);
    },
  };
}

/** Runs a worker until it is told to stop (SIGTERM, SIGINT, or its supervisor gone). `onReady` is called once it polls. */
export async function runWorker(
  settings: Settings,
  deps: Deps,
  onReady: () => void,
): Promise<void> {
  Runtime.install({ logger: new DefaultLogger('WARN') });
  const { connectionOptions, namespace } = await loadTemporalProfile(settings.environment);
  const connection = await NativeConnection.connect(connectionOptions).catch((error: unknown) => {
    throw new UsageError(
      `The Temporal server at ${connectionOptions.address ?? 'localhost:7233'} cannot be reached: check TEMPORAL_ADDRESS and that the server runs.`,
      { cause: error },
    );
  });
  try {
    const worker = await Worker.create({
      connection,
      namespace: namespace ?? 'default',
      taskQueue: settings.taskQueue,
      workflowBundle: { codePath: bundlePath() },
      activities: createActivities(deps),
      maxConcurrentActivityTaskExecutions: settings.maxCalls ?? DEFAULT_MAX_CALLS,
      // After a worker was killed, a query waits this long before another worker gets it.
      stickyQueueScheduleToStartTimeout: '2 seconds',
      maxHeartbeatThrottleInterval: '10 seconds',
      shutdownGraceTime: SHUTDOWN_GRACE,
    });
    let succession: Promise<void> | undefined;
    process.once('disconnect', () => {
      if (worker.getState() !== 'RUNNING') return;
      succession = succeedSupervisor(settings.home, process.env, fileURLToPath(import.meta.url));
      worker.shutdown();
    });
    const running = worker.run();
    onReady();
    await running;
    await succession;
  } finally {
    await connection.close();
  }
}

/** The bundle is built once, by `npm run build`; running from source uses the same. */
function bundlePath(): string {
  const isSource = import.meta.url.endsWith('.ts');
  return fileURLToPath(
    new URL(isSource ? '../dist/workflow-bundle.js' : './workflow-bundle.js', import.meta.url),
  );
}

/** The root: settings, dependencies, worker. */
export async function main(): Promise<void> {
  const settings = readSettings();
  await runWorker(settings, await createDeps(settings), () => {
    if (process.connected) process.send?.({ kind: 'ready' });
  });
  // An open channel to the supervisor would keep this process alive.
  if (process.connected) process.disconnect();
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await main();
}
