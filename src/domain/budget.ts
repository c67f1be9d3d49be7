/** What a cap counts: US dollars where every model's price is known, else tokens. */
export type Unit = 'usd' | 'tokens';

/**
 * Money of a run, in its unit. `spent` holds `maybePaid`: calls whose end nobody saw, at their worst case.
 * `reserved` is what calls under way may still cost. `cap` is null for no limit (JSON has no infinity).
 */
export interface Purse {
  readonly unit: Unit;
  readonly cap: number | null;
  readonly spent: number;
  readonly maybePaid: number;
  readonly reserved: number;
}

/** What one paid step cost, counted once each time its calls were really made. */
export interface Settlement {
  readonly spent: number;
  readonly maybePaid: number;
  readonly calls: number;
  /** Calls answered from the journal, for nothing. */
  readonly reused: number;
}

/** Sums of floating-point dollars wander in the last digits; this much is never worth waiting for. */
const ROUNDING = 1e-9;

/** Whether `amount` more can be reserved without ever passing the cap. */
export function canReserve(purse: Purse, amount: number): boolean {
  return purse.cap === null || purse.spent + purse.reserved + amount <= purse.cap + ROUNDING;
}

/** The cap at which `amount` could be reserved if nothing else were under way. */
export function capFor(purse: Purse, amount: number): number {
  return purse.spent + amount;
}

export function reserve(purse: Purse, amount: number): Purse {
  return { ...purse, reserved: purse.reserved + amount };
}

/** Gives back a reservation and books what was really spent of it. */
export function settle(
  purse: Purse,
  reserved: number,
  settlement: Pick<Settlement, 'spent' | 'maybePaid'>,
): Purse {
  const left = purse.reserved - reserved;
  return {
    ...purse,
    // With nothing under way nothing is reserved, to the last digit: waits and ends depend on it.
    reserved: left < ROUNDING ? 0 : left,
    spent: purse.spent + settlement.spent + settlement.maybePaid,
    maybePaid: purse.maybePaid + settlement.maybePaid,
  };
}

/** An amount as a person reads it: `1.27 USD`, `0.0042 USD`, `1,250,000 tokens`. */
export function formatAmount(amount: number, unit: Unit): string {
  if (unit === 'tokens') return `${Math.ceil(amount).toLocaleString('en-US')} tokens`;
  return `${amount === 0 || amount >= 0.01 ? amount.toFixed(2) : amount.toPrecision(2)} USD`;
}
