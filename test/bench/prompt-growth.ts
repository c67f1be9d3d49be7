import { createActivities } from '../../src/activities/create-activities.ts';
import type { RunSettings } from '../../src/domain/run-settings.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { directSteps } from './direct-steps.ts';
import { createBenchRun } from './measured-run.ts';
import { benchAnswer, type BenchPlan } from './plans.ts';

/** All that a run of the plan asks of models, in the order of asking. */
export async function recordRequests(
  plan: BenchPlan,
  mode: RunSettings['mode'] = 'fast',
): Promise<readonly ModelRequest[]> {
  const model = scriptedModel((request) => benchAnswer(textOf(request), plan, 'of ours'));
  const product = await aProduct(model);
  try {
    const record = await createBenchRun(product, plan, 'recorded', { parallel: 16, mode });
    const outcome = await reproducePaper(directSteps(createActivities(product.deps), record));
    if (outcome !== 'complete') throw new Error(`The run of ${plan.name} ended ${outcome}.`);
    return model.requests;
  } finally {
    await product.end();
  }
}

/** Characters of all prompts. */
export function totalCharacters(requests: readonly ModelRequest[]): number {
  return requests.reduce((sum, request) => sum + textOf(request).length, 0);
}

/** By path, how many characters longer the executor's first prompt became per further file, for files of both runs. */
export function growthPerFile(
  few: readonly ModelRequest[],
  more: readonly ModelRequest[],
  furtherFiles: number,
): Map<string, number> {
  const before = executorCharacters(few);
  const after = executorCharacters(more);
  const shared = [...before].flatMap(([path, characters]): [string, number][] => {
    const later = after.get(path);
    return later === undefined ? [] : [[path, (later - characters) / furtherFiles]];
  });
  return new Map(shared);
}

function executorCharacters(requests: readonly ModelRequest[]): Map<string, number> {
  const found = requests.flatMap((request): [string, number][] => {
    const path = /^r\d+\/write\/(.+)\/t1$/.exec(request.label)?.[1];
    return path === undefined ? [] : [[path, textOf(request).length]];
  });
  return new Map(found);
}

/** The share of all prompt characters that a provider's cache would hold: they begin an earlier request likewise. */
export interface RepeatedShare {
  /** Whole messages only. */
  readonly byMessage: number;
  /** Up to the first character that differs. */
  readonly byCharacter: number;
}

export function repeatedShare(requests: readonly ModelRequest[]): RepeatedShare {
  const total = totalCharacters(requests);
  const shareOf = (shared: Shared): number =>
    repeatedCharacters(requests, shared).reduce((sum, each) => sum + each, 0) / total;
  return { byMessage: shareOf(sharedMessages), byCharacter: shareOf(sharedCharacters) };
}

type Shared = (request: ModelRequest, other: ModelRequest) => number;

/** For each request, how many of its characters begin an earlier one likewise. */
export function repeatedCharacters(
  requests: readonly ModelRequest[],
  shared: Shared = sharedCharacters,
): number[] {
  return requests.map((request, index) =>
    Math.max(0, ...requests.slice(0, index).map((other) => shared(request, other))),
  );
}

/** Characters of the messages that both begin with. */
function sharedMessages({ messages }: ModelRequest, other: ModelRequest): number {
  let characters = 0;
  for (const [index, { role, content }] of messages.entries()) {
    const peer = other.messages[index];
    if (peer?.role !== role || peer.content !== content) break;
    characters += content.length;
  }
  return characters;
}

function sharedCharacters(request: ModelRequest, other: ModelRequest): number {
  let characters = 0;
  for (const [index, { role, content }] of request.messages.entries()) {
    const peer = other.messages[index];
    if (peer?.role !== role) break;
    if (peer.content !== content) return characters + commonPrefix(content, peer.content);
    characters += content.length;
  }
  return characters;
}

function commonPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && length < other.length && one[length] === other[length]) length += 1;
  return length;
}

function textOf({ messages }: ModelRequest): string {
  return messages.map(({ content }) => content).join('\n');
}
