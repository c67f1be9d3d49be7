import type { At, Note, RoundPlan, TargetResult } from '../domain/round.ts';
import { all, handled } from './all.ts';
import type { Steps } from './loop.ts';
import { writeFile } from './write-file.ts';

/**
 * Plays one round: writes each target as soon as those it needs are written, others in parallel; diagnoses; commits.
 * Beside the writing it takes the notes on files of earlier rounds and folds them in with its own commit: so no prompt
 * depends on which reply came first, a slow note seldom blocks, and nothing is under way between two rounds.
 */
export async function playRound(steps: Steps, at: At, plan: RoundPlan): Promise<At> {
  const writing = new Map<string, Promise<TargetResult>>();
  for (const target of plan.targets) {
    const needed = target.needs.flatMap((path) => writing.get(path) ?? []);
    const start = (files: TargetResult[]) => writeFile(steps, { at, plan, target, needed: files });
    const result = needed.length === 0 ? start([]) : all(needed).then(start);
    writing.set(target.path, handled(result));
  }
  // Started after the writes that can start, which have the longer way to go.
  const notes = handled(takeNotes(steps, at));
  const results = await all([...writing.values()]);
  const diagnosis = await steps.diagnoseRound(at, results);
  return steps.commitRound(at, {
    kind: 'round',
    subplan: plan.subplan,
    results,
    diagnosis,
    notes: await notes,
  });
}

/** Notes on all written files that have none; the journal makes a second asking free. */
export function takeNotes(steps: Steps, at: At): Promise<Note[]> {
  return all(at.view.withoutNotes.map((file) => steps.remember(at, file)));
}
