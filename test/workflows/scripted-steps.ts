import { advance, begin } from '../../src/domain/advance.ts';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { chooseTargets } from '../../src/domain/choose-targets.ts';
import type { Problem } from '../../src/domain/finding.ts';
import type { Guided } from '../../src/domain/fold-plan.ts';
import { outcomeOf } from '../../src/domain/outcome.ts';
import { openBlocking, statusOf } from '../../src/domain/progress.ts';
import type { Ref } from '../../src/domain/ref.ts';
import type {
  At,
  Diagnosis,
  Note,
  RoundPlan,
  RoundRecord,
  TargetResult,
} from '../../src/domain/round.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/domain/run-settings.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import { isWorthPlanning } from '../../src/domain/target-standing.ts';
import type { Verdict } from '../../src/domain/verdict.ts';
import type { RequirementVerdict, Verification } from '../../src/domain/verification.ts';
import { viewOf } from '../../src/domain/view.ts';
import type { Steps, Turn, TurnEnd } from '../../src/workflows/loop.ts';
import { aDiagnosis, refTo } from '../fakes/states.ts';

/** What a test decides of a run without a server, models or files. */
export interface Script {
  readonly blueprint: Blueprint;
  readonly mode?: 'fast' | 'deepplan';
  readonly limits?: Partial<Limits>;
  /** Runs before a step's result, to delay it, or to throw. */
  readonly before?: (step: string) => Promise<void> | void;
  /** What a turn leads to; accepted content where it is left out. */
  readonly turn?: (turn: Turn) => TurnEnd;
  /** What is wrong with a tree after a round or at an inspection. */
  readonly problems?: (state: RunState, results: readonly TargetResult[]) => readonly Problem[];
  readonly mayGoOn?: (at: At) => boolean;
  /** The subplan as a planner would give it; the computed one where it is left out. */
  readonly plan?: (state: RunState) => RoundPlan | null;
  /** What the judge says of a round whose plan asks for it. */
  readonly verdicts?: (results: readonly TargetResult[]) => readonly Verdict[];
  readonly verify?: 'gate' | 'rounds';
  /** What the verifier says of the state, at the gate or of what a round has written. */
  readonly verification?: (
    state: RunState,
    results: readonly TargetResult[],
  ) => readonly RequirementVerdict[];
}

/** Steps in memory over the real `advance`, with a log of what began and ended. */
export interface ScriptedSteps extends Steps {
  /** `+step` when one began, `-step` when it ended. */
  readonly log: readonly string[];
  readonly records: readonly RoundRecord[];
  stateAt(ref: Ref): RunState;
}

/** The notes that a record folds in. */
export function notesOf(record: RoundRecord | undefined): readonly Note[] {
  return record && record.kind !== 'proof' ? record.notes : [];
}

/** The text that a turn's file has. */
export function acceptedAt({ target, turn, at }: Turn): Ref {
  return refTo(`${target.path} in round ${at.view.round + 1}, turn ${turn}`);
}

