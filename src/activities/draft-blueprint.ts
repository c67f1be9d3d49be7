import { amendBlueprint as withAmendments } from '../domain/amend-blueprint.ts';
import { assembleBlueprint } from '../domain/assemble-blueprint.ts';
import { auditBlueprint } from '../domain/blueprint-audit.ts';
import type {
  BlueprintAmendments,
  CheckedBlueprint,
  SetupDraft,
} from '../domain/blueprint-draft.ts';
import { counted } from '../domain/counted.ts';
import { auditCoverage, passedOver } from '../domain/coverage-audit.ts';
import { NoBlueprint } from '../domain/errors.ts';
import { AlgorithmAnalysis, ConceptAnalysis, FigureEvidence } from '../domain/evidence.ts';
import { paperNames } from '../domain/paper-names.ts';
import { placesOf } from '../domain/unite-requirements.ts';
import { amendBlueprint as askAmendments } from '../prompts/amend-blueprint.ts';
import { attackBlueprint } from '../prompts/attack-blueprint.ts';
import { draftFiles } from '../prompts/draft-files.ts';
import { draftSetup } from '../prompts/draft-setup.ts';
import type { PlanningInput } from '../prompts/planning-messages.ts';
import type { Reading } from '../prompts/prompt.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { paid, type Paying } from './activity.ts';
import type { Deps } from './deps.ts';
import { Ledger } from './extract-requirements.ts';
import { DraftInput } from './inputs.ts';
import { loadPaper } from './load.ts';
import { say } from './say.ts';
import { tellPlanning } from './tell-planning.ts';

/** B₀: values drafted first and then the files that read them, assembled and audited by code, attacked by a second call, amended by the first. */
export function draftBlueprint(deps: Deps) {
  return paid(deps, DraftInput, draft, () => ({ prefix: 'plan/' }));

  async function draft(input: DraftInput, given: Paying) {
    const paying = tellPlanning(deps, input.run, given);
    const planning = await planningInput(deps, input, paying);
    const notices: string[] = [];
    const first = await drafted(planning, paying, notices);
    const { blueprint, corrections } = await amended(planning, first, paying, notices);
    for (const text of [...notices, ...first.corrections, ...corrections]) {
      await say(deps, input.run, { kind: 'notice', round: 0, subject: text, text, ref: null });
    }
    const ref = await putJson(deps.store, blueprint);
    const { files, experiments, requirements } = blueprint;
    const text = `Planned ${counted(files.length, 'file')}, ${counted(experiments.length, 'experiment')}, ${counted(requirements.length, 'requirement')}.`;
    await say(deps, input.run, { kind: 'blueprint-drafted', round: 0, subject: '', text, ref });
    return { blueprint: ref };
  }
}

async function planningInput(
  deps: Deps,
  { paper, views }: DraftInput,
  { task }: Paying,
): Promise<PlanningInput> {
  const { store } = deps;
  return {
    paper: await loadPaper(deps, paper),
    userRequests: task.userRequests,
    figures: await getJson(store, FigureEvidence, views.figures),
    concepts: await getJson(store, ConceptAnalysis, views.concepts),
    algorithms: await getJson(store, AlgorithmAnalysis, views.algorithms),
    requirements: (await getJson(store, Ledger, views.requirements)).requirements,
  };
}

const NO_SETUP: SetupDraft = {
  configuration: [],
  methodCards: [],
  environment: { python: '3.11', packages: [], notes: '' },
  same: [],
};

async function drafted(
  planning: PlanningInput,
  { ask }: Paying,
  notices: string[],
): Promise<CheckedBlueprint> {
  const setup = await ask('planner', 'plan/setup', draftSetup(planning));
  const parts = usable(setup, NO_SETUP, 'values, method cards and environment', notices);
  const files = await ask('planner', 'plan/files', draftFiles(planning, parts));
  if (files.kind === 'problems') {
    throw new NoBlueprint(
      `The planner gave no usable list of files: ${files.problems.join(' ')} Try again with another planner model.`,
    );
  }
  const checked = assembleBlueprint(files.answer, parts, planning.requirements);
  const twice = planning.requirements.length - checked.blueprint.requirements.length;
  if (twice > 0)
    notices.push(`Said twice: ${counted(twice, 'demand')} of ${planning.requirements.length}.`);
  return checked;
}

async function amended(
  planning: PlanningInput,
  { blueprint }: CheckedBlueprint,
  { ask }: Paying,
  notices: string[],
): Promise<CheckedBlueprint> {
  const { paper, requirements } = planning;
  const names = paperNames(planning.concepts.markdown);
  const audit = [...auditBlueprint(blueprint), ...auditCoverage(blueprint, paper, names)];
  const input = { ...planning, blueprint, audit, passedOver: passedOver(paper, requirements) };
  const attack = await ask('planner', 'plan/attack', attackBlueprint(input));
  const objections = usable(attack, [], 'objections to the plan', notices);
  if (objections.length === 0 && audit.length === 0) return { blueprint, corrections: [] };
  const answer = await ask('planner', 'plan/amend', askAmendments(input, objections));
  if (answer.kind === 'problems') {
    notices.push(`The plan was not amended: ${answer.problems.join(' ')}`);
    return { blueprint, corrections: [] };
  }
  try {
    return withAmendments(blueprint, atKnownPlaces(answer.answer, placesOf(paper)));
  } catch (error) {
    // A plan that was sound before is not lost because its amendments leave no file.
    if (!(error instanceof NoBlueprint)) throw error;
    notices.push(`The plan was not amended: ${error.message}`);
    return { blueprint, corrections: [] };
  }
}

/** Places of added requirements, as those of found ones, are parts of the paper or nothing. */
function atKnownPlaces(
  amendments: BlueprintAmendments,
  places: readonly string[],
): BlueprintAmendments {
  const known = new Set(places);
  const requirements = amendments.requirements.map(({ found, owner }) => ({
    found: {
      ...found,
      place: known.has(found.place) ? found.place : '',
      otherPlaces: found.otherPlaces.filter((place) => known.has(place)),
    },
    owner,
  }));
  return { ...amendments, requirements };
}

function usable<Answer>(
  reading: Reading<Answer>,
  otherwise: Answer,
  what: string,
  notices: string[],
): Answer {
  if (reading.kind === 'answer') return reading.answer;
  notices.push(`The planner gave no usable ${what}: ${reading.problems.join(' ')}`);
  return otherwise;
}
