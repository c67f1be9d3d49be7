import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { CrashHarness } from '../fakes/crash-harness.ts';
import { nextRequest } from '../fakes/crash-random.ts';
import { randomFrom } from '../fakes/random.ts';

/** One run, by the run's own books and by those of the provider. Amounts in USD. */
export interface Spent {
  readonly run: string;
  readonly outcome: string;
  readonly cap: number;
  /** Of the account: it holds `maybePaid`. */
  readonly spent: number;
  readonly maybePaid: number;
  /** What the provider charged for all requests of the run. */
  readonly charged: number;
  readonly requests: number;
  /** Requests that were asked for again, refused ones included. */
  readonly repeats: number;
  readonly broken: readonly string[];
}

/** Plays so many runs, a few at a time, each with a price and a cap by chance, while processes are killed. */
export interface BudgetWish {
  readonly runs: number;
  readonly atOnce: number;
  readonly kills: number;
  /** The longest from the moment when all stands again, and the model is asked, to the next kill. */
  readonly longestMs: number;
  readonly seed: number;
}

interface Budgeted {
  readonly name: string;
  readonly price: readonly [number, number];
  readonly cap: number;
  readonly onBudget: 'wait' | 'stop';
}

const ROUNDING = 1e-6;

export async function playBudgets(harness: CrashHarness, wish: BudgetWish): Promise<Spent[]> {
  const runs = Array.from({ length: wish.runs }, (_, index) => budgeted(wish.seed, index));
  const waiting = [...runs];
  let open = runs.length;
  const slot = async (): Promise<void> => {
    for (let run = waiting.shift(); run; run = waiting.shift()) {
      await playOne(harness, run);
      open -= 1;
    }
  };
  const killing = killWhile(harness, wish, () => open > 0);
  await Promise.all(Array.from({ length: wish.atOnce }, slot));
  await killing;
  return Promise.all(runs.map((run) => booksOf(harness, run)));
}

function budgeted(seed: number, index: number): Budgeted {
  const random = randomFrom(seed * 1_000 + index);
  const input = (1 + random.below(40)) / 10;
  // Below what a run costs as often as above it.
  const worth = 0.3 + random.below(1_000) / 500;
  return {
    name: `budget-${seed}-${index + 1}`,
    price: [input, input * (2 + random.below(5))],
    cap: input * worth,
    onBudget: random.chance(0.5) ? 'wait' : 'stop',
  };
}

async function playOne(harness: CrashHarness, run: Budgeted): Promise<void> {
  const { name, cap, onBudget, price } = run;
  await harness.start(name, {
    ...{ budgetUsd: cap, onBudget, price: price.join(',') },
    ...(name.endsWith('3') ? { continueEvery: 1 } : {}),
  });
  const { folders } = harness.ports;
  for (;;) {
    await pause(60);
    const { outcome, waits } = await folders.read(name);
    if (outcome !== null) return;
    if (waits.length === 0 || waits.some(({ kind }) => kind !== 'budget')) continue;
    // A person gives half as much again, once, and then ends it; whoever does not answer is asked again.
    const engine = await harness.ports.engine();
    const { account } = await folders.read(name);
    const isRaised = (account.cap ?? 0) >= cap * 1.2;
    const step = isRaised
      ? engine.stop(name)
      : engine.setBudget(name, { id: randomUUID(), cap: cap * 1.5 });
    await step.catch(() => undefined);
    await pause(300);
  }
}

async function killWhile(
  harness: CrashHarness,
  { kills, longestMs, seed }: BudgetWish,
  isAtWork: () => boolean,
): Promise<void> {
  const random = randomFrom(seed);
  for (let done = 0; done < kills && isAtWork(); done += 1) {
    await harness.whole();
    await nextRequest(harness.model.log);
    await pause(random.below(longestMs));
    if (isAtWork()) await harness.kill(random.chance(0.75) ? 'worker' : 'server');
  }
}

const Line = z.object({
  model: z.string(),
  sha256: z.string(),
  fate: z.string(),
  input: z.number(),
  output: z.number(),
});

async function booksOf({ ports, model }: CrashHarness, run: Budgeted): Promise<Spent> {
  const { account, outcome, seed } = await ports.folders.read(run.name);
  const totals = await ports.journal.totals(seed, run.name);
  const lines = readFileSync(model.log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => Line.parse(JSON.parse(line)))
    .filter((line) => line.model === run.name);
  const [input, output] = run.price;
  const charged = lines.reduce(
    (sum, line) => sum + (line.input * input + line.output * output) / 1e6,
    0,
  );
  const cap = account.cap ?? Infinity;
  const { spent, maybePaid } = account;
  return {
    ...{ run: run.name, outcome: outcome ?? 'none', cap, spent, maybePaid, charged },
    requests: lines.length,
    repeats: lines.length - new Set(lines.map(({ sha256 }) => sha256)).size,
    broken: [
      ...moreThan('spent', spent, 'the cap', cap),
      ...moreThan('charged', charged, 'the cap', cap),
      ...moreThan('charged', charged, 'spent', spent),
      ...moreThan('by the journal', totals.spent + totals.maybePaid, 'spent', spent),
      ...moreThan('spent', spent, 'by the journal', totals.spent + totals.maybePaid),
      ...(outcome === 'complete' || outcome === 'out-of-budget' || outcome === 'stopped'
        ? []
        : [`the outcome is ${outcome ?? 'none'}`]),
    ],
  };
}

function moreThan(what: string, one: number, than: string, other: number): string[] {
  return one <= other + ROUNDING ? [] : [`${what} is ${one}, more than ${than}: ${other}`];
}

/** The table of the runs, and their sums. */
export function budgetTable(rows: readonly Spent[], kills: number): string {
  const usd = (amount: number): string => amount.toFixed(3);
  const sum = (of: (row: Spent) => number): number => rows.reduce((all, row) => all + of(row), 0);
  const outcomes = new Map<string, Spent[]>();
  for (const row of rows) outcomes.set(row.outcome, [...(outcomes.get(row.outcome) ?? []), row]);
  const lines = [...outcomes].map(([outcome, own]) => {
    const shares = own.map(({ spent, cap }) => spent / cap);
    const of = (pick: (row: Spent) => number): number =>
      own.reduce((all, row) => all + pick(row), 0);
    return `| ${outcome} | ${own.length} | ${of(({ requests }) => requests)} | ${of(({ repeats }) => repeats)} | ${usd(of(({ cap }) => cap))} | ${usd(of(({ spent }) => spent))} | ${usd(of(({ maybePaid }) => maybePaid))} | ${usd(of(({ charged }) => charged))} | ${(100 * Math.max(...shares)).toFixed(1)} % |`;
  });
  return [
    '| outcome | runs | requests | repeats | caps, USD | spent | of it maybe paid | charged by the provider | most of a cap |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...lines,
    '',
    `${rows.length} runs, ${kills} kills, ${sum(({ requests }) => requests)} requests; ${rows.filter(({ broken }) => broken.length > 0).length} runs broke a promise.`,
  ].join('\n');
}
