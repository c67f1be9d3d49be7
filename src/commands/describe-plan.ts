import type { Guidance } from '../domain/round.ts';
import { cleanLine } from './text-width.ts';

/** Why a model planned a round so, and how it amended the plan, in lines below the round's own. */
export function describePlan({
  rationale,
  amendments,
}: Pick<Guidance, 'rationale' | 'amendments'>): string[] {
  return [
    ...(rationale === '' ? [] : [`  why: ${cleanLine(rationale)}`]),
    ...amendments.map((sentence) => `  plan: ${cleanLine(sentence)}`),
  ];
}
