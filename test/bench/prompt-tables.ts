import type { ModelRequest } from '../../src/models/model.ts';
import { repeatedShare, totalCharacters } from './prompt-growth.ts';
import { partsOf, recordLongRun, stageOf } from './prompt-parts.ts';
import { table } from './tables.ts';

/** Parts below this share of all characters are summed up in one row. */
const LEAST_SHARE = 0.005;

/** The prompts of the long run as Markdown: in all, by stage, by stage and part. */
export async function longRunTables(): Promise<string> {
  const requests = await recordLongRun();
  const total = totalCharacters(requests);
  const { byMessage, byCharacter } = repeatedShare(requests);
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  const summary = table(
    ['prompts of 14 files on a paper of 65,000 characters', 'measured', 'bound'],
    [
      ['characters in all', `${(total / 1e6).toFixed(2)} M`, '2.50 M'],
      ['repeats the beginning of an earlier request', percent(byCharacter), '70 %'],
      ['repeats whole messages of an earlier request', percent(byMessage), ''],
    ],
  );
  return [summary, stageTable(requests), partTable(requests, total)].join('\n\n');
}

function stageTable(requests: readonly ModelRequest[]): string {
  const rows = [...byStage(requests)].map(([stage, calls]) => {
    const characters = totalCharacters(calls);
    return [stage, `${calls.length}`, `${characters}`, `${Math.round(characters / calls.length)}`];
  });
  return table(['stage', 'calls', 'characters', 'a call'], rows);
}

function partTable(requests: readonly ModelRequest[], total: number): string {
  const rows = [...byStage(requests)].flatMap(([stage, calls]) => {
    const parts = summed(calls);
    const large = [...parts].filter(([, characters]) => characters >= LEAST_SHARE * total);
    const small = [...parts.values()].reduce((sum, characters) => sum + characters, 0);
    const rest = small - large.reduce((sum, [, characters]) => sum + characters, 0);
    const shown = [...large.sort(([, one], [, other]) => other - one), ['all else', rest] as const];
    return shown.map(([part, characters]) => [stage, part, `${characters}`]);
  });
  return table(['stage', 'part', 'characters'], rows);
}

function byStage(requests: readonly ModelRequest[]): Map<string, ModelRequest[]> {
  const stages = new Map<string, ModelRequest[]>();
  for (const request of requests) {
    const stage = stageOf(request);
    stages.set(stage, [...(stages.get(stage) ?? []), request]);
  }
  return stages;
}

function summed(requests: readonly ModelRequest[]): Map<string, number> {
  const sums = new Map<string, number>();
  for (const parts of requests.map(partsOf)) {
    for (const [part, characters] of parts) sums.set(part, (sums.get(part) ?? 0) + characters);
  }
  return sums;
}
