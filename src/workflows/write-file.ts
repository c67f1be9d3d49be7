import type { Ref } from '../domain/ref.ts';
import type { TargetResult } from '../domain/round.ts';
import type { Steps, Turn } from './loop.ts';

/** Turns that a file may take beyond the others' because it is too long for one reply. */
const MOST_FURTHER_TURNS = 8;

/**
 * Writes one target: turns of a reply and what it asks for, until a write is accepted or the turns are used up. A turn that
 * brought more of a long file is given back, within a bound.
 */
export async function writeFile(
  steps: Steps,
  task: Pick<Turn, 'at' | 'plan' | 'target' | 'needed'>,
): Promise<TargetResult> {
  const { path } = task.target;
  let conversation: Ref | null = null;
  let reasons: readonly string[] = [];
  let lastAttempt: Ref | null = null;
  const usual = task.target.turns ?? steps.maxTurns;
  let turns = usual;
  for (let turn = 1; turn <= turns; turn += 1) {
    const asked: Turn = { ...task, turn, left: turns - turn, conversation };
    const reply = await steps.takeTurn(asked);
    if (reply.accepted) return written(path, reply.accepted, reply.doubts);
    const end = await steps.applyTools(asked, reply);
    if (end.kind === 'accepted') return written(path, end.file, end.doubts);
    ({ conversation, reasons } = end);
    lastAttempt = end.lastAttempt ?? lastAttempt;
    if (end.isEnd) break;
    if (end.hasGrown && turns < usual + MOST_FURTHER_TURNS) turns += 1;
  }
  return { kind: 'refused', path, reasons: [...reasons], lastAttempt };
}

function written(path: string, file: Ref, doubts: Ref | undefined): TargetResult {
  return { kind: 'written', path, file, ...(doubts && { doubts }) };
}
