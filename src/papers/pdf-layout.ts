import { columnsOf, readingOrder, usualColumns } from './pdf-columns.ts';
import { bodyStyleOf } from './pdf-headings.ts';
import { takeFloats, type Float } from './pdf-floats.ts';
import { withoutFurniture } from './pdf-furniture.ts';
import type { PdfBox, PdfPage } from './pdf-page.ts';
import { isProse, type Row } from './pdf-rows.ts';
import { segmentsOf, type Segment } from './pdf-segments.ts';

/** What a page says, in the order of reading. */
export type Piece =
  | Readonly<{ kind: 'page'; number: number; rules: readonly PdfBox[] }>
  | Readonly<{ kind: 'row'; row: Row }>
  | Readonly<{ kind: 'float'; float: Float }>;

/** Puts the pages of a document in the order of reading: lines of text, and the tables and figures between them. */
export function layOut(pages: readonly PdfPage[]): Piece[] {
  const width = pages[0]?.width ?? 600;
  const clean = withoutFurniture(
    pages.map((page) => ({ height: page.height, segments: segmentsOf(page) })),
  );
  const found = clean.map((segments, index) => columnsOf(segments, pages[index]?.width ?? width));
  const usual = usualColumns(found, width);
  return pages.flatMap((page, index) => {
    const segments = clean[index] ?? [];
    const columns = columnsOf(segments, page.width, usual);
    const rows = readingOrder(segments, columns);
    const view = {
      page,
      segments,
      prose: new Set(textRows(rows).flatMap((row) => whole(row, segments))),
      columnOf: (segment: Segment) =>
        rows.find((row) => holds(row, segment))?.column ?? columns.text,
    };
    const { segments: rest, floats } = takeFloats(view);
    const pieces = readingOrder(rest, columns).map((row): Piece => {
      const mark = row.segments[0];
      const float = mark && floats.get(mark);
      return float ? { kind: 'float', float } : { kind: 'row', row };
    });
    return [{ kind: 'page' as const, number: page.number, rules: page.rules }, ...pieces];
  });
}

/** Lines of running text, with the last lines of paragraphs and sentences that stand alone. */
function textRows(rows: readonly Row[]): Row[] {
  const { size } = bodyStyleOf(rows);
  return rows.filter((row, index) => {
    if (isProse(row)) return true;
    const above = rows[index - 1];
    const isBody = row.segments.length === 1 && Math.abs(row.size - size) < 0.3 && row.maths < 0.5;
    if (!isBody || row.x0 > row.column.x0 + size * 3) return false;
    const endsParagraph =
      above !== undefined && isProse(above) && row.y - above.y > 0 && row.y - above.y < size * 1.5;
    return endsParagraph || (row.text.match(/\p{Ll}{2,}/gu)?.length ?? 0) >= 6;
  });
}

/** The segments that a line was made of. */
function whole(row: Row, segments: readonly Segment[]): Segment[] {
  return segments.filter((segment) => holds(row, segment));
}

function holds(row: Row, { y, size, x0, x1 }: Segment): boolean {
  return Math.abs(row.y - y) < size * 0.35 && x0 >= row.x0 - 0.1 && x1 <= row.x1 + 0.1;
}
