import { boxOfSegments, overlap, type PdfCaption } from './pdf-captions.ts';
import { boxAround, type PdfBox, type PdfPage } from './pdf-page.ts';
import type { Column } from './pdf-rows.ts';
import type { Segment } from './pdf-segments.ts';

/** What is known of a page when its tables and figures are looked for. */
export type PageView = Readonly<{
  page: PdfPage;
  segments: readonly Segment[];
  /** Lines of running text, which no table or figure goes beyond. */
  prose: ReadonlySet<Segment>;
  captions: readonly PdfCaption[];
  columnOf: (segment: Segment) => Column;
}>;

const FARTHEST_TABLE = 45;
const LEAST_FIGURE = 18;
const LEAST_OVERLAP = 25;
/** In points: how far a figure may stand out of its column; the next one is 15 away. */
const REACH = 6;

/** Where the table of a caption stands: the lines drawn around it, or else its rows. */
export function tableRegion(view: PageView, caption: PdfCaption): PdfBox | undefined {
  const stacks = ruleStacks(view);
  const [nearest] = stacks
    .filter((stack) => overlap(stack, caption.box) > 0 && !isBetween(view, caption, stack))
    .map((stack) => ({ stack, distance: distanceOf(stack, caption.box) }))
    .filter(({ distance }) => distance < FARTHEST_TABLE)
    .toSorted((a, b) => a.distance - b.distance);
  return nearest?.stack ?? cellRegion(view, caption);
}

function distanceOf(region: PdfBox, box: PdfBox): number {
  return Math.max(0, region.y0 - box.y1, box.y0 - region.y1);
}

/** Horizontal lines above each other without running text or a caption between them. */
function ruleStacks(view: PageView): PdfBox[] {
  const { page, prose, captions } = view;
  const walls = [
    ...[...prose].map((each) => boxOfSegments([each])),
    ...captions.map(({ box }) => box),
  ];
  const stacks: { box: PdfBox; count: number }[] = [];
  for (const rule of page.rules.toSorted((a, b) => a.y0 - b.y0)) {
    if (rule.x1 - rule.x0 < 12) continue;
    const stack = stacks.find(({ box }) => {
      const isNear = overlap(box, rule) > Math.min(box.x1 - box.x0, rule.x1 - rule.x0) * 0.7;
      const isOpen = !walls.some(
        (wall) => wall.y0 > box.y1 - 2 && wall.y1 < rule.y0 + 2 && overlap(wall, rule) > 0,
      );
      return isNear && isOpen;
    });
    if (stack === undefined) stacks.push({ box: rule, count: 1 });
    else {
      stack.box = boxAround([stack.box, rule]) ?? stack.box;
      stack.count += 1;
    }
  }
  return stacks
    .filter(({ box, count }) => count >= 2 && box.y1 - box.y0 > 10 && box.x1 - box.x0 > 40)
    .map(({ box }) => box);
}

function isBetween({ prose, captions }: PageView, caption: PdfCaption, region: PdfBox): boolean {
  const [from, to] =
    region.y0 > caption.box.y0 ? [caption.box.y1, region.y0] : [region.y1, caption.box.y0];
  const blocks = [
    ...[...prose].map((each) => boxOfSegments([each])),
    ...captions.filter((other) => other !== caption).map(({ box }) => box),
  ];
  return blocks.some(
    ({ y0, y1, ...box }) => (y0 + y1) / 2 > from && (y0 + y1) / 2 < to && overlap(box, region) > 0,
  );
}

/** Rows of cells right below the caption, or right above it. */
function cellRegion(view: PageView, caption: PdfCaption): PdfBox | undefined {
  const own = new Set(caption.lines);
  const reach = widthOf(view, caption);
  const free = view.segments.filter(
    (each) => !own.has(each) && !view.prose.has(each) && overlap(each, reach) > 0,
  );
  const walk = (isBelow: boolean): Segment[] => {
    const taken: Segment[] = [];
    let edge = isBelow ? caption.box.y1 : caption.box.y0;
    for (const each of isBelow ? free : free.toReversed()) {
      const gap = isBelow ? each.y - each.size * 0.8 - edge : edge - each.y;
      if (gap < -each.size * 1.2) continue;
      if (gap > each.size * 2.2 || isWall(view, edge, each)) break;
      taken.push(each);
      edge = isBelow ? Math.max(edge, each.y) : Math.min(edge, each.y - each.size * 0.8);
    }
    return taken;
  };
  const rows = [walk(true), walk(false)].find((cells) => isGrid(cells));
  return rows && boxOfSegments(rows);
}

function isWall({ prose }: PageView, edge: number, to: Segment): boolean {
  const [top, bottom] = [Math.min(edge, to.y), Math.max(edge, to.y)];
  return [...prose].some(({ y, ...box }) => y > top && y < bottom && overlap(box, to) > 0);
}

function isGrid(cells: readonly Segment[]): boolean {
  const lines = new Set(cells.map(({ y }) => Math.round(y / 3)));
  return lines.size >= 2 && cells.length >= lines.size * 1.6;
}

