import { isBlocking, type Finding } from './finding.ts';
import { estimateTokens } from './paper-text.ts';
import { takeFitting } from './take-fitting.ts';

/** What a line says besides: kind, weight, earlier repairs. */
const FRAME_TOKENS = 40;

/** Findings for which there is room, in their order, and the others. */
export interface ToldFindings {
  readonly told: readonly Finding[];
  readonly untold: readonly Finding[];
}

/**
 * What of many findings is told in `tokens`: blocking ones before warnings, and each file's first before any file's
 * second, so that a fault that is found everywhere in one file hides no other file's.
 */
export function tellFindings(findings: readonly Finding[], tokens: number): ToldFindings {
  const seen = new Map<string, number>();
  const ranked = findings.map((finding) => {
    const group = `${isBlocking(finding)} ${finding.path}`;
    const rank = seen.get(group) ?? 0;
    seen.set(group, rank + 1);
    return { finding, rank, warns: isBlocking(finding) ? 0 : 1 };
  });
  ranked.sort((one, other) => one.warns - other.warns || one.rank - other.rank);
  const fitting = takeFitting(ranked, tokens, ({ finding }) => costOf(finding));
  const told = new Set(fitting.map(({ finding }) => finding));
  return {
    told: findings.filter((finding) => told.has(finding)),
    untold: findings.filter((finding) => !told.has(finding)),
  };
}

function costOf({ path, symbol, message, remedy }: Finding): number {
  return estimateTokens([path, symbol, message, remedy].join('\n')) + FRAME_TOKENS;
}
