import type { Segment } from './pdf-segments.ts';

/** The part of a page, from its top and bottom edge, where running heads stand. */
const EDGE_SHARE = 0.1;
/** A line that comes back on so many pages is a running head. */
const RUNNING_SHARE = 0.3;
const LEAST_LINE_NUMBERS = 8;
const PAGE_NUMBER =
  /^(?:page\s*)?[-–—]?\s*(?:\d{1,4}|[ivxlc]{1,6})\s*[-–—]?(?:\s*(?:of|\/)\s*\d{1,4})?$/i;

type SegmentPage = Readonly<{ height: number; segments: readonly Segment[] }>;

/** Takes running heads, page numbers and the numbers of lines in the margin out of each page. */
export function withoutFurniture(pages: readonly SegmentPage[]): Segment[][] {
  const counts = new Map<string, number>();
  for (const page of pages)
    for (const key of new Set(edgeSegments(page).map((each) => maskOf(each, page.height))))
      counts.set(key, (counts.get(key) ?? 0) + 1);
  const least = Math.max(3, Math.ceil(pages.length * RUNNING_SHARE));
  return pages.map((page) => {
    const edges = new Set(edgeSegments(page));
    const numbers = lineNumbers(page.segments);
    return page.segments.filter((segment) => {
      if (numbers.has(segment)) return false;
      if (!edges.has(segment)) return true;
      if ((counts.get(maskOf(segment, page.height)) ?? 0) >= least) return false;
      return !(PAGE_NUMBER.test(segment.text) && isOutermost(segment, page.segments));
    });
  });
}

function edgeSegments({ segments, height }: SegmentPage): Segment[] {
  return segments.filter(({ y }) => y < height * EDGE_SHARE || y > height * (1 - EDGE_SHARE));
}

/** The same for a line of running text on all pages: its place, and its words without numbers. */
function maskOf({ text, y, size }: Segment, height: number): string {
  return `${y < height / 2 ? 'top' : 'bottom'} ${Math.round(y / 4)} ${size.toFixed(0)} ${text.replace(/\d+|\b[ivxlc]+\b/gi, '#')}`;
}

function isOutermost({ y, size }: Segment, segments: readonly Segment[]): boolean {
  const others = segments.filter((other) => Math.abs(other.y - y) > size);
  return others.every((other) => other.y < y) || others.every((other) => other.y > y);
}

/** Numbers alone at the same edge, more than a table has, each larger than the one above. */
function lineNumbers(segments: readonly Segment[]): Set<Segment> {
  const left = Math.min(...segments.map(({ x0 }) => x0));
  const right = Math.max(...segments.map(({ x1 }) => x1));
  const found = new Set<Segment>();
  for (const isAtEdge of [
    ({ x0 }: Segment) => x0 < left + 16,
    ({ x1 }: Segment) => x1 > right - 16,
  ]) {
    const numbers = segments.filter((each) => isAtEdge(each) && /^\d{1,4}$/.test(each.text));
    const values = numbers.map(({ text }) => Number(text));
    const steps = values.slice(1).map((value, index) => value - (values[index] ?? 0));
    const rising = steps.filter((step) => step === 1 || step === 5).length;
    if (numbers.length >= LEAST_LINE_NUMBERS && rising >= steps.length * 0.9)
      for (const number of numbers) found.add(number);
  }
  return found;
}
