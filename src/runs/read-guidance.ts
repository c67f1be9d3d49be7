import { isSameRef } from '../domain/ref.ts';
import { Subplan, type AcceptanceCheck, type Guidance } from '../domain/round.ts';
import type { RunState } from '../domain/run-state.ts';
import { openFindings } from '../domain/target-standing.ts';
import { getJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';

/** A check with what became of it; `open` waits for a run, or was not decided. */
export type DecidedCheck = AcceptanceCheck & { readonly result: 'met' | 'unmet' | 'open' };

/** ρ, I, N, Q and the amendments of a round, its checks decided. */
export interface RoundGuidance extends Omit<Guidance, 'acceptanceChecks'> {
  readonly targets: readonly string[];
  readonly acceptanceChecks: readonly DecidedCheck[];
}

/** What the round that led to a state was told; null in fast mode and for planning. */
export async function readGuidance(
  { store }: Pick<RunPorts, 'store'>,
  after: RunState,
): Promise<RoundGuidance | null> {
  if (!after.subplan) return null;
  const { targets, guidance } = await getJson(store, Subplan, after.subplan);
  if (!guidance) return null;
  return {
    ...guidance,
    targets: targets.map(({ path }) => path),
    acceptanceChecks: guidance.acceptanceChecks.map((check) => ({
      ...check,
      result: resultOf(check, after),
    })),
  };
}

/** A diagnostic's check holds while nothing is open in its file; a run's waits for the gate. */
function resultOf(
  { path, text, decidedBy }: AcceptanceCheck,
  state: RunState,
): DecidedCheck['result'] {
  if (decidedBy === 'static') {
    if (state.tree[path] === undefined) return 'unmet';
    return openFindings(state, path).length === 0 ? 'met' : 'unmet';
  }
  const verdict = (state.verdicts ?? []).find(
    (each) => each.path === path && each.text === text && isSameRef(state.tree[path], each.file),
  );
  if (decidedBy === 'run' || !verdict) return 'open';
  return verdict.isMet ? 'met' : 'unmet';
}
