import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { WorkflowHandle } from '@temporalio/client';
import { NeedsPerson } from '../../src/domain/errors.ts';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import {
  drive,
  heldModel,
  planModel,
  promptOf,
  until,
  type DrivenRun,
} from '../e2e/driven-run.ts';
import { deepplanAnswer } from '../fakes/deepplan-answers.ts';
import type { RunWish } from '../fakes/product.ts';
import { scriptedModel, type ScriptedAnswer } from '../fakes/scripted-model.ts';

interface Scenario {
  readonly name: string;
  readonly model: () => Model;
  readonly wish?: RunWish;
  readonly steer?: (run: DrivenRun) => Promise<void>;
}

const PRICE = { input: 10, cached: 10, output: 20 };

let isKeyRight = false;
let isPlannerRight = false;

/** Every way a run ends, a wait, and a continue-as-new; the smallest runs that come to it. And the same of deepplan. */
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
  {
    // With tools, an amendment, a judge, a repair, and a wait before the second subplan.
    name: 'deepplan',
    model: () =>
      scriptedModel((request) =>
        isPlannerRight || !request.label.startsWith('r2/plan/')
          ? deepplanReply(request)
          : new NeedsPerson('key', 'The key was refused.', 'Set OPENAI_API_KEY.'),
      ),
    wish: { mode: 'deepplan' },
    steer: async (run) => {
      await until('it waits', async () => (await run.record()).waits.length > 0);
      isPlannerRight = true;
      await run.resume();
    },
  },
  {
    name: 'deepplan-continued-as-new',
    model: () => scriptedModel(deepplanReply),
    wish: { mode: 'deepplan', controls: { continueEvery: 1 } },
  },
];

function deepplanReply(request: ModelRequest): ScriptedAnswer {
  const { toolCalls = [], text = '' } = deepplanAnswer(promptOf(request), [...request.messages]);
  return { text, toolCalls: toolCalls.map((call, index) => ({ id: `call_${index}`, ...call })) };
}

/** Runs scenarios on the tests' server and keeps each first run's history in `folder`: all, or those that it lacks. */
export async function recordHistories(folder: string, which: 'all' | 'missing'): Promise<void> {
  for (const { name, model, wish, steer } of SCENARIOS) {
    if (which === 'missing' && existsSync(join(folder, `${name}.json`))) continue;
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
