import { z } from 'zod';
import type { Unit } from './budget.ts';
import type { Role } from './message.ts';
import { costUsd } from './pricing.ts';
import type { Price } from './price-table.ts';
import type { VerifyMode } from './verification.ts';

/** From the least that is likely to the most, in the unit of the run's budget. */
export const Range = z.strictObject({ low: z.number().min(0), high: z.number().min(0) });
export type Range = Readonly<z.infer<typeof Range>>;

/** What a run is likely to cost: planning, each file, and how many files; refined once the blueprint says how many. */
export const Estimate = z.strictObject({
  planning: Range,
  perFile: Range,
  files: Range,
});
export type Estimate = Readonly<z.infer<typeof Estimate>>;

/** What an estimate is made from. */
export interface EstimateBasis {
  /** Of the paper and its supplements, as Markdown. */
  readonly paperCharacters: number;
  readonly mode: string;
  /** When requirements are verified; never where it is absent. */
  readonly verify?: VerifyMode;
  readonly unit: Unit;
  /** Needed where the unit is `usd`. */
  readonly priceOf: (role: Role) => Price | null;
}

/** One kind of call. Tokens besides the paper; `share` is how many of them there are for each unit of work. */
interface CallKind {
  readonly role: Role;
  readonly share: number;
  readonly inputTokens: number;
  readonly seesPaper: boolean;
  readonly outputTokens: number;
}

/**
 * Fitted on a measured run: a paper of 65,000 characters, 6 analysis, 4 planner, 20 executor and 20 memory calls, 20
 * files, 0.90 M tokens in, 0.13 M out, 89 % of the input from the prompt cache. The sums here give 0.89 M and 0.13 M.
 */
const CHARACTERS_PER_TOKEN = 4;
const MOST_PAPER_TOKENS = 60_000;
const PLANNING: readonly CallKind[] = [
  { role: 'analysis', share: 6, inputTokens: 1_000, seesPaper: true, outputTokens: 5_000 },
  { role: 'planner', share: 4, inputTokens: 25_000, seesPaper: true, outputTokens: 8_000 },
];
const PER_FILE: readonly CallKind[] = [
  { role: 'executor', share: 1, inputTokens: 12_000, seesPaper: true, outputTokens: 2_800 },
  { role: 'memory', share: 1, inputTokens: 3_000, seesPaper: false, outputTokens: 500 },
];
/** In deepplan a model plans each round, of about four files, and another reads over what was written. */
const PER_ROUND: readonly CallKind[] = [
  { role: 'planner', share: 0.25, inputTokens: 45_000, seesPaper: true, outputTokens: 3_300 },
  { role: 'judge', share: 0.25, inputTokens: 14_000, seesPaper: false, outputTokens: 500 },
];

/**
 * The verifier, once over a whole repository: about three calls for 14 files and 130 demands, each on whole files.
 * Reckoned from the bounds of its calls, not measured yet.
 */
const VERIFYING: CallKind = {
  role: 'judge',
  share: 0.22,
  inputTokens: 27_000,
  seesPaper: true,
  outputTokens: 6_000,
};
/** How often over: at the gate once, and in part after repairs; after each round the demands whose files were written. */
const VERIFIED_TIMES: Readonly<Record<VerifyMode, number>> = { off: 0, gate: 1.3, rounds: 2.5 };

/** Between a run in which all goes well, and one with refusals, repairs, much reasoning and little from the cache. */
const BEST = { calls: 1, output: 0.8, cachedShare: 0.9 };
const WORST = { calls: 1.4, output: 1.4, cachedShare: 0.7 };
/**
 * A file is planned for about so many characters of paper, besides those that every repository has. What a paper asks
 * for has little to do with its length: 19 files were planned for 29,000 characters, 31 for 26,000, 20 for 65,000.
 */
const CHARACTERS_PER_FILE = 6_500;
const FILES_OF_EVERY_REPOSITORY = 14;
const MOST_FILES = 40;
const FEWER_FILES = 0.75;
const MORE_FILES = 1.8;
/** Of all files, those that may yet need one more repair. */
const REPAIRED_SHARE = 0.2;

