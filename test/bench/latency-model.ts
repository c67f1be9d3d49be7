import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import { aReply } from '../fakes/scripted-model.ts';
import { benchAnswer, PLANS, type BenchPlan } from './plans.ts';

/**
 * What every model call takes, the unit L of the tables: a second, or BENCH_LATENCY_MS where the machine is loaded, so
 * that its own work weighs less. The worker is told by the environment too.
 */
export const LATENCY_MS = Number(process.env['BENCH_LATENCY_MS'] ?? 1_000);

/** The base URL by which a run tells the model its plan, as model and run live in two processes. */
export function baseUrlOf({ name }: BenchPlan): string {
  return `http://${name}.invalid/v1`;
}

/** Answers every call after exactly one latency, under the plan that the request's base URL names. */
export function latencyModel(): Model {
  return {
    async reply(request, signal) {
      await wait(LATENCY_MS, undefined, { signal });
      const prompt = request.messages.map(({ content }) => content).join('\n');
      // Each reply and file is new to the store, as a real model's would be.
      const mark = randomBytes(4).toString('hex');
      return aReply({ text: benchAnswer(prompt, planOf(request), mark) });
    },
  };
}

function planOf({ endpoint: { baseUrl } }: ModelRequest): BenchPlan {
  const plan = Object.values(PLANS).find((each) => baseUrlOf(each) === baseUrl);
  if (!plan) throw new Error(`The bench has no plan for ${baseUrl}.`);
  return plan;
}
