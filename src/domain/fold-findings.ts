import type { Blueprint } from './blueprint.ts';
import { findingId } from './finding-id.ts';
import { problemIn, type Finding, type Problem } from './finding.ts';
import type { RunState } from './run-state.ts';
import { unmetChecks } from './unmet-checks.ts';
import { unmetProblems } from './verified.ts';

/** Δ_{t+1} = Δ_t ∪ A_diag: a finding no longer reported is resolved, one reported again is open again. */
export function withFindings(
  state: RunState,
  problems: readonly Problem[],
  blueprint: Blueprint,
  tried: readonly string[] = [],
): RunState {
  const all = [
    ...problems,
    ...missingFiles(state),
    ...unmetChecks(state),
    ...unmetProblems(state, blueprint),
  ];
  const reported = new Map(all.map((problem) => [findingId(problem), problem]));
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
  const rest = { ...finding };
  delete rest.awaits;
  if (!problem)
    return { ...rest, triedInRounds, resolvedInRound: finding.resolvedInRound ?? round };
  return { ...rest, ...problem, triedInRounds, resolvedInRound: null };
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

/** What the static checks found stays as the inspection has just found it. */
export function standingStatic({ findings }: RunState): Problem[] {
  return findings
    .filter(({ kind, resolvedInRound }) => resolvedInRound === null && kind !== 'not-met')
    .map(problemIn);
}
