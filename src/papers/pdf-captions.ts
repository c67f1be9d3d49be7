import { boxAround, type PdfBox } from './pdf-page.ts';
import type { Segment } from './pdf-segments.ts';

/** A caption, with the lines that it takes. */
export type PdfCaption = Readonly<{
  kind: 'table' | 'figure' | 'algorithm';
  lines: readonly Segment[];
  box: PdfBox;
}>;

const HEAD =
  /^(?:(?:Supplementary|Extended Data)\s+)?(Tab(?:le|\.)|Fig(?:ure|\.)|Algorithm|Listing|TABLE|FIGURE|ALGORITHM)\s*([A-Z]?\.?\d+(?:\.\d+)*|[IVX]+)\s*([:.|–—-]|$|\s+\S)/;
/** In parts of the type size: lines of a caption are closer to each other. */
const LEADING = 1.45;

/** The captions of a page. A sentence that only begins with "Figure 2 shows" is none. */
export function captionsOf(
  segments: readonly Segment[],
  prose: ReadonlySet<Segment>,
  rules: readonly PdfBox[],
): PdfCaption[] {
  const heads = segments.filter((segment) => isHead(segment, segments, prose));
  return heads.map((head) => {
    const kind = kindOf(head);
    const next = Math.min(...rules.filter((rule) => isRightBelow(rule, head)).map(({ y0 }) => y0));
    // Of an algorithm, what stands above the line under its title.
    const isOpen = kind === 'algorithm' && next === Infinity;
    const above = isOpen ? [] : segments.filter(({ y }) => y < next);
    const lines = linesFrom(head, above, new Set(heads));
    return { kind, lines, box: boxOfSegments(lines) };
  });
}

function isRightBelow(rule: PdfBox, { x0, x1, y, size }: Segment): boolean {
  return rule.y0 > y && rule.y0 < y + size * 4.5 && overlap(rule, { x0, x1 }) > (x1 - x0) * 0.6;
}

/** The place of some words, with the height of their letters. */
export function boxOfSegments(segments: readonly Segment[]): PdfBox {
  const boxes = segments.map(({ x0, x1, y, size }) => ({
    x0,
    y0: y - size * 0.8,
    x1,
    y1: y + size * 0.25,
  }));
  return boxAround(boxes) ?? { x0: 0, y0: 0, x1: 0, y1: 0 };
}

function kindOf({ text }: Segment): PdfCaption['kind'] {
  const word = HEAD.exec(text)?.[1]?.toLowerCase() ?? '';
  if (word.startsWith('tab')) return 'table';
  return word.startsWith('fig') ? 'figure' : 'algorithm';
}

function isHead(
  segment: Segment,
  segments: readonly Segment[],
  prose: ReadonlySet<Segment>,
): boolean {
  const [, word = '', , mark = ''] = HEAD.exec(segment.text) ?? [];
  if (word === '') return false;
  if (mark === ':' || mark === '|') return true;
  const first = segment.items[0];
  const isSetOff = first !== undefined && (segment.bold || first.font !== segment.font);
  if (/^[A-Za-z\s]/.test(mark)) {
    const next = /^\S+\s+\S+\s+(\S)/.exec(segment.text)?.[1] ?? '';
    const isName = /^algorithm/i.test(word) ? /\p{Lu}/u.test(next) : isSetOff;
    return isName && !continuesText(segment, segments, prose);
  }
  return isSetOff || !continuesText(segment, segments, prose);
}

/** Whether a line of running text in the same type stands right above. */
function continuesText(
  { x0, y, size }: Segment,
  segments: readonly Segment[],
  prose: ReadonlySet<Segment>,
): boolean {
  return segments.some(
    (above) =>
      prose.has(above) &&
      above.y < y &&
      y - above.y < size * LEADING &&
      Math.abs(above.size - size) < 0.4 &&
      above.x0 - 4 < x0 &&
      above.x1 > x0,
  );
}

function linesFrom(
  head: Segment,
  segments: readonly Segment[],
  heads: ReadonlySet<Segment>,
): Segment[] {
  const lines = [head];
  let { x0, x1 } = head;
  for (;;) {
    const last = lines.at(-1) ?? head;
    const below = segments.filter(
      (next) =>
        next.y > last.y + next.size * 0.5 &&
        next.y - last.y < head.size * LEADING &&
        Math.abs(next.size - head.size) < 0.4 &&
        overlap(next, { x0, x1 }) > Math.min(next.x1 - next.x0, x1 - x0) * 0.5,
    );
    const [next] = below;
    const isFull = x1 - x0 > 0 && last.x1 > x1 - head.size * 4;
    if (next === undefined || below.length > 1 || heads.has(next) || !isFull) return lines;
    x0 = Math.min(x0, next.x0);
    x1 = Math.max(x1, next.x1);
    lines.push(next);
  }
}

/** How far two stretches of a line lie over each other. */
export function overlap(
  one: { readonly x0: number; readonly x1: number },
  other: { readonly x0: number; readonly x1: number },
): number {
  return Math.max(0, Math.min(one.x1, other.x1) - Math.max(one.x0, other.x0));
}
