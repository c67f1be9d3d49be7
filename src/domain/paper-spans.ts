import type { PaperDocument, PaperPart } from './paper.ts';
import { estimateTokens, textOfPart } from './paper-text.ts';
import type { Requirement } from './requirement.ts';

/** A part of the paper, verbatim. */
export interface PaperSpan {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}

/**
 * The places of the requirements, verbatim, then the sections around them, within `tokens`; in the paper's order.
 * A part inside another one that is shown is not repeated. Requirements without a place add nothing.
 */
export function ownedSpans(
  document: PaperDocument,
  requirements: readonly Requirement[],
  tokens: number,
): PaperSpan[] {
  const parts = [...document.supplements, document.paper].flatMap((text) => text.parts);
  const owned = new Set(requirements.map(({ place }) => place));
  const wanted = [
    ...parts.filter(({ id }) => owned.has(id)),
    ...parts.flatMap((part, index) => (owned.has(part.id) ? around(parts, index) : [])),
  ];
  const kept = new Map<string, PaperSpan>();
  let left = tokens;
  for (const { id, title } of wanted) {
    const text = textOfPart(document, id);
    if (text === undefined || kept.has(id)) continue;
    if ([...kept.values()].some((span) => span.text.includes(text))) continue;
    const cost = estimateTokens(text);
    if (cost > left) continue;
    left -= cost;
    kept.set(id, { id, title, text });
  }
  return parts.flatMap(({ id }) => kept.get(id) ?? []);
}

/** The section that holds a part, and those before and after it. */
function around(parts: readonly PaperPart[], index: number): PaperPart[] {
  const isSection = ({ kind }: PaperPart): boolean => kind === 'section';
  const before = parts.slice(0, index).filter(isSection).slice(-2).reverse();
  const after = parts.slice(index + 1).find(isSection);
  return after ? [...before, after] : before;
}
