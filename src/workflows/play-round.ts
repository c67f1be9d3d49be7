import type { At, Note, RoundPlan, TargetResult } from '../domain/round.ts';
import { all, handled } from './all.ts';
import type { Steps } from './loop.ts';
import { writeFile } from './write-file.ts';

/** The state after a round, and the notes on its files, which are still being taken. */
export interface PlayedRound {
  readonly at: At;
  readonly notes: Promise<Note>[];
}

/**
 * Plays one round: writes each target as soon as those it needs are written, others in parallel; diagnoses; commits.
 * Notes on this round's files are started at once and left to the next round, which folds `earlierNotes` likewise:
 * so no prompt depends on which reply came first, and a slow note seldom blocks.
 */
export async function playRound(
  steps: Steps,
  at: At,
  plan: RoundPlan,
  earlierNotes: readonly Promise<Note>[],
): Promise<PlayedRound> {
  const notes: Promise<Note>[] = [];
  const writing = new Map<string, Promise<TargetResult>>();
  for (const target of plan.targets) {
    const needed = target.needs.flatMap((path) => writing.get(path) ?? []);
    const result = all(needed)
      .then((files) => writeFile(steps, { at, plan, target, needed: files }))
      .then((written) => {
        if (written.kind === 'written') notes.push(handled(steps.remember(at, written)));
        return written;
      });
    writing.set(target.path, handled(result));
  }
  const results = await all([...writing.values()]);
  const diagnosis = await steps.diagnoseRound(at, results);
  const next = await steps.commitRound(at, {
    kind: 'round',
    subplan: plan.subplan,
    results,
    diagnosis,
    notes: await all(earlierNotes),
  });
  return { at: next, notes };
}
