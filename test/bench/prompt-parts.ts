import assert from 'node:assert/strict';
import { createActivities } from '../../src/activities/create-activities.ts';
import type { RunSettings } from '../../src/domain/run-settings.ts';
import { Verification } from '../../src/domain/verification.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getJson } from '../../src/store/stored-json.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { directSteps, inContext } from './direct-steps.ts';
import { aLongPaper, answerAtLength } from './prompt-scenario.ts';

/** All that the long run asks of models in a mode, in the order of asking. */
export async function recordLongRun(
  mode: RunSettings['mode'] = 'fast',
): Promise<readonly ModelRequest[]> {
  return (await playLongRun(mode)).requests;
}

/** Also with what verifying all of it at the gate asks besides. */
export async function recordVerifiedRun(): Promise<{
  readonly before: readonly ModelRequest[];
  readonly verifying: readonly ModelRequest[];
  readonly undecided: readonly string[];
}> {
  const { requests, verify } = await playLongRun('fast', true);
  const before = requests.length - (verify?.calls ?? 0);
  return {
    before: requests.slice(0, before),
    verifying: requests.slice(before),
    undecided: verify?.undecided ?? [],
  };
}

async function playLongRun(mode: RunSettings['mode'], verifies = false) {
  const model = scriptedModel(({ messages }) =>
    answerAtLength(messages.map(({ content }) => content).join('\n')),
  );
  const product = await aProduct(model);
  const activities = createActivities(product.deps);
  try {
    const controls = { heartbeatMs: 30_000, parallel: 16 };
    const record = await product.createRun({ name: 'long', paper: aLongPaper(), controls, mode });
    const outcome = await reproducePaper(directSteps(activities, record));
    if (outcome !== 'complete') throw new Error(`The long run ended ${outcome}.`);
    if (!verifies) return { requests: model.requests, verify: null };
    const calls = model.requests.length;
    const { head } = await product.deps.folders.read(record.name);
    const { stateRef } = head ?? assert.fail();
    const { blueprint } = await product.stateOf(record.name);
    const input = {
      ...{ schemaVersion: 1 as const, run: record.name, incarnation: 1, settings: record.settings },
      ...{ allowance: 0, stateRef, blueprint, round: 1, results: [], subplan: null },
      scope: 'gate' as const,
    };
    const { verification } = await inContext(() => activities.verifyRequirements(input));
    const { undecided } = await getJson(product.deps.store, Verification, verification);
    return {
      requests: model.requests,
      verify: { calls: model.requests.length - calls, undecided },
    };
  } finally {
    await product.end();
  }
}

/** What a call is for: `analyse`, `requirements`, `plan/attack`, `write`, `remember`. */
export function stageOf({ label }: ModelRequest): string {
  const words = label.split('/');
  if (words[0] === 'plan') return `plan/${words[1] ?? ''}`;
  return /^r\d+$/.test(words[0] ?? '') ? (words[1] ?? '') : (words[0] ?? '');
}

/** Characters of one request by part: stance, paper, and each heading of ours. */
export function partsOf({ messages }: ModelRequest): Map<string, number> {
  const parts = new Map<string, number>();
  const add = (part: string, characters: number) =>
    parts.set(part, (parts.get(part) ?? 0) + characters);
  for (const { role, content } of messages) {
    if (role === 'system') add('stance', content.length);
    else if (content.includes('<<<<< start of') && !content.includes('# The file\n'))
      add('paper', content.length);
    else addHeadings(content, add);
  }
  return parts;
}

const HEADING = /^# |^## (?:Concepts and|Algorithms$|Figures\b|The ledger|Environment|Files$)/;

/** A `#` line inside a fence is a comment of some code, not a heading of ours. */
function addHeadings(content: string, add: (part: string, characters: number) => void): void {
  let part = '(opening)';
  let fence = '';
  for (const line of content.split('\n')) {
    const marks = /^`{3,}/.exec(line)?.[0] ?? '';
    if (fence === '' && marks !== '') fence = marks;
    else if (fence !== '' && line === fence) fence = '';
    else if (fence === '' && HEADING.test(line)) {
      part = line
        .replace(/^#+ /, '')
        .replace(/[:(].*/, '')
        .trim();
    }
    add(part, line.length + 1);
  }
}
