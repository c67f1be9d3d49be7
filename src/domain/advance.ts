import type { Blueprint } from './blueprint.ts';
import { chooseTargets } from './choose-targets.ts';
import { findingId } from './finding-id.ts';
import { type Finding, type Problem } from './finding.ts';
import type { MemoryEntry } from './memory.ts';
import type { Execution } from './execution.ts';
import { openBlocking, openRepairable, progressOf, repairKindsOf } from './progress.ts';
import type { Ref } from './ref.ts';
import type { Diagnosis, RoundRecord, TargetResult } from './round.ts';
import type { FileProgress, RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';
import { foldNotes } from './fold-notes.ts';
import { foldPlan, type Guided } from './fold-plan.ts';
import { withRepair } from './repairs.ts';
import { unmetChecks } from './unmet-checks.ts';
import type { Verification } from './verification.ts';
import { unmetProblems, withVerdicts } from './verified.ts';

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
  /** What the record's verification and execution came to; absent where it has none. */
  readonly verification?: Verification;
  readonly execution?: { readonly ref: Ref; readonly found: Execution };
  /** Verifying or running is to follow an inspection that leaves nothing to do. */
  readonly proves?: boolean;
  /** Reference of the state that is advanced, which the new one links to. */
  readonly stateRef: Ref;
}

/**
 * S_{t+1} from S_t and what a round did. Pure: no clock, host or attempt number, so that committing twice gives
 * the same bytes. Files, findings and notes are folded in the order of the subplan.
 */
export function advance(
  state: RunState,
  { record, diagnosis, limits, stateRef, blueprint, guided }: Advance,
): RunState {
  const linked = { ...state, commits: state.commits + 1, previous: stateRef };
  if (record.kind === 'notes') return foldNotes(linked, record.notes);
  const looked = withTypesUnchecked(linked, diagnosis);
  switch (record.kind) {
    case 'inspection':
      return inspected(
        withFindings(foldNotes(looked, record.notes), diagnosis?.problems ?? [], []),
        limits,
      );
    case 'round': {
      const planned = guided ? foldPlan(looked, guided, blueprint) : looked;
      // Notes last: those of this round's files find the contents that they are about.
      return foldNotes(
        played(planned, record.results, diagnosis, { blueprint, limits }),
        record.notes,
      );
    }
  }
}

function withTypesUnchecked(state: RunState, diagnosis: Diagnosis | null): RunState {
  const rest = { ...state };
  delete rest.typesUnchecked;
  const reason = diagnosis?.typesUnchecked;
  return reason === undefined ? rest : { ...rest, typesUnchecked: reason };
}

function played(
  state: RunState,
  results: readonly TargetResult[],
  diagnosis: Diagnosis | null,
  bounds: Pick<Advance, 'blueprint' | 'limits'>,
): RunState {
  const folded = results.reduce((current, result) => withResult(current, result, diagnosis), {
    ...state,
    round: state.round + 1,
  });
  const tried = results.map(({ path }) => path);
  return measured(withFindings(folded, diagnosis?.problems ?? [], tried), bounds);
}

function withResult(state: RunState, result: TargetResult, diagnosis: Diagnosis | null): RunState {
  const before = progressOf(state, result.path);
  const isRepair = state.tree[result.path] !== undefined || before.refusals.length > 0;
  const isKept = result.kind === 'written' && !(diagnosis?.rolledBack ?? []).includes(result.path);
  const progress: FileProgress = {
    ...before,
    revision: before.revision + (isKept ? 1 : 0),
    // The first write of a file is no repair, unless it ended with nothing accepted.
    repairs: before.repairs + (isRepair || !isKept ? 1 : 0),
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

/** Δ_{t+1} = Δ_t ∪ A_diag: a finding no longer reported is resolved, one reported again is open again. */
function withFindings(
  state: RunState,
  problems: readonly Problem[],
  tried: readonly string[],
): RunState {
  const reported = new Map(
    [...problems, ...missingFiles(state), ...unmetChecks(state)].map((problem) => [
      findingId(problem),
      problem,
    ]),
  );
  const known = state.findings.map((finding) =>
    updated(finding, reported.get(finding.id), state, tried),
  );
  const knownIds = new Set(state.findings.map(({ id }) => id));
  const opened = [...reported]
    .filter(([id]) => !knownIds.has(id))
    .map(([id, problem]) => ({
      ...problem,
      id,
      openedInRound: state.round,
      resolvedInRound: null,
      triedInRounds: [],
    }));
  return { ...state, findings: [...known, ...opened] };
}

function updated(
  finding: Finding,
  problem: Problem | undefined,
  { round }: RunState,
  tried: readonly string[],
): Finding {
  const wasOpen = finding.resolvedInRound === null;
  const triedInRounds =
    wasOpen && tried.includes(finding.path)
      ? [...finding.triedInRounds, round]
      : finding.triedInRounds;
  if (!problem)
    return { ...finding, triedInRounds, resolvedInRound: finding.resolvedInRound ?? round };
  return { ...finding, ...problem, triedInRounds, resolvedInRound: null };
}

function missingFiles(state: RunState): Problem[] {
  return Object.entries(state.progress)
    .filter(([path, { refusals, retired }]) => refusals.length > 0 && !retired && !state.tree[path])
    .map(([path, { refusals }]) => ({
      kind: 'missing',
      path,
      symbol: '',
      message: `${path} was never accepted: ${refusals.join(' ')}`,
      remedy: 'Write the whole file so that it parses and every function is implemented.',
    }));
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
  const repairable = open.filter(
    ({ path }) => progressOf(state, path).repairs < limits.staticRepairs,
  );
  const { rounds, openAtLast } = state.gate;
  const isShrinking = openAtLast === null || open.length < openAtLast;
  if (repairable.length === 0 || rounds >= limits.gateRounds || !isShrinking) {
    return { ...state, stop: 'inspected' };
  }
  return { ...state, gate: { rounds: rounds + 1, openAtLast: open.length }, stop: null };
}
