import type { Ref } from '../domain/ref.ts';
import type { TargetResult } from '../domain/round.ts';
import type { Steps, Turn } from './loop.ts';

/** Writes one target: turns of a reply and its writes, until one is accepted or the turns are used up. */
export async function writeFile(
  steps: Steps,
  task: Pick<Turn, 'at' | 'plan' | 'target' | 'needed'>,
): Promise<TargetResult> {
  const { path } = task.target;
  let conversation: Ref | null = null;
  let reasons: readonly string[] = [];
  let lastAttempt: Ref | null = null;
  for (let turn = 1; turn <= steps.maxTurns; turn += 1) {
    const asked: Turn = { ...task, turn, conversation };
    const reply = await steps.takeTurn(asked);
    if (reply.accepted) return { kind: 'written', path, file: reply.accepted };
    const end = await steps.applyTools(asked, reply);
    if (end.kind === 'accepted') return { kind: 'written', path, file: end.file };
    ({ conversation, reasons } = end);
    lastAttempt = end.lastAttempt ?? lastAttempt;
  }
  return { kind: 'refused', path, reasons: [...reasons], lastAttempt };
}
