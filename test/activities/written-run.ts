import { createActivities } from '../../src/activities/create-activities.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getText } from '../../src/store/stored-json.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { directSteps } from '../bench/direct-steps.ts';
import { answerTo, type PlannedFile } from '../fakes/plan-scenario.ts';
import { aProduct, type RunWish } from '../fakes/product.ts';
import { scriptedModel, type ScriptedAnswer } from '../fakes/scripted-model.ts';

/** A run that has ended, with all that it asked for and wrote. */
export interface WrittenRun {
  readonly outcome: Outcome;
  readonly state: RunState;
  readonly requests: readonly ModelRequest[];
  readonly texts: ReadonlyMap<string, string>;
  /** What the run says that a person should know. */
  readonly notices: readonly string[];
}

/** Plays a whole run without Temporal; `answer` says what the executor does, and undefined stands for its duty. */
export async function writtenRun(
  plan: readonly PlannedFile[],
  answer: (request: ModelRequest) => ScriptedAnswer | undefined,
  wish: RunWish = {},
): Promise<WrittenRun> {
  const model = scriptedModel((request) => answer(request) ?? dutiful(request, plan));
  const product = await aProduct(model);
  try {
    const record = await product.createRun({ name: 'written', ...wish });
    const outcome = await reproducePaper(directSteps(createActivities(product.deps), record));
    const state = await product.stateOf(record.name);
    const texts = Object.entries(state.tree).map(async ([path, ref]): Promise<[string, string]> => [
      path,
      await getText(product.deps.store, ref),
    ]);
    const events = await product.deps.folders.events(record.name);
    return {
      ...{ outcome, state, requests: model.requests, texts: new Map(await Promise.all(texts)) },
      notices: events.filter(({ kind }) => kind === 'notice').map(({ text }) => text),
    };
  } finally {
    await product.end();
  }
}

/** What a dutiful model answers. */
export function dutiful({ messages }: ModelRequest, plan: readonly PlannedFile[]): string {
  return answerTo(messages.map(({ content }) => content).join('\n'), plan);
}
