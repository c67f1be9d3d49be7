import { isMathFont } from './pdf-page.ts';
import { segmentOf, type Segment } from './pdf-segments.ts';

/** A column of text on a page. */
export type Column = Readonly<{ x0: number; x1: number }>;

/** One line of a column: mostly one segment, more where wide gaps stand between its parts. */
export type Row = Readonly<{
  page: number;
  column: Column;
  segments: readonly Segment[];
  x0: number;
  x1: number;
  y: number;
  size: number;
  font: string;
  bold: boolean;
  maths: number;
  text: string;
}>;

/** In parts of the type size: baselines that are closer are one line. */
const SAME_LINE = 0.35;
/** In parts of the type size: stretched spaces between words are narrower. */
const STRETCHED_GAP = 2;

/** Puts segments of one column into lines, from top to bottom. */
export function rowsOf(segments: readonly Segment[], column: Column): Row[] {
  const groups: Segment[][] = [];
  for (const segment of segments.toSorted((a, b) => a.y - b.y)) {
    const group = groups.at(-1);
    const first = group?.[0];
    // A mark without words stands alone.
    const isSame =
      first &&
      first.text !== '' &&
      segment.text !== '' &&
      Math.abs(segment.y - first.y) < Math.min(first.size, segment.size) * SAME_LINE;
    if (group && isSame) group.push(segment);
    else groups.push([segment]);
  }
  return groups.map((group) => rowOf(group, column));
}

/** A line of some segments. */
export function rowOf(group: readonly Segment[], column: Column): Row {
  const segments = joinStretched(group.toSorted((a, b) => a.x0 - b.x0));
  const main = segments.reduce((most, each) => (weightOf(each) > weightOf(most) ? each : most));
  const items = segments.flatMap((segment) => segment.items);
  const letters = items.reduce((sum, { text }) => sum + text.length, 0);
  const formula = items.reduce(
    (sum, { text, font }) => sum + (isMathFont(font) ? text.length : 0),
    0,
  );
  return {
    page: main.page,
    column,
    segments,
    x0: Math.min(...segments.map(({ x0 }) => x0)),
    x1: Math.max(...segments.map(({ x1 }) => x1)),
    y: main.y,
    size: main.size,
    font: main.font,
    bold: segments.every(({ bold }) => bold),
    maths: formula / Math.max(1, letters),
    text: segments.map(({ text }) => text).join('  '),
  };
}

function joinStretched(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  for (const segment of segments) {
    const last = result.at(-1);
    const isWord =
      last && segment.x0 - last.x1 < last.size * STRETCHED_GAP && !isEquationNumber(segment.text);
    if (last && isWord)
      result[result.length - 1] = segmentOf(last.page, [...last.items, ...segment.items]);
    else result.push(segment);
  }
  return result;
}

/** Whether words are the number of a formula, such as (3) or (A.2). */
export function isEquationNumber(text: string): boolean {
  return /^\([A-Z]?\.?\d{1,3}(?:[.-]\d+)?[a-z]?\)$/.test(text);
}

function weightOf({ text, size }: Segment): number {
  return text.length * size;
}

/** Whether a line is running text: it fills most of its column with words, not with numbers. */
export function isProse({ segments, x0, x1, column, maths, text }: Row): boolean {
  if (segments.length > 1 || maths >= 0.5 || x1 - x0 <= (column.x1 - column.x0) * 0.8) return false;
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const digits = text.match(/\d/g)?.length ?? 0;
  return (text.match(/\p{Ll}{2,}/gu)?.length ?? 0) >= 4 && digits < letters * 0.35;
}
