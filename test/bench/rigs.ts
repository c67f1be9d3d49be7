import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, Connection } from '@temporalio/client';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { RunSettings } from '../../src/domain/run-settings.ts';
import { findTemporal } from '../../src/local/temporal-binary.ts';
import { openServer } from '../../src/local/temporal-server.ts';
import { firstInput } from '../../src/runs/first-input.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { WORKFLOW_TYPE, workflowIdOf } from '../../src/workflows/messages.ts';
import type { reproduce } from '../../src/workflows/reproduce.ts';
import { aProduct } from '../fakes/product.ts';
import { directSteps } from './direct-steps.ts';
import { readEngineTimes, type EngineTimes } from './engine-times.ts';
import { latencyModel } from './latency-model.ts';
import { createBenchRun, readMeasures, type MeasuredRun } from './measured-run.ts';
import type { BenchPlan } from './plans.ts';

/** Something that can run a plan, and be timed. */
export interface Rig<Run extends MeasuredRun> {
  run(plan: BenchPlan, parallel: number, mode?: RunSettings['mode']): Promise<Run>;
  end(): Promise<void>;
}

/** A run on Temporal, with what its history tells. */
export interface TemporalRun extends MeasuredRun {
  readonly engine: EngineTimes;
  readonly historyEvents: number;
  readonly historyBytes: number;
}

/** `loop.ts` in this process: the same activities, store and model, and no Temporal. */
export async function openDirectRig(): Promise<Rig<MeasuredRun>> {
  const product = await aProduct(latencyModel());
  const activities = createActivities(product.deps);
  let count = 0;
  return {
    async run(plan, parallel, mode = 'fast') {
      const record = await createBenchRun(product, plan, `direct-${++count}`, { parallel, mode });
      const startedAt = performance.now();
      await reproducePaper(directSteps(activities, record));
      return readMeasures(product, record, performance.now() - startedAt);
    },
    end: () => product.end(),
  };
}

/** The product's own server on a SQLite file, its worker as a process of its own, and a client here. */
export async function openTemporalRig(): Promise<Rig<TemporalRun>> {
  const product = await aProduct(latencyModel());
  const home = await realpath(product.home);
  await mkdir(join(home, 'logs'));
  const server = await openServer(
    home,
    await findTemporal({ environment: process.env, report: console.error }),
  );
  const worker = await startWorker(home, server.address, product.taskQueue).catch(
    async (error: unknown) => {
      // Nobody else knows of the server: it would outlive the bench.
      await server.stop();
      await product.end();
      throw error;
    },
  );
  const connection = await Connection.connect({ address: server.address });
  const client = new Client({ connection });
  let count = 0;
  return {
    async run(plan, parallel, mode = 'fast') {
      const record = await createBenchRun(product, plan, `temporal-${++count}`, { parallel, mode });
      const startedAt = performance.now();
      const handle = await client.workflow.start<typeof reproduce>(WORKFLOW_TYPE, {
        workflowId: workflowIdOf(record.name),
        taskQueue: product.taskQueue,
        args: [firstInput(record)],
      });
      await handle.result();
      const measures = await readMeasures(product, record, performance.now() - startedAt);
      const { historyLength, historySize } = await handle.describe();
      const engine = readEngineTimes(await handle.fetchHistory());
      return { ...measures, engine, historyEvents: historyLength, historyBytes: historySize ?? 0 };
    },
    async end() {
      await connection.close();
      worker.disconnect();
      await once(worker, 'exit');
      await server.stop();
      await product.end();
    },
  };
}

async function startWorker(
  home: string,
  address: string,
  taskQueue: string,
): Promise<ChildProcess> {
  const worker = fork(fileURLToPath(new URL('worker-main.ts', import.meta.url)), {
    execArgv: ['--import=tsx'],
    env: {
      ...process.env,
      DEEPREPRO_HOME: home,
      TEMPORAL_ADDRESS: address,
      DEEPREPRO_TASK_QUEUE: taskQueue,
    },
  });
  const [event] = await Promise.race([
    once(worker, 'message'),
    once(worker, 'exit').then(() => ['exit']),
  ]);
  if (event !== 'ready') throw new Error('The worker of the bench does not start.');
  return worker;
}
