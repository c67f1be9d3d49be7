// Kills at seeded random moments, over and over, while runs go on:
//   npm run test:chaos -- [--seed N] [--kills N] [--runs N] [--minutes N] [--only KIND]
// Four runs of five are driven by a worker and a server that we restart, as a supervisor does; the fifth by the real
// command line, whose client and supervisor die and which is then resumed. Prints a table; ends with 1 when any run
// broke a promise (test/fakes/crash-check.ts).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import {
  judge,
  referenceOf,
  type Kill,
  type Reference,
  type Verdict,
} from './fakes/crash-check.ts';
import { openCommandHome } from './fakes/crash-command.ts';
import { openHarness, type CrashHarness } from './fakes/crash-harness.ts';
import { killAtRandom, nextRequest, randomFrom } from './fakes/crash-random.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: `${Date.now() % 100_000}` },
    kills: { type: 'string', default: '100' },
    runs: { type: 'string', default: '5' },
    /** `engine` or `command`: runs of this kind alone. */
    only: { type: 'string' },
    /** No kill comes later than this; the runs then end undisturbed. */
    minutes: { type: 'string', default: '12' },
  },
});
const PLAN = { files: 24, depth: 7, latencyMs: 250 };
/** A run stands still so long after each death of its worker. */
const HEARTBEAT_MS = 1_500;
const LONGEST_MS = 1_500;
const COMMAND_EVERY = 5;
const wanted = {
  seed: Number(values.seed),
  kills: Number(values.kills),
  runs: Number(values.runs),
};
const deadline = Date.now() + Number(values.minutes) * 60_000;

interface Played extends Verdict {
  readonly kills: readonly Kill[];
  readonly seconds: number;
}

console.log(
  `Seed ${wanted.seed}: ${wanted.kills} kills over at least ${wanted.runs} runs of ${PLAN.files} files, model calls of ${PLAN.latencyMs / 2} to ${PLAN.latencyMs * 1.5} ms.`,
);
const harness = await openHarness([], PLAN, HEARTBEAT_MS);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void harness.end().finally(() => process.exit(130)));
try {
  await harness.start('undisturbed');
  await harness.outcome('undisturbed');
  const labels = join(harness.crashFolder, 'labels.jsonl');
  const reference = await referenceOf(harness.ports, 'undisturbed', labels);
  report(await playAll(harness, reference));
} finally {
  await harness.end();
}

async function playAll(crashing: CrashHarness, reference: Reference): Promise<Played[]> {
  const played: Played[] = [];
  const killed = () => played.reduce((sum, { kills }) => sum + kills.length, 0);
  while (played.length < wanted.runs || (killed() < wanted.kills && Date.now() < deadline)) {
    const index = played.length;
    const left = Math.max(0, wanted.kills - killed());
    const share = Math.ceil(left / Math.max(1, wanted.runs - index));
    const kind =
      values.only ?? (index % COMMAND_EVERY === COMMAND_EVERY - 1 ? 'command' : 'engine');
    const play = kind === 'command' ? playCommand : playEngine;
    const startedAt = Date.now();
    const result = await play(crashing, reference, {
      index,
      kills: share,
      seed: wanted.seed + index,
    });
    const run = { ...result, seconds: Math.round((Date.now() - startedAt) / 1_000) };
    played.push(run);
    console.log(line(run));
  }
  return played;
}

interface Share {
  readonly index: number;
  readonly kills: number;
  readonly seed: number;
}

async function playEngine(
  { ports, home, model, kills, ...crashing }: CrashHarness,
  reference: Reference,
  { index, kills: count, seed }: Share,
): Promise<Omit<Played, 'seconds'>> {
  const run = `engine-${index + 1}`;
  const before = kills.length;
  await crashing.start(run, index % 2 === 1 ? { continueEvery: 2 } : {});
  await killAtRandom(
    { ...crashing, ports, home, model, kills },
    { run, kills: count, seed, longestMs: LONGEST_MS, deadline },
  );
  await crashing.outcome(run);
  await crashing.whole();
  const own = kills.slice(before);
  return {
    ...(await judge(ports, { home, run, model: run, log: model.log }, reference, own)),
    kills: own,
  };
}

async function playCommand(
  { model }: CrashHarness,
  reference: Reference,
  { index, kills: count, seed }: Share,
): Promise<Omit<Played, 'seconds'>> {
  const run = `command-${index + 1}`;
  const random = randomFrom(seed);
  const command = await openCommandHome(model.baseUrl, HEARTBEAT_MS);
  const outcome = async () => (await command.ports.folders.read(run)).outcome;
  try {
    command.run(run);
    while (!(await command.ports.folders.names()).includes(run)) await pause(20);
    while (command.kills.length < count && Date.now() < deadline) {
      await nextRequest(model.log);
      await pause(random() * LONGEST_MS);
      if ((await outcome()) !== null) break;
      const isAll = random() < 0.3;
      await command.kill('client', 'supervisor', ...(isAll ? (['worker', 'server'] as const) : []));
      command.start('resume', run);
    }
    const exitCode = await command.exitCode();
    const suspect = { home: command.home, run, model: run, log: model.log };
    const verdict = await judge(command.ports, suspect, reference, command.kills);
    const said = readFileSync(command.logOf('client'), 'utf8').trim().split('\n').slice(-3);
    const broken = [
      ...verdict.broken,
      ...(exitCode === 0 ? [] : [`the command ended with ${exitCode}, saying ${said.join(' / ')}`]),
    ];
    return { ...verdict, broken, kills: command.kills };
  } finally {
    await command.end();
  }
}

function report(played: readonly Played[]): void {
  const sum = (of: (run: Played) => number) => played.reduce((total, run) => total + of(run), 0);
  console.log(
    '\n| run | kills | seconds | requests | repeats | open at kills | maybe paid | reused | kept |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const run of played) console.log(line(run));
  const broken = sum(({ broken: faults }) => faults.length);
  console.log(
    `\nSeed ${wanted.seed}: ${sum(({ kills }) => kills.length)} kills, ${played.length} runs, ${sum(({ requests }) => requests)} requests, ${sum(({ repeats }) => repeats)} repeats of ${sum(({ open }) => open)} calls open at the kills, ${sum(({ reused }) => reused)} replies reused. ${broken === 0 ? 'Every promise was kept.' : `${broken} promises were broken.`}`,
  );
  if (broken > 0) process.exitCode = 1;
}

function line({
  run,
  kills,
  seconds,
  requests,
  repeats,
  open,
  maybePaid,
  reused,
  broken,
}: Played): string {
  const kinds = new Map<string, number>();
  for (const { what } of kills) kinds.set(what, (kinds.get(what) ?? 0) + 1);
  const told = [...kinds].map(([what, count]) => `${count} ${what}`).join(', ');
  const kept = broken.length === 0 ? 'yes' : broken.join('; ');
  return `| ${run} | ${told} | ${seconds} | ${requests} | ${repeats} | ${open} | ${maybePaid} | ${reused} | ${kept} |`;
}
