import type { Blueprint } from './blueprint.ts';
import type { Execution } from './execution.ts';
import { findingId } from './finding-id.ts';
import type { Finding, Problem } from './finding.ts';
import type { RunState } from './run-state.ts';
import { unmetChecks } from './unmet-checks.ts';
import { unmetProblems } from './verified.ts';

/** What findings follow from besides the state and the static checks. */
export interface Looked {
  readonly blueprint: Blueprint;
  /** What running the code showed; absent where it was not run. */
  readonly execution?: { readonly found: Execution };
}

/** Δ_{t+1} = Δ_t ∪ A_diag: a finding no longer reported is resolved, one reported again is open again. */
export function withFindings(
  state: RunState,
  problems: readonly Problem[],
  { blueprint, execution }: Looked,
  tried: readonly string[] = [],
): RunState {
  const all = [
    ...problems,
    ...missingFiles(state),
    ...unmetChecks(state),
    ...unmetProblems(state, blueprint),
    ...(execution?.found.problems ?? failedBefore(state)),
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

/** What failed when the code was last run, which only running it again can close. */
function failedBefore({ findings, execution }: RunState): Problem[] {
  return findings
    .filter(({ kind, resolvedInRound }) => kind === 'failed-run' && resolvedInRound === null)
    .map((finding) => ({
      ...problemIn(finding),
      ...(execution?.isOutdated && { awaits: 'execution' as const }),
    }));
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
    .filter(({ kind, resolvedInRound }) => resolvedInRound === null && isStatic(kind))
    .map(problemIn);
}

function isStatic(kind: Problem['kind']): boolean {
  return kind !== 'not-met' && kind !== 'failed-run';
}

function problemIn({ kind, path, symbol, message, remedy }: Problem): Problem {
  return { kind, path, symbol, message, remedy };
}
