import type { PaperDocument } from './paper.ts';
import type { Requirement } from './requirement.ts';

/** Fewer words may stand in any paper, and formulas and rows of tables are written in many ways: they are believed. */
const LEAST_WORDS = 7;
/** Of letters in a row: some four words' ends meet by chance in any English text, this many rarely. */
const RUN_LETTERS = 14;
/** Below this part of its runs a quote is not the paper's; a slip or a formula in between costs a few. */
const LEAST_FOUND = 0.4;
/** So few wrong quotes are slips, however few right ones there are. */
const LEAST_LOST = 3;

/** What the ledger's quotes came to. */
export interface QuotesTold {
  /** Quotes of prose that were not in the paper. */
  readonly lost: number;
  /** All quotes of prose. */
  readonly all: number;
  /** Whether most of them are not in the paper: then the answers are about another one. */
  readonly isOtherPaper: boolean;
}

/**
 * Holds each requirement's quote against the paper, its supplements and the person's requests. A quote of prose that is
 * in none of them is taken from its requirement, which is marked as misquoted. Pure.
 */
export function holdQuotes(
  requirements: readonly Requirement[],
  { paper, supplements }: PaperDocument,
  requests: readonly string[],
): Requirement[] {
  const texts = [...[paper, ...supplements].map(({ markdown }) => markdown), ...requests];
  const known = new Set(texts.flatMap((text) => runsOf(plain(text))));
  return requirements.map((requirement) => {
    if (!isProse(requirement.quote)) return requirement;
    const runs = runsOf(plain(requirement.quote));
    const found = runs.filter((run) => known.has(run)).length;
    return found >= LEAST_FOUND * runs.length
      ? requirement
      : { ...requirement, quote: '', misquoted: true };
  });
}

/** How many quotes of a ledger that was held against its paper were lost, and whether too many. */
export function quotesTold(requirements: readonly Requirement[]): QuotesTold {
  const lost = requirements.filter(({ misquoted }) => misquoted === true).length;
  const kept = requirements.filter(({ quote }) => isProse(quote)).length;
  return { lost, all: lost + kept, isOtherPaper: lost >= LEAST_LOST && lost > kept };
}

/** What a person must know of lost quotes; empty where none was lost. */
export function lostQuotesText(requirements: readonly Requirement[]): string {
  const { lost, all, isOtherPaper } = quotesTold(requirements);
  if (lost === 0) return '';
  const count = `${lost} of ${all} sentences that requirements quote are not in the paper`;
  return isOtherPaper
    ? `${count}: the answers seem to be about another paper.`
    : `${count}; those requirements stand without a quote.`;
}

/** Whether there is enough of it to be found again, beside formulas: words of three letters and more. */
function isProse(quote: string): boolean {
  return (plain(quote).match(/\p{L}{3,}/gu) ?? []).length >= LEAST_WORDS;
}

/** In lower case, without what PDF and LaTeX write differently: commands, accents, ligatures. */
function plain(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\\[a-z]+\*?/g, ' ');
}

/** All runs of letters, as if nothing stood between them: spaces, hyphens, marks and digits are set in many ways. */
function runsOf(text: string): string[] {
  const letters = text.replace(/\P{L}+/gu, '');
  return Array.from({ length: Math.max(0, letters.length - RUN_LETTERS + 1) }, (_, index) =>
    letters.slice(index, index + RUN_LETTERS),
  );
}