export function scriptedSteps(script: Script): ScriptedSteps {
  const { blueprint } = script;
  const limits = { ...DEFAULT_LIMITS, ...script.limits };
  const states = new Map<string, RunState>();
  const diagnoses = new Map<string, Diagnosis>();
  const judgements = new Map<string, readonly Verdict[]>();
  const verifications = new Map<string, Verification>();
  const mode = script.mode ?? 'fast';
  const log: string[] = [];
  const records: RoundRecord[] = [];

  function keep<Value>(values: Map<string, Value>, value: Value): Ref {
    const ref = refTo(canonicalJson(value));
    values.set(ref.sha256, value);
    return ref;
  }

  function stateAt({ sha256 }: Ref): RunState {
    const state = states.get(sha256);
    if (!state) throw new Error(`No state was kept under ${sha256}.`);
    return state;
  }

  async function step<Result>(name: string, result: () => Result): Promise<Result> {
    log.push(`+${name}`);
    await script.before?.(name);
    const value = result();
    log.push(`-${name}`);
    return value;
  }

  function planned(state: RunState): RoundPlan {
    const own = script.plan?.(state);
    if (own) return own;
    const targets = chooseTargets(state, blueprint, limits);
    return { subplan: refTo(canonicalJson(targets)), targets, blueprint: null };
  }

  function standAt(state: RunState): At {
    const isAsked = mode === 'deepplan' && isWorthPlanning(state, blueprint, limits);
    const next = state.stop || script.plan || isAsked ? null : planned(state);
    const view = viewOf(state, blueprint, limits, next);
    return { stateRef: keep(states, state), blueprint: state.blueprint, view };
  }

  function diagnose(state: RunState, results: readonly TargetResult[]): Ref {
    const files = results.filter(({ kind }) => kind === 'written');
    const interfaces = Object.fromEntries(files.map(({ path }) => [path, refTo(path)]));
    const problems = [...(script.problems?.(state, results) ?? [])];
    return keep(diagnoses, aDiagnosis({ interfaces, problems }));
  }

  function verified(state: RunState, results: readonly TargetResult[]): Ref {
    const requirements = [...(script.verification?.(state, results) ?? [])];
    return keep(verifications, { schemaVersion: 1, requirements, checks: [], undecided: [] });
  }

  function proofOf(record: RoundRecord) {
    const ref =
      record.kind === 'round' || record.kind === 'proof' ? record.verification : undefined;
    const verification = ref && verifications.get(ref.sha256);
    return { ...(verification && { verification }), proves: script.verify !== undefined };
  }

  function guidedBy(record: RoundRecord): Guided | undefined {
    if (mode === 'fast' || record.kind !== 'round') return undefined;
    const verdicts = record.judgement && judgements.get(record.judgement.sha256);
    return { subplan: record.subplan, amended: null, retired: [], verdicts: verdicts ?? [] };
  }

  return {
    log,
    records,
    stateAt,
    maxTurns: limits.maxTurns,
    mode,
    readPaper: () => step('read', () => refTo('paper')),
    analyseFigures: () => step('figures', () => refTo('figures')),
    analyseConcepts: () => step('concepts', () => refTo('concepts')),
    analyseAlgorithms: () => step('algorithms', () => refTo('algorithms')),
    extractRequirements: () => step('requirements', () => refTo('requirements')),
    draftBlueprint: () => step('draft', () => refTo('blueprint')),
    approveBlueprint: (drafted) => step('approve', () => drafted),
    begin: (paper, plan) =>
      step('begin', () => standAt(begin({ settings: refTo('settings'), paper, blueprint: plan }))),
    planRound: ({ stateRef }) => step('plan', () => planned(stateAt(stateRef))),
    takeTurn: ({ target, turn }) =>
      step(`write ${target.path} ${turn}`, () => ({
        conversation: refTo(`asked for ${target.path} ${turn}`),
        reply: refTo(`reply on ${target.path} ${turn}`),
        accepted: null,
      })),
    applyTools: (turn) =>
      step(`apply ${turn.target.path} ${turn.turn}`, () =>
        script.turn ? script.turn(turn) : { kind: 'accepted' as const, file: acceptedAt(turn) },
      ),
    remember: (_at, { path, file }) =>
      step(`remember ${path}`, () => ({ path, file, text: refTo(`note on ${file.sha256}`) })),
    judgeRound: (_at, _plan, results) =>
      step('judge', () => keep(judgements, script.verdicts?.(results) ?? [])),
    diagnoseRound: ({ stateRef }, _plan, results) =>
      step('diagnose', () => diagnose(stateAt(stateRef), results)),
    ...(script.verify && { verify: script.verify }),
    verifyRound: ({ stateRef }, _plan, results) =>
      step('verify round', () => verified(stateAt(stateRef), results)),
    verifyRepository: ({ stateRef }) =>
      step('verify repository', () => verified(stateAt(stateRef), [])),
    inspectRepository: ({ stateRef }) => step('inspect', () => diagnose(stateAt(stateRef), [])),
    commitRound: ({ stateRef }, record) =>
      step(`commit ${record.kind}`, () => {
        records.push(record);
        const diagnosis =
          record.kind === 'notes' || record.kind === 'proof'
            ? null
            : (diagnoses.get(record.diagnosis.sha256) ?? null);
        const parts = { record, diagnosis, blueprint, limits, stateRef, ...proofOf(record) };
        const guided = guidedBy(record);
        return standAt(advance(stateAt(stateRef), guided ? { ...parts, guided } : parts));
      }),
    mayGoOn: (at) => step('may go on', () => script.mayGoOn?.(at) ?? true),
    writeReport: ({ stateRef, view }) =>
      step('report', () => {
        const state = stateAt(stateRef);
        const statuses = blueprint.files.map(({ path }) => statusOf(state, path, limits));
        return outcomeOf(view.stop ?? 'stopped', {
          unwrittenFiles: statuses.filter((status) => status === 'planned').length,
          brokenFiles: statuses.filter((status) => status === 'broken').length,
          openBlocking: openBlocking(state).length,
          unowned: 0,
          unverified: 0,
          emptyLedger: 0,
          otherPaper: 0,
        });
      }),
  };
}
