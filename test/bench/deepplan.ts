import type { ModelRequest } from '../../src/models/model.ts';
import { LATENCY_MS } from './latency-model.ts';
import type { MeasuredRun } from './measured-run.ts';
import { PLANS } from './plans.ts';
import { recordRequests, repeatedCharacters, totalCharacters } from './prompt-growth.ts';
import { recordLongRun, stageOf } from './prompt-parts.ts';
import { openDirectRig, openTemporalRig } from './rigs.ts';
import { median, table } from './tables.ts';

/** Of a plan: DeepRepro's replayed schedule in latencies, and the ratio by which ours is to be below it. */
const PEERS = [
  { plan: PLANS.plan12, peer: 26.2, bound: 1.4 },
  { plan: PLANS.plan24, peer: 46.5, bound: 1.8 },
] as const;

const PARALLEL = 16;
/** What all prompts may come to beside those of fast mode, and how much of them is to begin an earlier request. */
export const MOST_OF_FAST = 1.6;
export const LEAST_REPEATED = 0.7;
/** What doubling the files may multiply all prompts by. */
export const MOST_GROWTH = 2.1;

/** Rounds that a model plans: whole runs beside DeepRepro's schedule, as Markdown. */
export async function deepplanWalls(repeats: number): Promise<string> {
  const direct = await openDirectRig();
  const temporal = await openTemporalRig();
  const rows: string[][] = [];
  try {
    for (const { plan, peer, bound } of PEERS) {
      const inProcess: MeasuredRun[] = [];
      const onTemporal: MeasuredRun[] = [];
      for (let repeat = 0; repeat < repeats; repeat += 1) {
        inProcess.push(await direct.run(plan, PARALLEL, 'deepplan'));
        onTemporal.push(await temporal.run(plan, PARALLEL, 'deepplan'));
        console.error(`${plan.name} in deepplan: ${repeat + 1} of ${repeats}`);
      }
      const [without = NaN, on = NaN] = [inProcess, onTemporal].map(
        (runs) => median(runs.map(({ wallMs }) => wallMs)) / LATENCY_MS,
      );
      const { rounds = 0, calls = 0 } = onTemporal[0] ?? {};
      rows.push([
        ...[plan.name, `${rounds}`, `${calls}`, without.toFixed(2), on.toFixed(2)],
        ...[peer.toFixed(1), (peer / on).toFixed(2), bound.toFixed(1)],
      ]);
    }
  } finally {
    await direct.end();
    await temporal.end();
  }
  const walls = ['loop in process, L', 'on Temporal, L', 'DeepRepro deepplan, L'];
  return table(['deepplan', 'rounds', 'calls', ...walls, 'times as fast', 'bound'], rows);
}

/** The prompts of the long run in deepplan beside those of fast mode, in all and by role, as Markdown. */
export async function deepplanPrompts(): Promise<string> {
  const fast = totalCharacters(await recordLongRun());
  const requests = await recordLongRun('deepplan');
  const total = totalCharacters(requests);
  const repeats = repeatedCharacters(requests);
  const repeated = repeats.reduce((sum, share) => sum + share, 0) / total;
  const summary = table(
    ['deepplan, prompts of 14 files', 'measured', 'bound'],
    [
      ['characters in all', millions(total), ''],
      ["times fast mode's", (total / fast).toFixed(2), MOST_OF_FAST.toFixed(1)],
      ['repeats the beginning of an earlier request', percent(repeated), percent(LEAST_REPEATED)],
      ['growth from 12 to 24 files', (await growth()).toFixed(2), MOST_GROWTH.toFixed(1)],
    ],
  );
  const rows = [...new Set(requests.map(partOf))].map((role) => {
    const places = requests.flatMap((request, index) => (partOf(request) === role ? [index] : []));
    const own = totalCharacters(places.flatMap((index) => requests[index] ?? []));
    const again = places.reduce((sum, index) => sum + (repeats[index] ?? 0), 0);
    const aCall = `${Math.round(own / places.length)}`;
    return [role, `${places.length}`, millions(own), aCall, percent(again / own)];
  });
  const head = ['by role', 'calls', 'characters', 'a call', 'repeats an earlier beginning'];
  return `${summary}\n\n${table(head, rows)}`;
}

async function growth(): Promise<number> {
  const few = await recordRequests(PLANS.plan12, 'deepplan');
  const twice = await recordRequests(PLANS.plan24, 'deepplan');
  return totalCharacters(twice) / totalCharacters(few);
}

/** The role of a call; the planner's before the first file and in the rounds apart. */
function partOf(request: ModelRequest): string {
  const stage = stageOf(request);
  if (stage === 'analyse' || stage === 'requirements') return 'analysis';
  if (stage === 'plan') return 'planner, rounds';
  if (stage.startsWith('plan/')) return 'planner, blueprint';
  return { write: 'executor', remember: 'memory' }[stage] ?? stage;
}

function millions(characters: number): string {
  return `${(characters / 1e6).toFixed(2)} M`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
