import type { Block, Draft } from './blocks.ts';
import { levelByNumber } from './heading-levels.ts';
import { blocksOf, type LooseBlock, type StyledHeading } from './pdf-blocks.ts';
import { bodyStyleOf, outlineLevels } from './pdf-headings.ts';
import { layOut, type Piece } from './pdf-layout.ts';
import type { PdfSource } from './pdf-page.ts';
import type { Row } from './pdf-rows.ts';
import { joinLines, vocabularyOf } from './pdf-words.ts';

/** Reads the text of a PDF in its order: headings, paragraphs, formulas, tables, figures and algorithms. Never throws. */
export function draftOfPdf({ pages, outline, title }: PdfSource): Draft {
  const pieces = layOut(pages);
  const rows = pieces.flatMap((piece) => (piece.kind === 'row' ? [piece.row] : []));
  const body = bodyStyleOf(rows);
  const front = titleRows(pieces, body.size);
  const style = {
    body,
    outline: outlineLevels(outline),
    vocabulary: vocabularyOf(rows.map(({ text }) => text)),
  };
  const rest = pieces.filter((piece) => piece.kind !== 'row' || !front.has(piece.row));
  const blocks = levelled(blocksOf(rest, style));
  const found = joinLines(
    [...front].map(({ text }) => text),
    style.vocabulary,
  );
  return {
    form: 'pdf',
    title: found || title,
    blocks: levelByNumber(blocks),
    names: new Map(),
    notices: [
      'The paper is a PDF: formulas and tables were read from where their letters stand, so check them against it.',
    ],
  };
}

/** The lines of the title: the largest letters in the upper part of the first page. */
function titleRows(pieces: readonly Piece[], bodySize: number): Set<Row> {
  const rows: Row[] = [];
  let page = 0;
  for (const piece of pieces) {
    if (piece.kind === 'page') page += 1;
    if (page > 1) break;
    if (piece.kind === 'row' && piece.row.text.length > 2) rows.push(piece.row);
  }
  const sizeOf = ({ segments }: Row): number =>
    Math.max(...segments.flatMap(({ items }) => items.map(({ size }) => size)));
  const largest = Math.max(0, ...rows.filter(({ y }) => y < 420).map(sizeOf));
  if (largest < bodySize * 1.15) return new Set();
  const first = rows.findIndex((row) => sizeOf(row) > largest - 0.6);
  const title = new Set<Row>();
  for (const row of rows.slice(first, first + 5)) {
    const last = [...title].at(-1);
    const isNear = last === undefined || row.y - last.y < largest * 1.6;
    if (sizeOf(row) < Math.max(largest * 0.78, bodySize * 1.15) || !isNear) break;
    title.add(row);
  }
  return title;
}

/** Gives headings without a number the level of those that are set alike. */
function levelled(blocks: readonly LooseBlock[]): Block[] {
  const levels = new Map<string, number>();
  const styleOf = ({ size, bold }: StyledHeading): string => `${size.toFixed(0)} ${bold}`;
  for (const block of blocks) {
    if (block.kind !== 'styled' || block.heading.level === 0) continue;
    const key = styleOf(block.heading);
    levels.set(key, Math.min(levels.get(key) ?? 9, block.heading.level));
  }
  const deepest = Math.max(1, ...levels.values());
  return blocks.map((block): Block => {
    if (block.kind !== 'styled') return block;
    const { heading } = block;
    const level = heading.level || (levels.get(styleOf(heading)) ?? deepest + 1);
    return {
      kind: 'heading',
      level: level || 1,
      text: heading.text,
      front: heading.front,
      labels: [],
    };
  });
}
