import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { Deps } from '../../src/activities/deps.ts';
import { createInlineAnalysis } from '../../src/analyzers/analysis.ts';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { Role } from '../../src/domain/message.ts';
import type { RunRecord } from '../../src/domain/run-record.ts';
import {
  DEFAULT_LIMITS,
  type ModelChoice,
  type RunSettings,
} from '../../src/domain/run-settings.ts';
import { RunState } from '../../src/domain/run-state.ts';
import { runNodeModule } from '../../src/local/run-node-module.ts';
import type { Model } from '../../src/models/model.ts';
import { createPdfReader } from '../../src/papers/read-pdf.ts';
import { firstInput } from '../../src/runs/first-input.ts';
import { foldersOf } from '../../src/settings.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';
import {
  statusQuery,
  WORKFLOW_TYPE,
  workflowIdOf,
  type Controls,
  type RunStatus,
} from '../../src/workflows/messages.ts';
import type { reproduce } from '../../src/workflows/reproduce.ts';
import { aRecord } from './a-record.ts';
import { aPaperText } from './plan-scenario.ts';
import { temporal } from './temporal.ts';

/** Settings of a run in a test, where they differ from the usual. */
export interface RunWish {
  readonly name?: string;
  /** Bytes are those of a PDF. */
  readonly paper?: string | Uint8Array;
  /** `paper.md`, or `paper.pdf` for bytes, by default. */
  readonly paperName?: string;
  readonly seesFigures?: boolean;
  readonly controls?: Partial<Controls>;
  readonly cap?: number | null;
  readonly price?: ModelChoice['price'];
  readonly baseUrl?: string;
  readonly seed?: string;
  readonly limits?: Partial<RunSettings['limits']>;
  readonly mode?: RunSettings['mode'];
  readonly verify?: 'gate' | 'rounds';
}

/** A data folder with what works on it, and a real worker when one is started. */
export interface Product {
  readonly home: string;
  readonly deps: Deps;
  readonly taskQueue: string;
  /** A worker in this process; ends with `end`. */
  startWorker(deps?: Deps): Promise<void>;
  stopWorker(): Promise<void>;
  /** Makes a run's folder as the command line does. */
  createRun(wish?: RunWish): Promise<RunRecord>;
  start(record: RunRecord): Promise<WorkflowHandle<typeof reproduce>>;
  status(handle: WorkflowHandle<typeof reproduce>): Promise<RunStatus>;
  stateOf(name: string): Promise<RunState>;
  end(): Promise<void>;
}

const BUNDLE = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));

/** The product around a model, on a folder of its own and the tests' Temporal server. */
export async function aProduct(model: Model): Promise<Product> {
  const home = await mkdtemp(join(tmpdir(), 'deeprepro-test-'));
  const deps = await depsFor(home, model);
  const taskQueue = `test-${randomUUID()}`;
  let worker: { worker: Worker; running: Promise<void> } | undefined;

  const product: Product = {
    home,
    deps,
    taskQueue,
    async startWorker(own = deps) {
      const { nativeConnection, namespace } = await temporal();
      const started = await Worker.create({
        connection: nativeConnection,
        namespace: namespace ?? 'default',
        taskQueue,
        workflowBundle: { codePath: BUNDLE },
        activities: createActivities(own),
        stickyQueueScheduleToStartTimeout: '2 seconds',
        shutdownGraceTime: '5 seconds',
      });
      worker = { worker: started, running: started.run() };
    },
    async stopWorker() {
      if (worker?.worker.getState() === 'RUNNING') worker.worker.shutdown();
      await worker?.running;
      worker = undefined;
    },
    createRun: (wish = {}) => createRun(product, wish),
    async start(record) {
      const { client } = await temporal();
      return client.workflow.start<typeof reproduce>(WORKFLOW_TYPE, {
        workflowId: `${workflowIdOf(record.name)}-${taskQueue}`,
        taskQueue,
        args: [firstInput(record)],
      });
    },
    status: (handle) => handle.query(statusQuery),
    async stateOf(name) {
      const { head } = await deps.folders.read(name);
      if (!head) throw new Error(`The run ${name} has no head.`);
      return getJson(deps.store, RunState, head.stateRef);
    },
    async end() {
      await product.stopWorker();
      await rm(home, { recursive: true, force: true });
    },
  };
  return product;
}

/** Real store, journal and run folders in `home`, around a model. */
export async function depsFor(home: string, model: Model): Promise<Deps> {
  const { store, journal, runs } = foldersOf(home);
  return {
    store: createFolderStore(store),
    journal: createFolderJournal(journal),
    folders: createRunFolders(runs),
    model,
    analysis: createInlineAnalysis(await createParser()),
    pyright: null,
    now: () => new Date(),
    pdf: createPdfReader(runNodeModule),
    unsaved: new Map(),
  };
}

const FREE: ModelChoice['price'] = { input: 0, cached: 0, output: 0 };

async function createRun(
  { deps, taskQueue }: Pick<Product, 'deps' | 'taskQueue'>,
  wish: RunWish,
): Promise<RunRecord> {
  const { store, folders } = deps;
  const paper = await store.put(wish.paper ?? aPaperText());
  const task = await putJson(store, {
    schemaVersion: 1,
    paper: {
      name: wish.paperName ?? (typeof wish.paper === 'object' ? 'paper.pdf' : 'paper.md'),
      content: paper,
    },
    supplements: [],
    figures: [],
    userRequests: [],
  });
  const choice: ModelChoice = {
    model: 'scripted',
    baseUrl: wish.baseUrl ?? 'http://127.0.0.1:9/v1',
    keyEnv: 'OPENAI_API_KEY',
    price: wish.price ?? FREE,
  };
  const models = Object.fromEntries(Role.options.map((role) => [role, choice]));
  const seed = wish.seed ?? randomBytes(16).toString('hex');
  const settings = await putJson(store, {
    schemaVersion: 1,
    seed,
    task,
    mode: wish.mode ?? 'fast',
    models,
    ...(wish.seesFigures && { seesFigures: true }),
    ...(wish.verify && { verify: wish.verify }),
    unit: 'usd',
    maxOutputTokens: 8_000,
    limits: { ...DEFAULT_LIMITS, ...wish.limits },
  });
  const now = deps.now().toISOString();
  const base = aRecord();
  const record = aRecord({
    name: wish.name ?? 'toy',
    createdAt: now,
    updatedAt: now,
    seed,
    settings,
    controls: {
      ...base.controls,
      ...wish.controls,
      ...(wish.mode && { mode: wish.mode }),
      ...(wish.verify && { verify: wish.verify }),
    },
    temporal: { address: 'test', namespace: 'default', taskQueue },
    account: { ...base.account, cap: wish.cap === undefined ? 15 : wish.cap },
  });
  await folders.create(record);
  return record;
}
