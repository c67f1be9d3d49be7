import type { ModelRequest } from '../../src/models/model.ts';
import { answerTo, type PlannedFile } from '../fakes/plan-scenario.ts';
import { randomFrom } from '../fakes/random.ts';
import { scriptedModel, type ScriptedAnswer, type ScriptedModel } from '../fakes/scripted-model.ts';
import { PARTS, type Behaviour, type Part } from './behaviours.ts';

/** Who is hostile, and how. */
export interface Hostility {
  readonly parts: readonly Part[];
  readonly behaviour: Behaviour;
}

/** A model that does its duty, except in the parts where it is hostile. The last hostility that fits decides. */
export function hostileModel(
  plan: readonly PlannedFile[],
  hostilities: readonly Hostility[],
  seed: number,
): ScriptedModel {
  const random = randomFrom(seed);
  const asked = new Map<string, number>();
  return scriptedModel((request) => {
    const duty = answerTo(request.messages.map(({ content }) => content).join('\n'), plan);
    const part = partOf(request);
    const hostility = hostilities.findLast(({ parts }) => parts.includes(part));
    if (!hostility) return duty;
    const nth = (asked.get(part) ?? 0) + 1;
    asked.set(part, nth);
    return asTheClientGivesIt(hostility.behaviour.answer({ request, duty, random, nth }), request);
  });
}

function partOf({ label }: ModelRequest): Part {
  for (const part of Object.keys(PARTS) satisfies string[])
    if (isPart(part) && PARTS[part].test(label)) return part;
  throw new Error(`Nobody plays ${label}.`);
}

function isPart(name: string): name is Part {
  return name in PARTS;
}

/** As in `openai-model.ts`: whoever writes on beyond the limit of output is cut. */
const MOST_CHARACTERS_PER_TOKEN = 12;

function asTheClientGivesIt(
  answer: ScriptedAnswer,
  { maxOutputTokens }: ModelRequest,
): ScriptedAnswer {
  if (answer instanceof Error) return answer;
  const reply = typeof answer === 'string' ? { text: answer } : answer;
  const most = maxOutputTokens * MOST_CHARACTERS_PER_TOKEN;
  const text = reply.text ?? '';
  return text.length > most ? { ...reply, text: text.slice(0, most), finish: 'length' } : reply;
}
