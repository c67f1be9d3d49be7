import { isBoldFont, isExtensionFont, isMathFont } from './pdf-page.ts';
import type { PdfItem, PdfPage } from './pdf-page.ts';

/** Words that stand together on one line of a page. */
export type Segment = Readonly<{
  page: number;
  x0: number;
  x1: number;
  /** Baseline and size of most of its letters. */
  y: number;
  size: number;
  font: string;
  bold: boolean;
  /** Part of its letters that are of a font for formulas, 0 to 1. */
  maths: number;
  text: string;
  items: readonly PdfItem[];
}>;

/** In parts of the type size: wider gaps stand between cells, not between words. */
const CELL_GAP = 0.75;
const WORD_GAP = 0.14;
/** Letters above or below a line stand right at what they belong to. */
const SCRIPT_GAP = 0.3;
const LONGEST_SCRIPT = 12;

/** The segments of a page, from top to bottom and left to right. */
export function segmentsOf(page: PdfPage): Segment[] {
  const runs: PdfItem[][] = [];
  for (const item of page.items) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run && last && follows(run, last, item)) run.push(item);
    else runs.push([item]);
  }
  return joinNeighbours(runs.map((run) => segmentOf(page.number, run))).toSorted(
    (a, b) => a.y - b.y || a.x0 - b.x0,
  );
}

function follows(run: readonly PdfItem[], last: PdfItem, item: PdfItem): boolean {
  const gap = item.x - (last.x + last.width);
  const main = run.reduce((most, each) => (each.size > most.size ? each : most));
  const size = Math.max(main.size, item.size);
  if (gap > size * CELL_GAP || gap < -size * 0.6) return false;
  const drop = Math.abs(item.y - main.y);
  const isScript = Math.min(item.size, last.size) < size * 0.88 && drop > 0.5;
  if (isScript && gap > size * SCRIPT_GAP) return false;
  if (isExtensionFont(item.font) || isExtensionFont(last.font)) return drop < size * 1.8;
  return drop < (item.size < main.size * 0.88 || main.size < item.size * 0.88 ? 0.6 : 0.2) * size;
}

/** Joins what the file gives out of order, such as a script behind the line that it belongs to. */
function joinNeighbours(segments: readonly Segment[]): Segment[] {
  const result: Segment[] = [];
  const join = (at: number, segment: Segment): void => {
    const other = result[at];
    if (other === undefined) result.push(segment);
    else result[at] = segmentOf(segment.page, [...other.items, ...segment.items]);
  };
  const most = Math.max(0, ...segments.map(({ size }) => size));
  const isSmall = ({ text, size }: Segment): boolean =>
    text.length <= LONGEST_SCRIPT && size < most * 0.88;
  for (const segment of segments.filter((each) => !isSmall(each)).toSorted((a, b) => a.x0 - b.x0))
    join(
      result.findIndex((other) => touches(other, segment)),
      segment,
    );
  for (const segment of segments.filter(isSmall).toSorted((a, b) => a.x0 - b.x0))
    join(indexOfBase(result, segment), segment);
  return result;
}

function touches(left: Segment, right: Segment): boolean {
  const size = Math.max(left.size, right.size);
  const drop = Math.abs(left.y - right.y);
  if (drop >= size * 0.5) return false;
  const gap = right.x0 - left.x1;
  const isScript = Math.min(left.size, right.size) < size * 0.88 && drop > 0.5;
  if (gap >= size * (isScript ? SCRIPT_GAP : CELL_GAP) || gap <= -size * 0.5) return false;
  return drop < size * (isScript ? 0.5 : 0.15);
}

/** The line that a few small letters belong to: the nearest in whose reach they are; -1 for none. */
function indexOfBase(lines: readonly Segment[], script: Segment): number {
  let best = -1;
  let least = Infinity;
  for (const [index, line] of lines.entries()) {
    const drop = script.y - line.y;
    const isScript = script.size < line.size * 0.88;
    const isBeside = script.x0 > line.x0 - 1 && script.x0 < line.x1 + line.size * SCRIPT_GAP;
    const isInReach = drop > -line.size * 0.75 && drop < line.size * 0.45;
    if (isScript && !(isBeside && isInReach)) continue;
    if (!isScript && !touches(...inOrder(line, script))) continue;
    if (Math.abs(drop) >= least) continue;
    [best, least] = [index, Math.abs(drop)];
  }
  return best;
}

function inOrder(one: Segment, other: Segment): [Segment, Segment] {
  return one.x0 <= other.x0 ? [one, other] : [other, one];
}

/** Makes one segment of items on a line. */
export function segmentOf(page: number, unsorted: readonly PdfItem[]): Segment {
  const items = unsorted.toSorted((a, b) => a.x - b.x);
  const main = mainItem(items);
  const letters = items.reduce((sum, { text }) => sum + text.trim().length, 0);
  const count = (test: (font: string) => boolean) =>
    items.reduce((sum, { font, text }) => sum + (test(font) ? text.trim().length : 0), 0);
  return {
    page,
    x0: Math.min(...items.map(({ x }) => x)),
    x1: Math.max(...items.map(({ x, width }) => x + width)),
    y: main.y,
    size: main.size,
    font: main.font,
    bold: count(isBoldFont) > letters * 0.6,
    maths: count(isMathFont) / Math.max(1, letters),
    text: textOfItems(items, main),
    items,
  };
}

/** The largest kind of letters that is not rare. */
function mainItem(items: readonly PdfItem[]): PdfItem {
  const weights = new Map<string, { item: PdfItem; weight: number }>();
  for (const item of items) {
    const key = `${item.y.toFixed(0)} ${item.size.toFixed(1)}`;
    const known = weights.get(key) ?? { item, weight: 0 };
    // Among equals the larger one: scripts may be as many as letters.
    const weight = isExtensionFont(item.font) ? 0.01 : item.text.trim().length * item.size ** 2;
    weights.set(key, { item: known.item, weight: known.weight + weight });
  }
  const [first] = [...weights.values()].toSorted((a, b) => b.weight - a.weight);
  return first?.item ?? { text: '', x: 0, y: 0, width: 0, size: 10, font: '' };
}

/** The words of a line; letters above or below it are written with `^` and `_`. */
export function textOfItems(items: readonly PdfItem[], main: PdfItem): string {
  let text = '';
  let script = '';
  let scripted = '';
  let end: number | undefined;
  const close = (): void => {
    if (script !== '') text += scripted.length === 1 ? script + scripted : `${script}{${scripted}}`;
    [script, scripted] = ['', ''];
  };
  for (const item of items) {
    const mark = scriptOf(item, main);
    const gap = end === undefined ? 0 : item.x - end;
    const isSpace = gap > item.size * WORD_GAP || /^\s/.test(item.text);
    if (mark !== script) close();
    const soFar = mark === '' ? text : scripted;
    const isGlued = mark !== '' && script === '';
    if (isSpace && !isGlued && soFar !== '' && !soFar.endsWith(' ')) {
      if (mark === '') text += ' ';
      else scripted += ' ';
    }
    script = mark;
    if (mark === '') text += text === '' ? item.text.trimStart() : item.text;
    else scripted += item.text.trim();
    end = item.x + item.width;
  }
  close();
  return text.replace(/\s+/g, ' ').trim();
}

function scriptOf(item: PdfItem, main: PdfItem): '' | '^' | '_' {
  if (item.size > main.size * 0.88 || isExtensionFont(item.font)) return '';
  const drop = item.y - main.y;
  if (drop < -main.size * 0.15) return '^';
  return drop > main.size * 0.08 ? '_' : '';
}
