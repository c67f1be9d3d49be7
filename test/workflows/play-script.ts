import assert from 'node:assert/strict';
import type { Outcome } from '../../src/domain/outcome.ts';
import type { At } from '../../src/domain/round.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import { reproducePaper, type Steps } from '../../src/workflows/loop.ts';
import { scriptedSteps, type Script, type ScriptedSteps } from './scripted-steps.ts';

/** A script's end, and each place where the loop stood. */
export interface Played {
  readonly outcome: Outcome;
  readonly steps: ScriptedSteps;
  readonly ats: readonly At[];
  readonly state: RunState;
}

/** Runs a script to its end and keeps each place where the loop stood, in `ats` while it runs. */
export async function play(script: Script, from?: At, ats: At[] = []): Promise<Played> {
  const steps = scriptedSteps(script);
  const kept = async (at: Promise<At>) => {
    ats.push(await at);
    return at;
  };
  const watched: Steps = {
    ...steps,
    begin: (paper, blueprint) => kept(steps.begin(paper, blueprint)),
    commitRound: (at, record) => kept(steps.commitRound(at, record)),
  };
  const outcome = await reproducePaper(watched, from);
  const last = ats.at(-1);
  assert.ok(last);
  return { outcome, steps, ats, state: steps.stateAt(last.stateRef) };
}
