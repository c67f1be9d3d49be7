import type { Segment } from './pdf-segments.ts';
import { rowsOf, type Column, type Row } from './pdf-rows.ts';

/** Where running text stands on a page: one column or two, with a gutter between them. */
export type PageColumns = Readonly<{ gutter: Column | undefined; text: Column }>;

const LEAST_LINES_OF_COLUMN = 6;

/** The columns of a page, by its longer lines; `usual` are those of the document, for pages with little text. */
export function columnsOf(
  segments: readonly Segment[],
  width: number,
  usual?: PageColumns,
): PageColumns {
  const long = segments.filter(({ text, x0, x1 }) => text.length > 25 && x1 - x0 > width * 0.2);
  const own = textColumn(long, width, usual);
  const text = {
    x0: Math.min(own.x0, usual?.text.x0 ?? own.x0),
    x1: Math.max(own.x1, usual?.text.x1 ?? own.x1),
  };
  let best: { gutter: number; crossing: number } | undefined;
  for (let gutter = width * 0.4; gutter <= width * 0.6; gutter += 2) {
    const left = long.filter(({ x1 }) => x1 <= gutter + 1).length;
    const right = long.filter(({ x0 }) => x0 >= gutter - 1).length;
    const crossing = long.length - left - right;
    if (Math.min(left, right) < LEAST_LINES_OF_COLUMN && usual?.gutter === undefined) continue;
    if (Math.min(left, right) === 0 || crossing > (left + right) * 0.5) continue;
    if (best === undefined || crossing < best.crossing) best = { gutter, crossing };
  }
  if (best !== undefined) return { gutter: gapAround(long, best.gutter), text };
  return { gutter: long.length < LEAST_LINES_OF_COLUMN ? usual?.gutter : undefined, text };
}

/** The columns that most pages have. */
export function usualColumns(pages: readonly PageColumns[], width: number): PageColumns {
  const gutters = pages.flatMap(({ gutter }) => gutter ?? []);
  const isTwo = gutters.length > pages.length / 2;
  const median = (values: readonly number[], fallback: number) =>
    values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? fallback;
  const half = width / 2;
  return {
    gutter: isTwo
      ? {
          x0: median(
            gutters.map(({ x0 }) => x0),
            half,
          ),
          x1: median(
            gutters.map(({ x1 }) => x1),
            half,
          ),
        }
      : undefined,
    text: {
      x0: median(
        pages.map(({ text }) => text.x0),
        0,
      ),
      x1: median(
        pages.map(({ text }) => text.x1),
        width,
      ),
    },
  };
}

/** Margins by the edges that many lines share, so that notes in the margin lie outside. */
function textColumn(long: readonly Segment[], width: number, usual?: PageColumns): Column {
  if (long.length < LEAST_LINES_OF_COLUMN) return usual?.text ?? { x0: 0, x1: width };
  const shared = (edges: readonly number[]) => {
    const counts = new Map<number, number>();
    for (const edge of edges) {
      const key = Math.round(edge / 3);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    const most = Math.max(...counts.values());
    return [...counts].filter(([, count]) => count >= most * 0.3).map(([key]) => key * 3);
  };
  return {
    x0: Math.min(...shared(long.map(({ x0 }) => x0))) - 2,
    x1: Math.max(...shared(long.map(({ x1 }) => x1))) + 2,
  };
}

function gapAround(long: readonly Segment[], gutter: number): Column {
  const left = long.filter(({ x1 }) => x1 <= gutter + 1).map(({ x1 }) => x1);
  const right = long.filter(({ x0 }) => x0 >= gutter - 1).map(({ x0 }) => x0);
  return { x0: Math.max(...left), x1: Math.min(...right) };
}

/** The lines of a page in the order of reading: bands between lines across the page, in each left before right. */
export function readingOrder(segments: readonly Segment[], { gutter, text }: PageColumns): Row[] {
  const margin = segments.filter(({ x1, x0 }) => x1 < text.x0 - 2 || x0 > text.x1 + 2);
  const outside = new Set(margin);
  const inside = segments.filter((segment) => !outside.has(segment));
  const notes = rowsOf(margin, text);
  if (gutter === undefined) return [...rowsOf(inside, text), ...notes];
  const [left, right] = [
    { x0: text.x0, x1: gutter.x0 },
    { x0: gutter.x1, x1: text.x1 },
  ];
  const middle = (gutter.x0 + gutter.x1) / 2;
  const crosses = ({ x0, x1 }: Segment): boolean => x0 < middle - 4 && x1 > middle + 4;
  const across = rowsOf(inside.filter(crosses), text);
  const rows: Row[] = [];
  let rest = inside.filter((segment) => !crosses(segment));
  const takeBand = (below: number): void => {
    const band = rest.filter(({ y }) => y < below);
    rest = rest.filter(({ y }) => y >= below);
    rows.push(
      ...rowsOf(
        band.filter(({ x0 }) => x0 < middle - 4),
        left,
      ),
    );
    rows.push(
      ...rowsOf(
        band.filter(({ x0 }) => x0 >= middle - 4),
        right,
      ),
    );
  };
  for (const row of across) {
    takeBand(row.y - row.size * 0.5);
    rows.push(row);
  }
  takeBand(Infinity);
  return [...rows, ...notes];
}
