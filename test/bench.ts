// npm run bench: what the engine costs, held against the same loop without it, on a model of fixed latency.
//   node --import=tsx test/bench.ts [--quick] [--prompts | --deepplan]
// Prints Markdown tables. `--quick` measures each pair once instead of five times; `--prompts` measures fast mode's
// prompts only; `--deepplan` measures only runs whose rounds a model plans, and their prompts. BENCH_LATENCY_MS is L.
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { deepplanPrompts, deepplanWalls } from './bench/deepplan.ts';
import { timeDiagnosis } from './bench/diagnosis.ts';
import { LATENCY_MS } from './bench/latency-model.ts';
import type { MeasuredRun } from './bench/measured-run.ts';
import { runProduct } from './bench/memory.ts';
import { readLongPdf } from './bench/pdf.ts';
import { PLANS, withLeaves, type BenchPlan } from './bench/plans.ts';
import {
  growthPerFile,
  recordRequests,
  repeatedShare,
  totalCharacters,
} from './bench/prompt-growth.ts';
import { longRunTables } from './bench/prompt-tables.ts';
import { openDirectRig, openTemporalRig, type TemporalRun } from './bench/rigs.ts';
import { timeTypes } from './bench/typed-tree.ts';
import { median, quantile, table } from './bench/tables.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    prompts: { type: 'boolean', default: false },
    deepplan: { type: 'boolean', default: false },
  },
});
const REPEATS = values.quick ? 1 : 5;

/** Files of a plan, runs on both sides, and the bound that DESIGN sets for its last file, in latencies. */
interface Pair {
  readonly plan: BenchPlan;
  readonly parallel: number;
  readonly bound: number | undefined;
  readonly direct: MeasuredRun[];
  readonly temporal: TemporalRun[];
}

const pairs: readonly Pair[] = [
  { plan: PLANS.chain12, parallel: 16, bound: undefined, direct: [], temporal: [] },
  { plan: PLANS.plan12, parallel: 16, bound: 9.5, direct: [], temporal: [] },
  { plan: PLANS.plan24, parallel: 16, bound: 12, direct: [], temporal: [] },
  { plan: PLANS.plan12, parallel: 4, bound: undefined, direct: [], temporal: [] },
  { plan: PLANS.plan24, parallel: 4, bound: undefined, direct: [], temporal: [] },
];

/** Walls of the whole run in latencies, as measured on one fixed-latency server. */
const PEERS = [
  ['Paper2Code', '32.6', '56.2'],
  ['DeepCode 2026-08', '41.3', '73.3'],
  ['DeepCode v1.2.0', '46.7', '69.9'],
  ['DeepRepro deepplan (replayed)', '26.2', '46.5'],
  ['DeepRepro fast (replayed)', '23.2', '39.2'],
] as const;

if (values.prompts) {
  console.log(await longRunTables());
  process.exit(0);
}
const chosen = (['quick', 'deepplan'] as const).filter((option) => values[option]);
if (values.deepplan) {
  const tables = [await deepplanWalls(REPEATS), await deepplanPrompts()];
  console.log([commandLine(), ...tables].join('\n\n'));
  process.exit(0);
}
await runPairs();
console.log(commandLine());
for (const part of [
  ...[wallTable, lastFileTable, engineTable, memoryTable, promptTable],
  ...[pdfTable, diagnosisTable, typesTable],
  ...[() => deepplanWalls(REPEATS), deepplanPrompts],
]) {
  console.log(`\n${await part()}`);
}

function commandLine(): string {
  const options = chosen.length > 0 ? ` -- --${chosen.join(' --')}` : '';
  const load = loadavg().map((value) => value.toFixed(1));
  return `Command: npm run bench${options} (L = ${LATENCY_MS / 1_000} s; ${availableParallelism()} cores; load at the end ${load.join(', ')})`;
}

/** One after the other, in turns, so that a noisy minute strikes both sides alike. */
async function runPairs(): Promise<void> {
  const direct = await openDirectRig();
  const temporal = await openTemporalRig();
  try {
    // The first run of a process compiles its code.
    await Promise.all([direct.run(PLANS.plan12, 16), temporal.run(PLANS.plan12, 16)]);
    for (const pair of pairs) {
      for (let repeat = 0; repeat < REPEATS; repeat += 1) {
        pair.direct.push(await direct.run(pair.plan, pair.parallel));
        pair.temporal.push(await temporal.run(pair.plan, pair.parallel));
        console.error(`${pair.plan.name}, parallel ${pair.parallel}: ${repeat + 1} of ${REPEATS}`);
      }
    }
  } finally {
    await direct.end();
    await temporal.end();
  }
}

function wallTable(): string {
  const rows = pairs.map(({ plan, parallel, direct, temporal }) => {
    const ratios = temporal.map(({ wallMs }, index) => wallMs / (direct[index]?.wallMs ?? NaN));
    const walls = [direct, temporal].map((runs) => median(runs.map(({ wallMs }) => wallMs)));
    const [without = NaN, on = NaN] = walls;
    return [
      ...[plan.name, `${parallel}`, `${temporal[0]?.calls ?? 0}`],
      ...[seconds(without), seconds(on), (on / without).toFixed(3)],
      `${Math.min(...ratios).toFixed(3)}–${Math.max(...ratios).toFixed(3)}`,
    ];
  });
  const head = [
    ...['plan', 'parallel', 'calls', 'loop in process, s', 'on Temporal, s'],
    ...['ratio of medians (bound 1.10)', 'least–most'],
  ];
  return table(head, rows);
}

