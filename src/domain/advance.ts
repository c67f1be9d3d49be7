import type { Blueprint } from './blueprint.ts';
import { chooseTargets } from './choose-targets.ts';
import type { MemoryEntry } from './memory.ts';
import { openBlocking, openRepairable, progressOf, repairKindsOf } from './progress.ts';
import type { Ref } from './ref.ts';
import type { Diagnosis, RoundRecord, TargetResult } from './round.ts';
import type { FileProgress, RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';
import { standingStatic, withFindings } from './fold-findings.ts';
import { foldNotes } from './fold-notes.ts';
import { foldPlan, type Guided } from './fold-plan.ts';
import { withRepair } from './repairs.ts';
import type { Verification } from './verification.ts';
import { withVerdicts } from './verified.ts';

/** The beginning: S₁ before any round, with nothing written. */
export function begin(refs: Pick<RunState, 'settings' | 'paper' | 'blueprint'>): RunState {
  return {
    schemaVersion: 1,
    round: 0,
    commits: 0,
    previous: null,
    ...refs,
    tree: {},
    progress: {},
    memory: {},
    findings: [],
    gate: { rounds: 0, openAtLast: null },
    best: { accepted: 0, open: 0 },
    stalledRounds: 0,
    stop: null,
  };
}

/** What a commit needs besides the state: the record, the diagnosis it names, the plan and the bounds. */
export interface Advance {
  readonly blueprint: Blueprint;
  readonly record: RoundRecord;
  readonly diagnosis: Diagnosis | null;
  readonly limits: Limits;
  /** What a model's subplan brings besides; absent where code alone planned the round. */
  readonly guided?: Guided;
  /** What the record's verification came to; absent where it has none. */
  readonly verification?: Verification;
  /** Verifying is to follow an inspection that leaves nothing to do. */
  readonly proves?: boolean;
  /** Reference of the state that is advanced, which the new one links to. */
  readonly stateRef: Ref;
}

/**
 * S_{t+1} from S_t and what a round did. Pure: no clock, host or attempt number, so that committing twice gives
 * the same bytes. Files, findings and notes are folded in the order of the subplan.
 */
export function advance(state: RunState, facts: Advance): RunState {
  const { record, diagnosis, limits, stateRef, blueprint, guided } = facts;
  const linked = { ...state, commits: state.commits + 1, previous: stateRef };
  if (record.kind === 'notes') return foldNotes(linked, record.notes);
  if (record.kind === 'proof') return proved(linked, facts);
  const looked = withTypesUnchecked(linked, diagnosis);
  switch (record.kind) {
    case 'inspection':
      return withProofDue(
        inspected(
          withFindings(foldNotes(looked, record.notes), diagnosis?.problems ?? [], blueprint),
          limits,
        ),
        facts.proves ?? false,
      );
    case 'round': {
      const planned = guided ? foldPlan(looked, guided, blueprint) : looked;
      // Notes last: those of this round's files find the contents that they are about.
      return foldNotes(played(planned, record.results, facts), record.notes);
    }
  }
}

function withTypesUnchecked(state: RunState, diagnosis: Diagnosis | null): RunState {
  const rest = { ...state };
  delete rest.typesUnchecked;
  const reason = diagnosis?.typesUnchecked;
  return reason === undefined ? rest : { ...rest, typesUnchecked: reason };
}

function played(state: RunState, results: readonly TargetResult[], facts: Advance): RunState {
  const { diagnosis, verification } = facts;
  // What a repair uses up follows from what was open before it.
  const folded = results.reduce(
    (current, result) => withResult(current, result, { diagnosis, before: state }),
    { ...state, round: state.round + 1 },
  );
  const verified = verification ? withVerdicts(folded, verification) : folded;
  const tried = results.map(({ path }) => path);
  return measured(withFindings(verified, diagnosis?.problems ?? [], facts.blueprint, tried), facts);
}

/** The gate's last look: what the verifier found, which may open repairs as an inspection does. */
function proved(state: RunState, { verification, blueprint, limits }: Advance): RunState {
  const rest = { ...state };
  delete rest.isProofDue;
  const verified = verification ? withVerdicts(rest, verification) : rest;
  return inspected(withFindings(verified, standingStatic(state), blueprint), limits);
}

function withProofDue(state: RunState, proves: boolean): RunState {
  const rest = { ...state };
  delete rest.isProofDue;
  return proves && state.stop === 'inspected' ? { ...rest, isProofDue: true } : rest;
}

function withResult(
  state: RunState,
  result: TargetResult,
  {
    diagnosis,
    before: opened,
  }: { readonly diagnosis: Diagnosis | null; readonly before: RunState },
): RunState {
  const before = progressOf(state, result.path);
  const isRepair = state.tree[result.path] !== undefined || before.refusals.length > 0;
  const isKept = result.kind === 'written' && !(diagnosis?.rolledBack ?? []).includes(result.path);
  const kinds = repairKindsOf(opened, result.path);
  const progress: FileProgress = {
    // The first write of a file is no repair, unless it ended with nothing accepted.
    ...(isRepair || !isKept ? withRepair(before, kinds) : before),
    revision: before.revision + (isKept ? 1 : 0),
    refusals:
      result.kind === 'refused' && state.tree[result.path] === undefined ? result.reasons : [],
    lastAttempt: isKept ? null : result.kind === 'written' ? result.file : result.lastAttempt,
    lastReasons: isKept ? [] : whyNot(result, diagnosis),
  };
  const next = { ...state, progress: { ...state.progress, [result.path]: progress } };
  return isKept ? withFile(next, result, diagnosis?.interfaces[result.path]) : next;
}

/** Why an attempt was not kept: it was refused, or rolled back. */
function whyNot(result: TargetResult, diagnosis: Diagnosis | null): string[] {
  return result.kind === 'refused' ? result.reasons : (diagnosis?.undone?.[result.path] ?? []);
}

function withFile(
  state: RunState,
  { path, file, doubts }: Extract<TargetResult, { kind: 'written' }>,
  fileInterface: Ref | undefined,
): RunState {
  const entry: MemoryEntry | undefined = fileInterface && {
    file,
    interface: fileInterface,
    notes: { kind: 'pending' },
    ...(doubts && { doubts: { round: state.round, text: doubts } }),
  };
  return {
    ...state,
    tree: { ...state.tree, [path]: file },
    // Without an interface the old entry describes a content that is gone; `foldNotes` drops it.
    memory: entry ? { ...state.memory, [path]: entry } : state.memory,
  };
}

/** A stalled round is one after which (files accepted, − open blocking findings) is not above the best so far. */
function measured(
  state: RunState,
  { blueprint, limits }: Pick<Advance, 'blueprint' | 'limits'>,
): RunState {
  const accepted = Object.keys(state.tree).length;
  const open = openBlocking(state).length;
  const { best } = state;
  const isBetter = accepted > best.accepted || (accepted === best.accepted && open < best.open);
  // A person who resumes a stalled run gives it as many rounds again.
  const stalledBefore = state.stop === 'stalled' ? 0 : state.stalledRounds;
  const stalledRounds = isBetter ? 0 : stalledBefore + 1;
  // A run that has nothing left to do has not stalled, though this was its last round: the inspection decides.
  const isStalled =
    (stalledRounds >= limits.stallRounds || state.round >= limits.maxRounds) &&
    chooseTargets(state, blueprint, limits).length > 0;
  return {
    ...state,
    best: isBetter ? { accepted, open } : best,
    stalledRounds,
    stop: isStalled ? 'stalled' : null,
  };
}

/** The quality gate: it opens another repair round only within its bound and while findings shrink. */
function inspected(state: RunState, limits: Limits): RunState {
  const open = openBlocking(state);
  const repairable = openRepairable(state, limits);
  const { rounds, openAtLast } = state.gate;
  const isShrinking = openAtLast === null || open.length < openAtLast;
  if (repairable.length === 0 || rounds >= limits.gateRounds || !isShrinking) {
    return { ...state, stop: 'inspected' };
  }
  return { ...state, gate: { rounds: rounds + 1, openAtLast: open.length }, stop: null };
}
