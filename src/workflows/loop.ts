import type { Outcome } from '../domain/outcome.ts';
import type { Ref } from '../domain/ref.ts';
import type { At, Note, RoundPlan, RoundRecord, Target, TargetResult } from '../domain/round.ts';
import { all, handled } from './all.ts';
import { playRound, takeNotes } from './play-round.ts';

/** What the analysts made of the paper, by reference. */
export interface Views {
  readonly figures: Ref;
  readonly concepts: Ref;
  readonly algorithms: Ref;
  readonly requirements: Ref;
}

/** One turn of the executor on one file. */
export interface Turn {
  readonly at: At;
  readonly plan: RoundPlan;
  readonly target: Target;
  /** From 1. */
  readonly turn: number;
  /** Turns that the file may take after this one. */
  readonly left: number;
  /** The messages so far, or null on the first turn. */
  readonly conversation: Ref | null;
  /** Files of this round that the target needs, as they were written. */
  readonly needed: readonly TargetResult[];
}

/** A reply with the conversation that led to it, both stored. */
export interface TurnReply {
  readonly conversation: Ref;
  readonly reply: Ref;
  /** The file, where the reply is one write and nothing else, and the write is accepted: nothing is left to carry out. */
  readonly accepted: Ref | null;
  /** What its writer was unsure of, where it is accepted and said so. */
  readonly doubts?: Ref;
}

/** What carrying out a reply led to: the file is accepted, or the conversation goes on. */
export type TurnEnd =
  | { readonly kind: 'accepted'; readonly file: Ref; readonly doubts?: Ref }
  | {
      readonly kind: 'go-on';
      readonly conversation: Ref;
      readonly reasons: readonly string[];
      readonly lastAttempt: Ref | null;
      /** More of a file that is too long for one reply has arrived; absent in histories of earlier versions. */
      readonly hasGrown?: boolean;
      /** Nothing more can come of it: the file ends refused, though turns are left. */
      readonly isEnd?: boolean;
    };

/** The verbs of the method (DESIGN section 3). The loop knows nothing of how they are done, retried or paid. */
export interface Steps {
  readPaper(): Promise<Ref>;
  analyseFigures(paper: Ref): Promise<Ref>;
  analyseConcepts(paper: Ref): Promise<Ref>;
  analyseAlgorithms(paper: Ref): Promise<Ref>;
  extractRequirements(paper: Ref): Promise<Ref>;
  draftBlueprint(paper: Ref, views: Views): Promise<Ref>;
  /** Waits for a person where the run asks for review; returns the blueprint as approved or amended. */
  approveBlueprint(blueprint: Ref): Promise<Ref>;
  begin(paper: Ref, blueprint: Ref): Promise<At>;
  /** Whether code plans the rounds, or a model that sees the whole state. */
  readonly mode: 'fast' | 'deepplan';
  planRound(at: At): Promise<RoundPlan>;
  /** How many turns a file may take. */
  readonly maxTurns: number;
  takeTurn(turn: Turn): Promise<TurnReply>;
  applyTools(turn: Turn, reply: TurnReply): Promise<TurnEnd>;
  remember(at: At, file: { readonly path: string; readonly file: Ref }): Promise<Note>;
  diagnoseRound(at: At, plan: RoundPlan, results: readonly TargetResult[]): Promise<Ref>;
  /** The verdicts on the checks that a model decides. */
  judgeRound(at: At, plan: RoundPlan, results: readonly TargetResult[]): Promise<Ref>;
  inspectRepository(at: At): Promise<Ref>;
  /** When requirements are verified; absent for never. */
  readonly verify?: 'gate' | 'rounds';
  /** The verifier's verdicts on what a round has written, and on its checks. */
  verifyRound(at: At, plan: RoundPlan, results: readonly TargetResult[]): Promise<Ref>;
  /** Its verdicts on all that no standing one decides. */
  verifyRepository(at: At): Promise<Ref>;
  commitRound(at: At, record: RoundRecord): Promise<At>;
  /** The round boundary: false when a person stopped the run. It may also never return here, continuing the run elsewhere from `at`. */
  mayGoOn(at: At): Promise<boolean>;
  writeReport(at: At): Promise<Outcome>;
}

/**
 * Reproduces one paper: reads and plans it, then plays rounds until the quality gate finds nothing left to do within
 * its bounds, or a person stops the run. Starts at `from` where a run goes on from a committed state.
 */
export async function reproducePaper(steps: Steps, from?: At): Promise<Outcome> {
  let at = from ?? (await plan(steps));
  while ((!at.view.stop || at.view.isProofDue) && (await steps.mayGoOn(at))) {
    if (at.view.isProofDue) {
      at = await prove(steps, at);
      continue;
    }
    // A model plans from the whole memory; what an interrupted run or a fork left pending is noted first.
    if (steps.mode === 'deepplan') at = await remembered(steps, at);
    const roundPlan = at.view.next ?? (await steps.planRound(at));
    const isDone = roundPlan.targets.length === 0;
    at = isDone ? await inspect(steps, at) : await playRound(steps, at, roundPlan);
  }
  return steps.writeReport(await remembered(steps, at));
}

/** With the notes on all written files folded in. */
async function remembered(steps: Steps, at: At): Promise<At> {
  if (at.view.withoutNotes.length === 0) return at;
  return steps.commitRound(at, { kind: 'notes', notes: await takeNotes(steps, at) });
}

/** The quality gate: a look at the whole repository when no target is left. */
async function inspect(steps: Steps, at: At): Promise<At> {
  const notes = handled(takeNotes(steps, at));
  const diagnosis = await steps.inspectRepository(at);
  return steps.commitRound(at, { kind: 'inspection', diagnosis, notes: await notes });
}

/** What the gate does once an inspection leaves nothing to do: each demand is held against the code. */
async function prove(steps: Steps, at: At): Promise<At> {
  return steps.commitRound(at, {
    kind: 'proof',
    verification: await steps.verifyRepository(at),
  });
}

/** From the paper to B₀ and the state before the first round. */
async function plan(steps: Steps): Promise<At> {
  const paper = await steps.readPaper();
  const [figures, concepts, algorithms, requirements] = await all([
    steps.analyseFigures(paper),
    steps.analyseConcepts(paper),
    steps.analyseAlgorithms(paper),
    steps.extractRequirements(paper),
  ] as const);
  const views = { figures, concepts, algorithms, requirements };
  const blueprint = await steps.draftBlueprint(paper, views);
  return steps.begin(paper, await steps.approveBlueprint(blueprint));
}
