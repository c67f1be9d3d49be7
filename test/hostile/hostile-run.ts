import { ApplicationFailure } from '@temporalio/activity';
import { createActivities } from '../../src/activities/create-activities.ts';
import { Blueprint } from '../../src/domain/blueprint.ts';
import type { FailureDetails } from '../../src/domain/failure-details.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { RunRecord } from '../../src/domain/run-record.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import type { Model, ModelRequest } from '../../src/models/model.ts';
import { readReport } from '../../src/runs/read-report.ts';
import { getJson, getText } from '../../src/store/stored-json.ts';
import { reproducePaper, type Steps } from '../../src/workflows/loop.ts';
import { directSteps, inContext } from '../bench/direct-steps.ts';
import { aProduct, type Product, type RunWish } from '../fakes/product.ts';

/** A run on a hostile model, as it ended. */
export interface HostileRun {
  /** `waits` where a person would be asked, `retried` where an activity fails at each try: it would hang. */
  readonly end: Outcome | 'waits' | 'retried';
  /** Why, in the words that a person would read; empty where the outcome says it all. */
  readonly reason: string;
  readonly calls: number;
  readonly seconds: number;
  readonly state: RunState | null;
  readonly blueprint: Blueprint | null;
  readonly texts: ReadonlyMap<string, string>;
  readonly report: string;
  readonly sizes: Sizes;
}

/** The largest of each kind: in bytes what crosses Temporal, in characters the rest. */
export interface Sizes {
  payload: number;
  view: number;
  state: number;
  prompt: number;
  events: number;
}

/** Plays a whole run without Temporal, ends it as the workflow does, and looks at what is left. */
export async function hostileRun(model: Model, wish: RunWish = {}): Promise<HostileRun> {
  const sizes: Sizes = { payload: 0, view: 0, state: 0, prompt: 0, events: 0 };
  let calls = 0;
  const counted: Model = {
    reply(request, signal, onProgress) {
      calls += 1;
      sizes.prompt = Math.max(sizes.prompt, sizeOf(request));
      return model.reply(request, signal, onProgress);
    },
  };
  const product = await aProduct(counted);
  try {
    const record = await product.createRun({ name: 'hostile', ...wish });
    const startedAt = performance.now();
    const end = await playToEnd(product, record, sizes);
    const seconds = (performance.now() - startedAt) / 1_000;
    return { ...end, calls, seconds, ...(await leftOf(product, record.name, sizes)), sizes };
  } finally {
    await product.end();
  }
}

function sizeOf({ messages }: ModelRequest): number {
  return messages.reduce((sum, { content }) => sum + content.length, 0);
}

type End = Pick<HostileRun, 'end' | 'reason'>;

async function playToEnd(product: Product, record: RunRecord, sizes: Sizes): Promise<End> {
  const activities = createActivities(product.deps);
  const steps = watched(directSteps(activities, record), sizes);
  try {
    return { end: await reproducePaper(steps), reason: '' };
  } catch (error) {
    if (!(error instanceof ApplicationFailure) || !error.nonRetryable)
      return { end: 'retried', reason: error instanceof Error ? `${error.stack}` : String(error) };
    const [details] = error.details ?? [];
    if (hasWait(details)) return { end: 'waits', reason: error.message };
    return { end: await reportFailure(product, record, error.message), reason: error.message };
  }
}

function hasWait(details: unknown): details is FailureDetails {
  return typeof details === 'object' && details !== null && 'wait' in details;
}

/** As the workflow ends a run that has failed. */
async function reportFailure(
  { deps }: Product,
  { name, settings, incarnation, account }: RunRecord,
  failure: string,
): Promise<Outcome> {
  const activities = createActivities(deps);
  const { unit, cap, spent, maybePaid } = account;
  const call = { schemaVersion: 1 as const, run: name, incarnation, settings };
  const purse = { unit, cap, spent, maybePaid, reserved: 0 };
  const end = { stateRef: null, reason: 'failed' as const, failure, sequence: 1 };
  const input = { ...call, ...end, purse, calls: 0, reused: 0 };
  return (await inContext(() => activities.writeReport(input))).outcome;
}

/** Measures what would cross Temporal: each step's arguments and results. */
function watched(steps: Steps, sizes: Sizes): Steps {
  const measure = (value: unknown): void => {
    const bytes = Buffer.byteLength(JSON.stringify(value ?? null));
    sizes.payload = Math.max(sizes.payload, bytes);
    if (typeof value === 'object' && value !== null && 'view' in value)
      sizes.view = Math.max(sizes.view, bytes);
  };
  return new Proxy(steps, {
    get(target, name, receiver) {
      const step: unknown = Reflect.get(target, name, receiver);
      if (typeof step !== 'function') return step;
      return async (...words: readonly unknown[]) => {
        measure(words);
        const result: unknown = await Reflect.apply(step, target, words);
        measure(result);
        return result;
      };
    },
  });
}

async function leftOf(product: Product, name: string, sizes: Sizes) {
  const { store, folders, journal } = product.deps;
  const { head } = await folders.read(name);
  const events = await folders.events(name);
  sizes.events = JSON.stringify(events).length;
  const noEngine = () => Promise.reject(new Error('No engine is needed.'));
  const ports = {
    store,
    folders,
    journal,
    engine: noEngine,
    engineIfUp: () => Promise.resolve(undefined),
  };
  const report = (await readReport(ports, name)).text;
  if (!head) return { state: null, blueprint: null, texts: new Map<string, string>(), report };
  const state = await product.stateOf(name);
  sizes.state = JSON.stringify(state).length;
  const texts = Object.entries(state.tree).map(async ([path, ref]): Promise<[string, string]> => [
    path,
    await getText(store, ref),
  ]);
  return {
    state,
    blueprint: await getJson(store, Blueprint, head.blueprint),
    texts: new Map(await Promise.all(texts)),
    report,
  };
}
