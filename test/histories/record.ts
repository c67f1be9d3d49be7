import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { NeedsPerson } from '../../src/domain/errors.ts';
import type { Model } from '../../src/models/model.ts';
import { drive, heldModel, planModel, until, type DrivenRun } from '../e2e/driven-run.ts';
import type { RunWish } from '../fakes/product.ts';

interface Scenario {
  readonly name: string;
  readonly model: () => Model;
  readonly wish?: RunWish;
  readonly steer?: (run: DrivenRun) => Promise<void>;
}

const PRICE = { input: 10, cached: 10, output: 20 };

let isKeyRight = false;

/** Every way a run ends, a wait, and a continue-as-new; the smallest runs that come to it. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'complete', model: () => planModel() },
  {
    name: 'complete-with-gaps',
    model: () =>
      planModel(({ label }) => (label.includes('/write/README.md/') ? 'No.' : undefined)),
  },
  {
    name: 'out-of-budget',
    model: () => planModel(),
    wish: { price: PRICE, cap: 0.01, controls: { callAllowance: 0.2, onBudget: 'stop' } },
  },
  { name: 'stalled', model: () => planModel(), wish: { limits: { maxRounds: 2 } } },
  {
    name: 'stopped',
    model: () => planModel(),
    wish: { controls: { review: true } },
    steer: async (run) => {
      await until('it waits for approval', async () => (await run.record()).phase === 'approval');
      await run.engine.stop(run.name);
    },
  },
  {
    name: 'cancelled',
    model: () =>
      heldModel(planModel(), (label) => label.startsWith('r1/'), new Promise(() => undefined)),
    steer: async (run) => {
      await until('it writes', async () => (await run.record()).phase === 'rounds');
      await run.engine.cancel(run.name);
    },
  },
  { name: 'failed', model: () => planModel(), wish: { paper: '\u0000' } },
  {
    name: 'waited',
    model: () =>
      planModel(({ label }) =>
        isKeyRight || !label.startsWith('analyse/concepts')
          ? undefined
          : new NeedsPerson('key', 'The key was refused.', 'Set OPENAI_API_KEY.'),
      ),
    steer: async (run) => {
      await until('it waits', async () => (await run.record()).waits.length > 0);
      isKeyRight = true;
      await run.resume();
    },
  },
  {
    name: 'continued-as-new',
    model: () => planModel(),
    wish: { controls: { continueEvery: 1 } },
  },
];

/** Runs every scenario on the tests' server and keeps its first run's history in `folder`. */
export async function recordHistories(folder: string): Promise<void> {
  for (const { name, model, wish, steer } of SCENARIOS) {
    await drive(model(), wish ?? {}, async (run) => {
      const { runId } = await (await run.handle()).describe();
      await steer?.(run);
      await run.outcome().catch(() => undefined);
      await writeFile(join(folder, `${name}.json`), await historyOf(await run.handleAt(runId)));
    });
  }
}

async function historyOf(handle: WorkflowHandle): Promise<string> {
  const history: unknown = JSON.parse(historyToJSON(await handle.fetchHistory()));
  return `${JSON.stringify(history, (key, value: unknown) => withoutMachine(key, value))}\n`;
}

/** Replaying needs neither who did it nor where it failed; both name this machine. */
function withoutMachine(key: string, value: unknown): unknown {
  if (key === 'stackTrace') return '';
  // A process and its host, as workers and their queues are named.
  return typeof value === 'string' && /^\d+@/.test(value) ? 'worker' : value;
}
