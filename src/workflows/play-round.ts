import type { At, Note, RoundPlan, RoundRecord, TargetResult } from '../domain/round.ts';
import { all, handled } from './all.ts';
import type { Steps } from './loop.ts';
import { writeFile } from './write-file.ts';

/**
 * Plays one round: writes each target as soon as those it needs are written, others in parallel; diagnoses; commits.
 * In fast mode it takes the notes on files of earlier rounds beside the writing and folds them in with its own commit:
 * so no prompt depends on which reply came first, and a slow note seldom blocks. Where a model plans, each file's note
 * is started as soon as the file is written and all are awaited, since the next subplan sees the memory whole. Either
 * way nothing is under way between two rounds.
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
  const notes = handled(
    steps.mode === 'deepplan'
      ? notesOnRound(steps, at, plan, [...writing.values()])
      : takeNotes(steps, at),
  );
  const results = await all([...writing.values()]);
  // Beside the notes, which are under way, and the diagnosis.
  const isVerified = steps.verify === 'rounds';
  const judging =
    plan.isJudged && !isVerified ? handled(steps.judgeRound(at, plan, results)) : undefined;
  const verifying = isVerified ? handled(steps.verifyRound(at, plan, results)) : undefined;
  const diagnosis = await steps.diagnoseRound(at, plan, results);
  const record: RoundRecord = {
    kind: 'round',
    subplan: plan.subplan,
    results,
    diagnosis,
    notes: await notes,
  };
  const judgement = await judging;
  const verification = await verifying;
  return steps.commitRound(at, {
    ...record,
    ...(judgement && { judgement }),
    ...(verification && { verification }),
  });
}

/** Notes on all written files that have none; the journal makes a second asking free. */
export function takeNotes(steps: Steps, at: At): Promise<Note[]> {
  return all(at.view.withoutNotes.map((file) => steps.remember(at, file)));
}

/** Notes on the files of the round, in its order, each started as soon as its file is written. */
async function notesOnRound(
  steps: Steps,
  at: At,
  plan: RoundPlan,
  writing: readonly Promise<TargetResult>[],
): Promise<Note[]> {
  const under = plan.blueprint ? { ...at, blueprint: plan.blueprint } : at;
  const notes = writing.map(async (file) => {
    const result = await file;
    return result.kind === 'written' ? [await steps.remember(under, result)] : [];
  });
  return (await all(notes)).flat();
}
