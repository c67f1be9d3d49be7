import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';
import { createActivities } from './activities/create-activities.ts';
import type { Deps } from './activities/deps.ts';
import { UsageError } from './domain/errors.ts';
import { createPyright } from './analyzers/pyright.ts';
import { startAnalysis } from './analyzers/start-analysis.ts';
import { formatListenAddress } from './domain/listen-address.ts';
import { withCounters } from './health/counters.ts';
import { serveHealth, type HealthServer } from './health/health-server.ts';
import { checkWorker, type WorkerState } from './health/worker-health.ts';
import { createCapabilityFile } from './models/capability-file.ts';
import { runNodeModule } from './local/run-node-module.ts';
import { succeedSupervisor } from './local/succeed.ts';
import type { Model } from './models/model.ts';
import { createOpenAiModel } from './models/openai-model.ts';
import { withOutageLimit } from './models/outage-limit.ts';
import { createReplayModel } from './models/recorded-model.ts';
import { openPipe } from './processes/open-pipe.ts';
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

const DEFAULT_ADDRESS = 'localhost:7233';
/** What a worker says that has not been made yet. */
const STARTING: WorkerState = {
  runState: 'INITIALIZED',
  workflowPollerState: 'SHUTDOWN',
  activityPollerState: 'SHUTDOWN',
  numInFlightActivities: 0,
};

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
    analysis: await startAnalysis(),
    pyright: createPyright(openPipe),
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

/**
 * Runs a worker until it is told to stop (SIGTERM, SIGINT, or its supervisor gone). `onReady` is called once it polls.
 * Throws `UsageError` when Temporal cannot be reached or an address to serve on cannot be had.
 */
export async function runWorker(
  settings: Settings,
  deps: Deps,
  onReady: () => void,
): Promise<void> {
  const runtime = installRuntime(settings);
  const counted = settings.metrics ? withCounters(deps, runtime.metricMeter) : deps;
  const profile = await loadTemporalProfile(settings.environment);
  const connection = await connect(profile.connectionOptions);
  let worker: Worker | undefined;
  let health: HealthServer | undefined;
  try {
    health = await serveHealthOf(settings, connection, profile, () => worker);
    worker = await createWorker(settings, counted, connection, profile.namespace);
    const succession = succeedWhenAbandoned(worker, settings);
    const running = worker.run();
    onReady();
    await running;
    await succession();
  } finally {
    await health?.close();
    await deps.pyright?.end();
    await connection.close();
  }
}

type Profile = Awaited<ReturnType<typeof loadTemporalProfile>>;

function installRuntime({ metrics }: Settings): Runtime {
  const logger = new DefaultLogger('WARN');
  if (!metrics) return Runtime.install({ logger });
  const bindAddress = formatListenAddress(metrics);
  try {
    return Runtime.install({
      logger,
      telemetryOptions: { metrics: { prometheus: { bindAddress } } },
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      `Metrics cannot be served on ${bindAddress} (${reason}): choose another address with --metrics.`,
      { cause: error },
    );
  }
}

async function connect(options: Profile['connectionOptions']): Promise<NativeConnection> {
  return NativeConnection.connect(options).catch((error: unknown) => {
    throw new UsageError(
      `The Temporal server at ${options.address ?? DEFAULT_ADDRESS} cannot be reached: check TEMPORAL_ADDRESS and that the server runs.`,
      { cause: error },
    );
  });
}

function createWorker(
  settings: Settings,
  deps: Deps,
  connection: NativeConnection,
  namespace = 'default',
): Promise<Worker> {
  return Worker.create({
    connection,
    namespace,
    taskQueue: settings.taskQueue,
    workflowBundle: { codePath: bundlePath() },
    activities: createActivities(deps),
    maxConcurrentActivityTaskExecutions: settings.maxCalls ?? DEFAULT_MAX_CALLS,
    // After a worker was killed, a query waits this long before another worker gets it.
    stickyQueueScheduleToStartTimeout: '2 seconds',
    maxHeartbeatThrottleInterval: '10 seconds',
    shutdownGraceTime: SHUTDOWN_GRACE,
  });
}

/** Ends the worker when its supervisor is gone; resolves when another supervisor stands where one has to. */
function succeedWhenAbandoned(worker: Worker, { home }: Settings): () => Promise<void> {
  let succession: Promise<void> | undefined;
  process.once('disconnect', () => {
    if (worker.getState() !== 'RUNNING') return;
    succession = succeedSupervisor(home, process.env, fileURLToPath(import.meta.url));
    worker.shutdown();
  });
  return () => succession ?? Promise.resolve();
}

/** Answers as long as the process lives, so that a worker that drains says so. */
async function serveHealthOf(
  { health, home }: Settings,
  connection: NativeConnection,
  { connectionOptions }: Profile,
  worker: () => Worker | undefined,
): Promise<HealthServer | undefined> {
  if (!health) return undefined;
  const { address = DEFAULT_ADDRESS } = connectionOptions;
  let pinging: Promise<unknown> | undefined;
  return serveHealth(health, () =>
    checkWorker({
      home,
      temporalAddress: address,
      state: () => worker()?.getStatus() ?? STARTING,
      async ping() {
        // Core tries again for long; whoever asks meanwhile waits for the same answer.
        pinging ??= connection.workflowService
          .getSystemInfo({})
          .finally(() => void (pinging = undefined));
        await pinging;
      },
    }),
  );
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
