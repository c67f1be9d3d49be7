import { amendInRound } from '../domain/amend-in-round.ts';
import type { Blueprint } from '../domain/blueprint.ts';
import { checkTargets } from '../domain/check-subplan.ts';
import { counted } from '../domain/counted.ts';
import { ContextTooLong, NeedsPerson } from '../domain/errors.ts';
import type { Guidance, RoundPlan, Subplan, Target } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import { NO_ANSWER, type SubplanAnswer } from '../domain/subplan-answer.ts';
import { isWorthPlanning } from '../domain/target-standing.ts';
import { turnsFor } from '../domain/turns-for.ts';
import { isOpenCheck } from '../domain/unmet-checks.ts';
import { planRound as askSubplan } from '../prompts/plan-round.ts';
import type { Reading } from '../prompts/prompt.ts';
import { putJson } from '../store/stored-json.ts';
import { paid, type Paying } from './activity.ts';
import type { Deps } from './deps.ts';
import { PlanInput } from './inputs.ts';
import { loadBlueprint, loadState } from './load.ts';
import { localImports } from './parsed-tree.ts';
import { say } from './say.ts';
import { planFast } from './stand.ts';
import { openSubplanContext } from './subplan-context.ts';

/** How often what the planner sees is shrunk before a person is asked for a model with a larger window. */
const MAX_SHRINKS = 3;

/** A_sub: the next round's subplan. In fast mode, and where nothing is planned or open, code chooses without a call. */
export function planRound(deps: Deps) {
  return paid(deps, PlanInput, async (input, paying) => {
    const state = await loadState(deps, input.stateRef);
    const blueprint = await loadBlueprint(deps, state.blueprint);
    const { limits, mode } = paying.settings;
    const isAsked = mode === 'deepplan' && isWorthPlanning(state, blueprint, limits);
    if (!isAsked) return planFast(deps, state, blueprint, limits);
    const planned = await planDeep(deps, paying, state, blueprint);
    await tell(deps, input.run, planned);
    return planned.plan;
  });
}

interface Planned {
  readonly plan: RoundPlan;
  readonly subplan: Subplan;
  readonly guidance: Guidance;
}

async function planDeep(
  deps: Deps,
  paying: Paying,
  state: RunState,
  blueprint: Blueprint,
): Promise<Planned> {
  const { limits } = paying.settings;
  const imports = await localImports(deps, state.tree);
  const reading = await answer(deps, paying, state, blueprint);
  const given = reading.kind === 'answer' ? reading.answer : NO_ANSWER;
  const amended = amendInRound(blueprint, given, {
    ...{ limits, imports, tree: state.tree },
    targets: given.targets.map(({ path }) => path),
  });
  const facts = { state, blueprint: amended.blueprint, limits, imports };
  const { targets: checked, corrections } = checkTargets(given.targets, facts);
  const targets = checked.map((target) => withTurns(target, amended.blueprint));
  const unread =
    reading.kind === 'problems'
      ? [`The planner's answer could not be read: ${reading.problems.join(' ')}`]
      : (reading.dropped ?? []);
  const guidance = guidanceOf(given, targets, {
    amendments: [...amended.amendments],
    corrections: [...unread, ...amended.corrections, ...corrections],
  });
  const isAmended = amended.blueprint !== blueprint;
  const changed = isAmended ? await putJson(deps.store, amended.blueprint) : null;
  const subplan: Subplan = {
    ...{ schemaVersion: 1, round: state.round + 1, targets: [...targets], guidance },
    ...(changed && { blueprint: changed }),
  };
  const plan: RoundPlan = {
    subplan: await putJson(deps.store, subplan),
    targets: [...targets],
    blueprint: changed,
    ...(isJudged(state, subplan) && { isJudged: true }),
  };
  return { plan, subplan, guidance };
}

/** An executor with tools looks up, writes, checks and mends, each in a turn. */
function withTurns(target: Target, { files }: Blueprint): Target {
  const file = files.find(({ path }) => path === target.path);
  return file ? { ...target, turns: turnsFor(file) } : target;
}

/** Asks with as much of the paper and the memory as the model's window takes. */
async function answer(
  deps: Deps,
  { ask, settings, task }: Paying,
  state: RunState,
  blueprint: Blueprint,
): Promise<Reading<SubplanAnswer>> {
  const opened = await openSubplanContext(deps, { state, blueprint, settings, task });
  for (let shrinks = 0; ; shrinks += 1) {
    const label = `${opened.label}${shrinks > 0 ? `/fit${shrinks}` : ''}`;
    try {
      return await ask('planner', label, askSubplan(opened.shrunk(shrinks)));
    } catch (error) {
      if (!(error instanceof ContextTooLong)) throw error;
      if (shrinks === MAX_SHRINKS) throw tooLong(error);
    }
  }
}

function tooLong(cause: ContextTooLong): NeedsPerson {
  return new NeedsPerson(
    'context',
    `Even the shortest request for a round's plan does not fit the planner's window: ${cause.message}`,
    'Choose a model with a larger context window with `deeprepro resume NAME --model MODEL`.',
    { cause },
  );
}

/** ρ, I, N and Q for the targets that stand; what was said of others is left out. */
function guidanceOf(
  { rationale, targets: named }: SubplanAnswer,
  targets: readonly Target[],
  told: Pick<Guidance, 'amendments' | 'corrections'>,
): Guidance {
  const kept = targets.map(({ path }) => path);
  const first = kept.flatMap((path) => named.find((each) => each.path === path) ?? []);
  return {
    rationale,
    assignments: Object.fromEntries(
      first.map(({ path, reason, instructions, integrationNotes }) => [
        path,
        { reason, instructions, integrationNotes },
      ]),
    ),
    acceptanceChecks: first.flatMap(({ path, checks }) =>
      checks.map(({ text, decidedBy }) => ({ path, text, decidedBy })),
    ),
    ...told,
  };
}

/** Whether the judge has work after the writes: checks of this round, or unmet ones of files that are rewritten. */
function isJudged(state: RunState, { targets, guidance }: Subplan): boolean {
  const paths = new Set(targets.map(({ path }) => path));
  return (
    (guidance?.acceptanceChecks ?? []).some(({ decidedBy }) => decidedBy === 'model') ||
    state.findings.some((finding) => isOpenCheck(finding) && paths.has(finding.path))
  );
}

async function tell(deps: Deps, run: string, { plan, subplan, guidance }: Planned): Promise<void> {
  const { round, targets } = subplan;
  const { rationale, amendments, corrections } = guidance;
  const fact = { round, ref: plan.subplan };
  const why = rationale === '' ? '' : `: ${rationale.replace(/\s+/g, ' ')}`;
  const text = `Planned round ${round}, ${counted(targets.length, 'target')}${why}`;
  await say(deps, run, { ...fact, kind: 'round-planned', subject: plan.subplan.sha256, text });
  for (const told of amendments)
    await say(deps, run, { ...fact, kind: 'blueprint-amended', subject: told, text: told });
  for (const told of corrections)
    await say(deps, run, { ...fact, kind: 'notice', subject: told, text: told });
}
