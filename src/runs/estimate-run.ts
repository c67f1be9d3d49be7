import { formatAmount, type Unit } from '../domain/budget.ts';
import { estimateRun, expectedAtStart, formatRange, type Estimate } from '../domain/estimate.ts';
import type { RunSettings } from '../domain/run-settings.ts';

/** What a run under these settings on a paper of so many characters is likely to cost. */
export function estimateFor(
  { mode, models, unit, verify }: Pick<RunSettings, 'mode' | 'models' | 'unit' | 'verify'>,
  paperCharacters: number,
): Estimate {
  return estimateRun({
    ...{ paperCharacters, mode, unit, priceOf: (role) => models[role].price },
    ...(verify && { verify }),
  });
}

/** The estimate as one line, with the cap beside it; empty where nothing costs anything. */
export function describeEstimate(
  estimate: Estimate,
  { unit, cap }: { readonly unit: Unit; readonly cap: number | null },
): string {
  const range = expectedAtStart(estimate);
  if (range.high === 0) return '';
  const { low, high } = estimate.files;
  const capped = cap === null ? '' : `; cap ${formatAmount(cap, unit)}`;
  return `Estimate: ${formatRange(range, unit)} for ${low}–${high} files${capped}.`;
}
