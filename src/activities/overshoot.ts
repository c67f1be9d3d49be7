import { formatAmount, type Unit } from '../domain/budget.ts';
import type { JournalEntry } from '../domain/journal-entry.ts';
import type { Deps } from './deps.ts';
import { say } from './say.ts';

/**
 * Tells of a call that cost more than its request could at worst: the provider counted more tokens than the text can
 * have, or wrote on beyond what it was asked for. No cap can hold such a call; none is made after it that does not fit.
 */
export async function sayOvershoot(
  deps: Deps,
  entry: JournalEntry,
  { worst, unit, run }: { readonly worst: number; readonly unit: Unit; readonly run: string },
): Promise<void> {
  if (entry.cost <= worst * ROUNDING) return;
  const { label, model, usage, cost } = entry;
  const counted = usage.estimated ? 'by our estimate' : 'by the provider’s count';
  const text = `${model} took ${formatAmount(cost, unit)} for ${label}, where at most ${formatAmount(worst, unit)} was to be expected: ${grouped(usage.inputTokens)} tokens in and ${grouped(usage.outputTokens)} out ${counted}.`;
  await say(deps, run, {
    kind: 'notice',
    round: 0,
    subject: `overshoot ${label}`,
    text,
    ref: null,
  });
}

/** As amounts in tokens are written. */
function grouped(tokens: number): string {
  return tokens.toLocaleString('en-US');
}

const ROUNDING = 1 + 1e-9;
