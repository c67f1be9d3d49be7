import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { aPlan } from '../fakes/plan-scenario.ts';
import { randomFrom } from '../fakes/random.ts';
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

const ALL_PARTS = Object.keys(PARTS).filter(isPart);
const WAYS = [...EVERYWHERE, ...FOR_ONE_PART];

/** Every part with every way that fits it. Ways that do not depend on chance are played with the first seed alone. */
export function everyCase(seeds: readonly number[]): Case[] {
  return seeds.flatMap((seed, index) =>
    WAYS.filter(({ isRandom }) => isRandom || index === 0).flatMap((behaviour) =>
      (behaviour.parts ?? ALL_PARTS).map((part) => aCase([part], behaviour, seed)),
    ),
  );
}

/** So many runs with two hostile parts each. */
export function pairs(count: number): Case[] {
  return Array.from({ length: count }, (_, seed) => {
    const random = randomFrom(seed);
    const hostilities: Hostility[] = [];
    for (const behaviour of random.shuffled(WAYS)) {
      const free = (behaviour.parts ?? ALL_PARTS).filter(
        (part) => !hostilities.some(({ parts }) => parts.includes(part)),
      );
      const parts = random.shuffled(free).slice(0, 1);
      if (parts.length > 0) hostilities.push({ parts, behaviour });
      if (hostilities.length === 2) break;
    }
    return { title: hostilities.map(titleOf).join(' and '), hostilities, seed };
  });
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
  const hostilities = [{ parts, behaviour }];
  return { title: hostilities.map(titleOf).join(), hostilities, seed };
}

function titleOf({ parts, behaviour }: Hostility): string {
  return `${behaviour.name} (${parts.join(', ')})`;
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

/** What each way led to, by the part that was hostile: ends with how often. */
export function resultsTable(rows: readonly Row[]): string {
  const singles = rows.filter(({ parts }) => parts.length === 1);
  const names = [...new Set(singles.map(({ behaviour }) => behaviour))];
  /** Ways that came to the same ends share a row. */
  const alike = new Map<string, string[]>();
  for (const name of names) {
    const own = singles.filter(({ behaviour }) => behaviour === name);
    const cells = ALL_PARTS.map((part) => endsOf(own.filter(({ parts }) => parts[0] === part)));
    const key = cells.join(' | ');
    alike.set(key, [...(alike.get(key) ?? []), name]);
  }
  const lines = [...alike].map(([cells, ways]) => `| ${ways.join('; ')} | ${cells} |`);
  const pairs = rows.filter(({ parts }) => parts.length > 1);
  const seconds = Math.max(...rows.map((row) => row.seconds));
  return [
    `| behaviour | ${ALL_PARTS.join(' | ')} |`,
    `| --- |${' --- |'.repeat(ALL_PARTS.length)}`,
    ...lines,
    '',
    `${rows.length} runs, ${pairs.length} of them with two hostile parts (${endsOf(pairs)}); at most ${Math.max(...rows.map(({ calls }) => calls))} calls and ${seconds.toFixed(1)} s each; the worker's memory at its highest: ${Math.round(process.resourceUsage().maxRSS / 1024)} MiB.`,
  ].join('\n');
}

function endsOf(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { end } of rows) counts.set(end, (counts.get(end) ?? 0) + 1);
  return [...counts]
    .map(([end, count]) => (counts.size === 1 ? end : `${count} ${end}`))
    .join(', ');
}
