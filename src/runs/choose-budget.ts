import { formatAmount, type Unit } from '../domain/budget.ts';
import { UsageError } from '../domain/errors.ts';
import type { RunSettings } from '../domain/run-settings.ts';
import { unpricedRole } from './choose-models.ts';

/** A cap and what it counts; `notice` tells the person of a choice that was made for them, or is empty. */
export interface Budget {
  readonly unit: Unit;
  readonly cap: number;
  readonly notice: string;
}

const DEFAULT_CAP_USD = 15;
const DEFAULT_CAP_TOKENS = 20_000_000;

/** In dollars where all prices are known, else in tokens. Throws `UsageError` where the wish does not fit. */
export function chooseBudget(
  models: RunSettings['models'],
  wish: { readonly usd: number | undefined; readonly tokens: number | undefined },
): Budget {
  if (wish.usd !== undefined && wish.tokens !== undefined)
    throw new UsageError('Give either --budget (USD) or --budget-tokens, not both.');
  if (wish.tokens !== undefined) return { unit: 'tokens', cap: wish.tokens, notice: '' };
  const role = unpricedRole(models);
  if (role === undefined) return { unit: 'usd', cap: wish.usd ?? DEFAULT_CAP_USD, notice: '' };
  const { model } = models[role];
  if (wish.usd !== undefined)
    throw new UsageError(
      `The price of "${model}" is not known, so --budget cannot be kept: add --price IN,OUT (USD per million tokens), or cap the run with --budget-tokens.`,
    );
  return {
    unit: 'tokens',
    cap: DEFAULT_CAP_TOKENS,
    notice: `The price of "${model}" is not known: the run is capped at ${formatAmount(DEFAULT_CAP_TOKENS, 'tokens')} (--price IN,OUT counts dollars, --budget-tokens sets another cap).`,
  };
}