function lastFileTable(): string {
  const ours = pairs.map(({ plan, parallel, bound, direct, temporal }) => [
    `${plan.name}, parallel ${parallel}`,
    median(direct.map(({ filesWrittenAfter }) => filesWrittenAfter)).toFixed(2),
    median(temporal.map(({ filesWrittenAfter }) => filesWrittenAfter)).toFixed(2),
    bound === undefined ? '' : `${bound}`,
  ]);
  const head = ['first call → last file, in L', 'loop in process', 'on Temporal', 'bound'];
  const peers = table(['peers, whole run, in L', '12 files', '24 files'], PEERS);
  return `${table(head, ours)}\n\n${peers}`;
}

function engineTable(): string {
  const rows = pairs.map(({ plan, parallel, temporal }) => {
    const times = (part: 'toStart' | 'toGoOn', share: number) =>
      quantile(
        temporal.flatMap(({ engine }) => engine[part]),
        share,
      ).toFixed(1);
    const perFile = (total: number) => Math.round(total / plan.files.length).toString();
    return [
      `${plan.name}, parallel ${parallel}`,
      `${times('toStart', 0.5)} / ${times('toStart', 0.95)}`,
      `${times('toGoOn', 0.5)} / ${times('toGoOn', 0.95)}`,
      perFile(median(temporal.map(({ historyEvents }) => historyEvents))),
      perFile(median(temporal.map(({ historyBytes }) => historyBytes))),
    ];
  });
  const head = [
    'per activity, ms, median / p95',
    'scheduled → started',
    'completed → next scheduled',
    'history events per file',
    'history bytes per file',
  ];
  return table(head, rows);
}

async function memoryTable(): Promise<string> {
  const { peakMiB, wallMs } = await runProduct(PLANS.plan24);
  const peaks = [...peakMiB].map(([kind, mebibytes]) => [kind, `${Math.round(mebibytes)}`]);
  const told = `\`deeprepro run\` of ${PLANS.plan24.name} over HTTP, servers started and ended: ${seconds(wallMs)} s.`;
  return `${table(['process', 'VmHWM, MiB'], peaks)}\n\n${told}`;
}

async function promptTable(): Promise<string> {
  const few = await recordRequests(PLANS.plan12);
  const twice = await recordRequests(PLANS.plan24);
  const further = 12;
  const leaves = await recordRequests(withLeaves(PLANS.plan12, further));
  const growth = Math.max(...growthPerFile(few, leaves, further).values());
  const shares = [few, twice].map(repeatedShare);
  const percent = (part: 'byMessage' | 'byCharacter') =>
    shares.map((share) => `${(share[part] * 100).toFixed(1)} %`).join(' / ');
  const totals = [few, twice].map(totalCharacters);
  const [before = NaN, after = NaN] = totals;
  return table(
    ['prompts of 12 / 24 files', 'measured', 'bound'],
    [
      ['characters in all', totals.map((total) => `${(total / 1e6).toFixed(2)} M`).join(' / '), ''],
      ['growth when files double', (after / before).toFixed(2), '2.1'],
      ['executor prompt per further unrelated file, characters', growth.toFixed(0), '160'],
      ['repeats whole messages of an earlier request', percent('byMessage'), ''],
      ['repeats the beginning of an earlier request', percent('byCharacter'), ''],
    ],
  );
}

/** Ratios, because all of it scales with the machine. */
async function diagnosisTable(): Promise<string> {
  const times = await timeDiagnosis(200);
  const { wholeMs, afterThreeMs, rollbackMs, delayMs, idleDelayMs } = times;
  return table(
    [`diagnosing ${times.files} files`, 'measured', 'bound'],
    [
      ['whole, s', seconds(wholeMs), ''],
      ['after 3 files changed, share of it', (afterThreeMs / wholeMs).toFixed(3), '0.1'],
      ['again with one rolled back, share of it', (rollbackMs / wholeMs).toFixed(3), '0.1'],
      [
        "longest delay of the worker's event loop / of an idle one, ms",
        `${delayMs.toFixed(0)} / ${idleDelayMs.toFixed(0)}`,
        'alike',
      ],
    ],
  );
}

async function typesTable(): Promise<string> {
  const { files, coldMs, afterThreeMs, delayMs, idleDelayMs } = await timeTypes(180);
  return table(
    [`types of ${files} files`, 'measured', 'bound'],
    [
      ['first time with the start of the server, s', seconds(coldMs), ''],
      ['after 3 files changed, share of it', (afterThreeMs / coldMs).toFixed(3), '0.1'],
      [
        "longest delay of the worker's event loop / of an idle one, ms",
        `${delayMs.toFixed(0)} / ${idleDelayMs.toFixed(0)}`,
        'alike',
      ],
    ],
  );
}

async function pdfTable(): Promise<string> {
  const { wallMs, peakMiB } = await readLongPdf();
  return table(
    ['a PDF of 15 pages', 'measured', 'bound'],
    [
      ['text and index, s', seconds(wallMs), '3'],
      ['VmHWM of its program, MiB', peakMiB.toFixed(0), '400'],
    ],
  );
}

function seconds(milliseconds: number): string {
  return (milliseconds / 1_000).toFixed(2);
}