/** What a run on such a paper is likely to cost. */
export function estimateRun(basis: EstimateBasis): Estimate {
  const times = VERIFIED_TIMES[basis.verify ?? 'off'];
  const perFile = [
    ...PER_FILE,
    ...(basis.mode === 'deepplan' ? PER_ROUND : []),
    ...(times > 0 ? [{ ...VERIFYING, share: VERIFYING.share * times }] : []),
  ];
  const files = Math.min(
    MOST_FILES,
    FILES_OF_EVERY_REPOSITORY + basis.paperCharacters / CHARACTERS_PER_FILE,
  );
  return {
    planning: costOf(PLANNING, basis),
    perFile: costOf(perFile, basis),
    files: { low: Math.round(files * FEWER_FILES), high: Math.round(files * MORE_FILES) },
  };
}

/** The whole cost before anything is known of the plan. */
export function expectedAtStart({ planning, perFile, files }: Estimate): Range {
  return {
    low: planning.low + files.low * perFile.low,
    high: planning.high + files.high * perFile.high,
  };
}

/** Where a run stands, as far as what is left to pay depends on it. */
export interface Standing {
  /** In the unit of the budget. */
  readonly spent: number;
  /** All files of the plan that count; 0 before there is a plan. */
  readonly files: number;
  /** Those that are still to be written. */
  readonly filesLeft: number;
}

/** The whole cost as it looks now: what is spent, and what the files left are likely to cost. */
export function expectedNow(estimate: Estimate, { spent, files, filesLeft }: Standing): Range {
  if (files === 0) {
    const whole = expectedAtStart(estimate);
    return { low: Math.max(spent, whole.low), high: Math.max(spent, whole.high) };
  }
  const { low, high } = estimate.perFile;
  return {
    low: spent + filesLeft * low,
    high: spent + (filesLeft + files * REPAIRED_SHARE) * high,
  };
}

/** A range as a person may believe it, hardly more than one digit: `3–6 USD`, `0.6–2 M tokens`, `less than 0.01 USD`. */
export function formatRange({ low, high }: Range, unit: Unit): string {
  const [scale, name] = unit === 'usd' ? [1, 'USD'] : [1_000_000, 'M tokens'];
  const most = oneDigit(high / scale, Math.ceil);
  if (most <= LEAST_SHOWN) return `less than ${LEAST_SHOWN} ${name}`;
  const least = oneDigit(low / scale, Math.floor);
  return least === most ? `about ${most} ${name}` : `${least}–${most} ${name}`;
}

const LEAST_SHOWN = 0.01;

function oneDigit(value: number, round: (value: number) => number): number {
  if (value < LEAST_SHOWN / 10) return round(value * 100) / 100;
  const digit = 10 ** Math.floor(Math.log10(value));
  // Between 1 and 2 a whole digit would be half the value.
  const step = value < 2 * digit ? digit / 2 : digit;
  // Through a string, since 3 * 0.1 is not 0.3.
  return Number(
    (round(value / step + (round === Math.floor ? 1e-9 : -1e-9)) * step).toPrecision(2),
  );
}

function costOf(kinds: readonly CallKind[], basis: EstimateBasis): Range {
  const total = (how: typeof BEST) =>
    kinds.reduce((sum, kind) => sum + kind.share * how.calls * oneCall(kind, basis, how), 0);
  return { low: total(BEST), high: total(WORST) };
}

function oneCall(kind: CallKind, basis: EstimateBasis, how: typeof BEST): number {
  const paper = Math.min(MOST_PAPER_TOKENS, basis.paperCharacters / CHARACTERS_PER_TOKEN);
  const inputTokens = kind.inputTokens + (kind.seesPaper ? paper : 0);
  const outputTokens = kind.outputTokens * how.output;
  if (basis.unit === 'tokens') return inputTokens + outputTokens;
  const price = basis.priceOf(kind.role) ?? { input: 0, cached: 0, output: 0 };
  return costUsd({ inputTokens, cachedTokens: inputTokens * how.cachedShare, outputTokens }, price);
}
