import type { Account } from '../domain/run-record.ts';
import type { NoteInput } from './inputs.ts';

/** The run's account as the workflow tells it. */
export function accountOf({
  purse,
  calls,
  reused,
}: Pick<NoteInput, 'purse' | 'calls' | 'reused'>): Account {
  const { unit, cap, spent, maybePaid } = purse;
  return { unit, cap, spent, maybePaid, calls, reused };
}