/** Where the drawing of a caption stands: above it, or else below; undefined when nothing is drawn there. */
export function figureRegion(view: PageView, caption: PdfCaption): PdfBox | undefined {
  return drawnIn(view, caption, true) ?? drawnIn(view, caption, false);
}

function drawnIn(view: PageView, caption: PdfCaption, isAbove: boolean): PdfBox | undefined {
  const { page, prose, captions, segments } = view;
  const reach = widthOf(view, caption);
  const isWithin = ({ x0, x1 }: PdfBox): boolean => overlap({ x0, x1 }, reach) > (x1 - x0) * 0.5;
  const drawn = [...page.graphics, ...page.rules].filter((box) => isWithin(box));
  const frames = page.graphics.filter(({ x0, x1, y0, y1 }) => x1 - x0 > 60 && y1 - y0 > 30);
  const walls = [...prose]
    .map((each) => boxOfSegments([each]))
    .filter((box) => !frames.some((frame) => holds(frame, box)))
    .concat(captions.filter((other) => other !== caption).map(({ box }) => box))
    // What only reaches over from the next column is no bound.
    .filter((box) => overlap(box, reach) > LEAST_OVERLAP);
  const from = isAbove
    ? Math.max(0, ...walls.map(({ y1 }) => y1).filter((y1) => y1 < caption.box.y0 + 2))
    : caption.box.y1;
  const to = isAbove
    ? caption.box.y0
    : Math.min(page.height, ...walls.map(({ y0 }) => y0).filter((y0) => y0 > caption.box.y1 - 2));
  const inside = drawn.filter(({ y0, y1 }) => y0 >= from - 3 && y1 <= to + 3);
  const box = boxAround(inside);
  if (box === undefined || box.y1 - box.y0 < LEAST_FIGURE || box.x1 - box.x0 < LEAST_FIGURE)
    return undefined;
  // Titles of axes and panels stand outside of what is drawn.
  const own = new Set(caption.lines);
  const words = segments
    .filter((each) => !own.has(each) && !prose.has(each))
    .filter((each) => overlap(each, reach) > (each.x1 - each.x0) * 0.5)
    .map((each) => boxOfSegments([each]))
    .filter(
      (each) => each.y0 >= Math.max(from, box.y0 - 26) && each.y1 <= Math.min(to, box.y1 + 26),
    );
  return boxAround([box, ...words]);
}

function holds(frame: PdfBox, box: PdfBox): boolean {
  return (
    frame.x0 <= box.x0 + 2 &&
    frame.x1 >= box.x1 - 2 &&
    frame.y0 <= box.y0 + 2 &&
    frame.y1 >= box.y1 - 2
  );
}

/** How far to the sides a figure may reach: its caption's column, or the page when the caption crosses columns. */
function widthOf({ columnOf, captions, page }: PageView, caption: PdfCaption): Column {
  const head = caption.lines[0];
  const column = head === undefined ? { x0: 0, x1: page.width } : columnOf(head);
  const beside = captions.filter(
    ({ box }) => box !== caption.box && box.y0 < caption.box.y1 && box.y1 > caption.box.y0,
  );
  const left = beside.map(({ box }) => box.x1).filter((x1) => x1 <= caption.box.x0 + 2);
  const right = beside.map(({ box }) => box.x0).filter((x0) => x0 >= caption.box.x1 - 2);
  return {
    x0: Math.max(column.x0 - REACH, ...left.map((x1) => (x1 + caption.box.x0) / 2)),
    x1: Math.min(column.x1 + REACH, ...right.map((x0) => (x0 + caption.box.x1) / 2)),
  };
}

/** The box of an algorithm: from its caption to the line drawn below its last step. */
export function algorithmRegion(view: PageView, caption: PdfCaption): PdfBox | undefined {
  const { page, captions } = view;
  const next = Math.min(
    page.height,
    ...captions.map(({ box }) => box.y0).filter((y0) => y0 > caption.box.y1),
  );
  const below = page.rules
    .filter((rule) => rule.y0 > caption.box.y0 && rule.y0 < next && rule.x1 - rule.x0 > 100)
    .filter((rule) => overlap(rule, caption.box) > 20 || rule.x0 <= caption.box.x0 + 4)
    .filter((rule) => rule.x0 < caption.box.x1 && rule.x1 > caption.box.x0)
    .toSorted((a, b) => a.y0 - b.y0);
  const [first, second] = below;
  if (first === undefined) return undefined;
  const hasTop = page.rules.some(
    (rule) =>
      rule.y1 < caption.box.y0 + 2 &&
      rule.y1 > caption.box.y0 - 14 &&
      Math.abs(rule.x0 - first.x0) < 3 &&
      Math.abs(rule.x1 - first.x1) < 3,
  );
  const isUnderTitle = first.y0 - caption.box.y1 < (hasTop ? 30 : 8);
  const last = isUnderTitle ? (second ?? first) : first;
  return boxAround([caption.box, first, last]);
}
