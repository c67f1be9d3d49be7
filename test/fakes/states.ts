import { createHash } from 'node:crypto';
import { advance, begin, type Advance } from '../../src/domain/advance.ts';
import type { Blueprint } from '../../src/domain/blueprint.ts';
import type { Problem } from '../../src/domain/finding.ts';
import type { Ref } from '../../src/domain/ref.ts';
import type { Diagnosis, Note, TargetResult } from '../../src/domain/round.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/domain/run-settings.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import { aBlueprint } from './builders.ts';

/** The reference that this text would have in a store. */
export function refTo(text: string): Ref {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { sha256, bytes: Buffer.byteLength(text) };
}

/** S₁, before any round. */
export function aState(changes: Partial<RunState> = {}): RunState {
  const refs = {
    settings: refTo('settings'),
    paper: refTo('paper'),
    blueprint: refTo('blueprint'),
  };
  return { ...begin(refs), ...changes };
}

export function written(path: string, content = `text of ${path}`): TargetResult {
  return { kind: 'written', path, file: refTo(content) };
}

export function refused(path: string, lastAttempt: Ref | null = null): TargetResult {
  return { kind: 'refused', path, reasons: ['It was hollow.'], lastAttempt };
}

export function aProblem(path: string, changes: Partial<Problem> = {}): Problem {
  const message = `${path} uses a name that is not there.`;
  return {
    kind: 'unresolved-name',
    path,
    symbol: 'main: gone',
    message,
    remedy: 'Use another.',
    ...changes,
  };
}

export function aDiagnosis(changes: Partial<Diagnosis> = {}): Diagnosis {
  return { schemaVersion: 1, problems: [], interfaces: {}, rolledBack: [], ...changes };
}

export function aNote(path: string, content = `text of ${path}`): Note {
  return { path, file: refTo(content), text: refTo(`note on ${path}`) };
}

/** What a round brings besides its results. */
export interface RoundWish {
  readonly problems?: readonly Problem[];
  readonly rolledBack?: readonly string[];
  readonly notes?: readonly Note[];
  readonly limits?: Partial<Limits>;
  /** The plan; where it is left out, one with files that no state holds. */
  readonly blueprint?: Blueprint;
}

/** The state after a round with these results; every written file has an interface. */
export function afterRound(
  state: RunState,
  results: readonly TargetResult[],
  wish: RoundWish = {},
): RunState {
  const interfaces = Object.fromEntries(
    results.flatMap(({ kind, path }) =>
      kind === 'written' ? [[path, refTo(`interface of ${path}`)]] : [],
    ),
  );
  const diagnosis = aDiagnosis({
    interfaces,
    problems: [...(wish.problems ?? [])],
    rolledBack: [...(wish.rolledBack ?? [])],
  });
  const refs = { subplan: refTo('subplan'), diagnosis: refTo('diagnosis') };
  const record = {
    kind: 'round' as const,
    results: [...results],
    notes: [...(wish.notes ?? [])],
    ...refs,
  };
  return advance(state, withDefaults({ record, diagnosis }, wish.limits, wish.blueprint));
}

/** The state after an inspection that reports these problems. */
export function afterInspection(
  state: RunState,
  problems: readonly Problem[],
  limits: Partial<Limits> = {},
): RunState {
  const record = { kind: 'inspection' as const, diagnosis: refTo('diagnosis'), notes: [] };
  return advance(
    state,
    withDefaults({ record, diagnosis: aDiagnosis({ problems: [...problems] }) }, limits),
  );
}

function withDefaults(
  parts: Pick<Advance, 'record' | 'diagnosis'>,
  limits: Partial<Limits> = {},
  blueprint: Blueprint = aBlueprint(),
): Advance {
  return {
    ...parts,
    blueprint,
    limits: { ...DEFAULT_LIMITS, ...limits },
    stateRef: refTo('state before'),
  };
}
