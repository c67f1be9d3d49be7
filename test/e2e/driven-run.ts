import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { WorkflowHandle } from '@temporalio/client';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import type { RunRecord } from '../../src/domain/run-record.ts';
import { firstInput } from '../../src/runs/first-input.ts';
import { resumeRun } from '../../src/runs/resume-run.ts';
import type { Engine, RunPorts } from '../../src/runs/ports.ts';
import { runGit } from '../../src/processes/git.ts';
import { createTemporalEngine } from '../../src/runs/temporal-engine.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { statusQuery, workflowIdOf, type RunStatus } from '../../src/workflows/messages.ts';
import type { reproduce } from '../../src/workflows/reproduce.ts';
import { aPlan, answerTo, type PlannedFile } from '../fakes/plan-scenario.ts';
import { aProduct, type Product, type RunWish } from '../fakes/product.ts';
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from '../fakes/scripted-model.ts';
import { temporal } from '../fakes/temporal.ts';

/** Eight files, three deep: the smallest plan with rounds, siblings and needs. */
export const SMALL_PLAN = aPlan({ files: 8, depth: 3 });

/** A run on the tests' server, steered as the command line does. */
export interface DrivenRun {
  readonly product: Product;
  readonly name: string;
  readonly engine: Engine;
  readonly ports: RunPorts;
  handle(): Promise<WorkflowHandle<typeof reproduce>>;
  /** One life of the workflow, by Temporal's id of it. */
  handleAt(runId: string): Promise<WorkflowHandle<typeof reproduce>>;
  status(): Promise<RunStatus>;
  record(): Promise<RunRecord>;
  outcome(): Promise<Outcome>;
  /** As `deeprepro resume NAME` does it. */
  resume(): Promise<string>;
}

let made = 0;

/** Starts a run around a model, lets `test` drive it, and ends all that it started. */
export async function drive(
  model: Model,
  wish: RunWish,
  test: (run: DrivenRun) => Promise<void>,
  prepare: (product: Product) => Promise<void> = (product) => product.startWorker(),
): Promise<void> {
  const product = await aProduct(model);
  try {
    await prepare(product);
    made += 1;
    const record = await product.createRun({ name: `driven-${process.pid}-${made}`, ...wish });
    const run = await drivenRun(product, record);
    await run.engine.start(firstInput(record));
    try {
      await test(run);
    } finally {
      await (await run.handle()).terminate().catch(() => undefined);
    }
  } finally {
    await product.end();
  }
}

async function drivenRun(
  product: Product,
  { name, temporal: place }: RunRecord,
): Promise<DrivenRun> {
  const { client } = await temporal();
  const { store, journal, folders } = product.deps;
  const engine = createTemporalEngine(client, {
    place,
    uiAddress: null,
    keep: () => Promise.resolve(),
    isLost: () => false,
  });
  const ports: RunPorts = {
    store,
    journal,
    folders,
    engine: () => Promise.resolve(engine),
    git: runGit,
    checkPaper: () => Promise.resolve({ characters: 0 }),
    engineIfUp: () => Promise.resolve(engine),
  };
  const handle = () =>
    Promise.resolve(client.workflow.getHandle<typeof reproduce>(workflowIdOf(name)));
  return {
    product,
    name,
    engine,
    ports,
    handle,
    handleAt: (runId) =>
      Promise.resolve(client.workflow.getHandle<typeof reproduce>(workflowIdOf(name), runId)),
    status: async () => (await handle()).query(statusQuery),
    record: () => folders.read(name),
    outcome: async () => (await (await handle()).result()).outcome,
    resume: async () => (await resumeRun(ports, name, { model: undefined, cap: undefined })).how,
  };
}

/** A model that answers for a plan, and otherwise where `otherwise` says something. */
export function planModel(
  otherwise: (request: ModelRequest) => ScriptedAnswer | undefined = () => undefined,
  plan: readonly PlannedFile[] = SMALL_PLAN,
): ScriptedModel {
  return scriptedModel((request) => otherwise(request) ?? answerTo(promptOf(request), plan));
}

/** All words of a request. */
export function promptOf({ messages }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n');
}

/** A model whose calls with these labels are held until the gate opens, or the run is cancelled. */
export function heldModel(
  inner: Model,
  isHeld: (label: string) => boolean,
  gate: Promise<void>,
): Model {
  return {
    async reply(request, signal, onProgress) {
      if (isHeld(request.label)) {
        await Promise.race([gate, once(signal, 'abort')]);
        signal.throwIfAborted();
      }
      return inner.reply(request, signal, onProgress);
    },
  };
}

const PATIENCE_MS = 20_000;
const POLL_MS = 25;

/** Waits until `check` gives something true, and gives that. */
export async function until<Result>(
  what: string,
  check: () => Promise<Result | false | undefined>,
): Promise<Result> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const result = await check();
    if (result !== false && result !== undefined) return result;
    if (Date.now() > deadline)
      throw new Error(`In ${PATIENCE_MS / 1000} s it did not come to pass that ${what}.`);
    await pause(POLL_MS);
  }
}
