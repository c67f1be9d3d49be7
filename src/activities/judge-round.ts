import type { Blueprint } from '../domain/blueprint.ts';
import { firstNames } from '../domain/first-sentences.ts';
import { roundChecks, type RoundCheck } from '../domain/round-checks.ts';
import { Subplan, type TargetResult } from '../domain/round.ts';
import type { Verdict } from '../domain/verdict.ts';
import { judgeRound as askVerdicts, type JudgedFile } from '../prompts/judge-round.ts';
import { getJson, getText, putJson } from '../store/stored-json.ts';
import { paid } from './activity.ts';
import type { Deps } from './deps.ts';
import { JudgeInput } from './inputs.ts';
import { askParts, withChecks, type Judge } from './judge-parts.ts';
import { loadBlueprint, loadState } from './load.ts';
import { say } from './say.ts';

const MOST_WHY = 400;
const MOST_NAMES = 6;

/** The judge: one call that sees the files of the round, where they fit, and decides those of its checks that a model must. */
export function judgeRound(deps: Deps) {
  return paid(deps, JudgeInput, async (input, { ask }) => {
    const state = await loadState(deps, input.stateRef);
    const subplan = await getJson(deps.store, Subplan, input.subplan);
    const checks = roundChecks(state, subplan, input.results);
    const verdicts: Verdict[] = [];
    if (checks.length > 0) {
      const { requirements, files } = await loadBlueprint(deps, input.blueprint);
      const judged = await judgedFiles(deps, checks, input.results, { requirements, files });
      const judge: Judge = (some, label) => ask('judge', label, askVerdicts(some));
      for (const part of await askParts(judge, judged, `r${input.round}/judge`)) {
        const { reading } = part;
        for (const { number, isMet, why } of reading.kind === 'answer' ? reading.answer : []) {
          const check = checks[number - 1];
          if (check) verdicts.push({ ...check, isMet, why: why.slice(0, MOST_WHY) });
        }
        if (reading.kind === 'problems') {
          const on = firstNames(
            withChecks(part.files).map(({ path }) => path),
            MOST_NAMES,
          );
          const text = `The checks of round ${input.round} on ${on} were not decided: ${reading.problems.join(' ')}`;
          const fact = { round: input.round, subject: `judge ${on}`, ref: null };
          await say(deps, input.run, { ...fact, kind: 'notice', text });
        }
      }
    }
    return { judgement: await putJson(deps.store, { schemaVersion: 1, verdicts }) };
  });
}

async function judgedFiles(
  { store }: Deps,
  checks: readonly RoundCheck[],
  results: readonly TargetResult[],
  { requirements, files }: Pick<Blueprint, 'requirements' | 'files'>,
) {
  const numbered = checks.map((check, index) => ({ ...check, number: index + 1 }));
  const written = results.filter((result) => result.kind === 'written');
  return Promise.all(
    written.map(async ({ path, file }): Promise<JudgedFile> => {
      const own = numbered.filter((check) => check.path === path);
      const owns = files.find((each) => each.path === path)?.owns ?? [];
      return {
        path,
        text: await getText(store, file),
        requirements: own.length > 0 ? requirements.filter(({ id }) => owns.includes(id)) : [],
        checks: own.map(({ number, text }) => ({ number, text })),
      };
    }),
  );
}
