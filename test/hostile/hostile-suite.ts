import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { aPlan } from '../fakes/plan-scenario.ts';
import { EVERYWHERE, PARTS, type Behaviour, type Part } from './behaviours.ts';
import { hostileModel, type Hostility } from './hostile-model.ts';
import { hostileRun } from './hostile-run.ts';
import { brokenPromises } from './judge-run.ts';
import { FOR_ONE_PART } from './part-behaviours.ts';

/** Who is hostile, and how, in one run. */
export interface Case {
  readonly title: string;
  readonly hostilities: readonly Hostility[];
  readonly seed: number;
}

/** Two modules and what every repository has: the smallest plan with an import. */
const PLAN = aPlan({ files: 6, depth: 2 });

/** What a case came to, for the table. */
export interface Row {
  readonly parts: readonly Part[];
  readonly behaviour: string;
  readonly end: string;
  readonly calls: number;
  readonly seconds: number;
}

/** Every part with every way that fits it, for each seed. */
export function everyCase(seeds: readonly number[]): Case[] {
  const parts = Object.keys(PARTS).filter(isPart);
  const ways = [...EVERYWHERE, ...FOR_ONE_PART];
  return seeds.flatMap((seed) =>
    ways.flatMap((behaviour) =>
      (behaviour.parts ?? parts).map((part) => aCase([part], behaviour, seed)),
    ),
  );
}

/** Every way once: in turn another part, and all parts together. */
export function shortCases(): Case[] {
  const turns: readonly (readonly Part[])[] = [
    ['executor'],
    ['files'],
    ['requirements'],
    ['analysts', 'setup', 'attack', 'amend', 'memory'],
  ];
  return [
    ...EVERYWHERE.map((way, index) => aCase(turns[index % turns.length] ?? [], way, index)),
    ...FOR_ONE_PART.map((way, index) => aCase(way.parts ?? [], way, index)),
  ];
}

function aCase(parts: readonly Part[], behaviour: Behaviour, seed: number): Case {
  const title = `${behaviour.name}: ${parts.join(', ')}`;
  return { title, hostilities: [{ parts, behaviour }], seed };
}

function isPart(name: string): name is Part {
  return name in PARTS;
}

/** Plays a case; throws where a promise was broken. */
export async function play({ title, hostilities, seed }: Case): Promise<Row> {
  const model = hostileModel(PLAN, hostilities, seed);
  const run = await hostileRun(model);
  assert.deepEqual(brokenPromises(run, hostilities, await createParser()), [], title);
  return {
    parts: hostilities.flatMap(({ parts }) => parts),
    behaviour: hostilities.map(({ behaviour }) => behaviour.name).join(' + '),
    ...{ end: run.end, calls: run.calls, seconds: run.seconds },
  };
}
