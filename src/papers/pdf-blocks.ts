import { fenced, type Block } from './blocks.ts';
import { equationsOf, isDisplay, isPieceOfDisplay } from './pdf-equations.ts';
import { blockOfFloat } from './pdf-float-block.ts';
import { gridOf } from './pdf-grid.ts';
import { headingOf, type BodyStyle, type FoundHeading } from './pdf-headings.ts';
import type { Piece } from './pdf-layout.ts';
import type { PdfBox } from './pdf-page.ts';
import { isProse, type Row } from './pdf-rows.ts';
import { joinLines } from './pdf-words.ts';

/** What the whole document says about its parts. */
export type Style = Readonly<{
  body: BodyStyle;
  outline: ReadonlyMap<string, number>;
  vocabulary: ReadonlySet<string>;
}>;

/** A heading that waits for its level, with how it is set. */
export type StyledHeading = FoundHeading & Readonly<{ size: number; bold: boolean }>;
/** A block, or a heading whose level only its type tells. */
export type LooseBlock = Block | Readonly<{ kind: 'styled'; heading: StyledHeading }>;

const BULLET = /^[•●◦▪■∗⋄‣–·✓]\s*(?=\S)/;
const ITEM = /^(?:\(?(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]|\[\d{1,3}\])\s+\S/;
/** What makes a formula of signs, rather than a piece of one. */
const RELATION = /[=≤≥<>∼∝≈←→∈≠:]/;

/** Reads pieces one after the other and makes paragraphs, headings, formulas and floats of them. */
export function blocksOf(pieces: readonly Piece[], style: Style): LooseBlock[] {
  const flow = new Flow(style);
  for (let index = 0; index < pieces.length;) index += flow.take(pieces, index);
  return flow.end();
}

class Flow {
  readonly #style: Style;
  readonly #blocks: LooseBlock[] = [];
  /** The lines of the paragraph under way. */
  #open: Row[] = [];
  /** What stands in the middle of a paragraph, and waits for its end. */
  #waiting: LooseBlock[] = [];
  #rules: readonly PdfBox[] = [];
  #above: Row | undefined;
  #hasHeading = false;

  constructor(style: Style) {
    this.#style = style;
  }

  /** Takes the next piece, or the pieces that belong to it; returns how many. */
  take(pieces: readonly Piece[], index: number): number {
    const piece = pieces[index];
    if (piece === undefined) return 1;
    if (piece.kind === 'page') {
      this.#rules = piece.rules;
      this.#push({ kind: 'text', text: `<!-- page ${piece.number} -->`, indent: '' });
      return 1;
    }
    if (piece.kind === 'float') {
      this.#push(blockOfFloat(piece.float, this.#style.vocabulary));
      return 1;
    }
    return this.#takeRow(pieces, index, piece.row);
  }

  end(): LooseBlock[] {
    this.#close();
    return this.#blocks;
  }

  #takeRow(pieces: readonly Piece[], index: number, row: Row): number {
    const rows = followingRows(pieces, index);
    const above = this.#above;
    const found = headingOf(row, above, this.#style.body, this.#style.outline);
    // Above the abstract stand names, in whatever type.
    const isFront = row.page === 1 && found?.level === 0 && !this.#hasHeading;
    const heading = isFront ? undefined : found;
    const count =
      heading === undefined ? this.#takeText(rows, row) : this.#takeHeading(rows, heading);
    this.#above = rows[count - 1];
    return count;
  }

  #takeText(rows: readonly Row[], row: Row): number {
    const display = displayLength(rows);
    if (display > 0) return this.#takeDisplay(rows.slice(0, display));
    const grid = gridLength(rows);
    if (grid > 0) {
      this.#close();
      const text = gridOf(rows.slice(0, grid).flatMap(({ segments }) => segments));
      this.#blocks.push({ kind: 'text', text: fenced('', text), indent: '' });
      return grid;
    }
    if (this.#startsParagraph(row)) this.#close();
    this.#open.push(row);
    return 1;
  }

  #takeHeading(rows: readonly Row[], heading: FoundHeading): number {
    this.#close();
    const [first] = rows;
    if (first === undefined) return 1;
    let count = 1;
    let { text } = heading;
    for (const next of rows.slice(1, 3)) {
      const last = rows[count - 1] ?? first;
      if (heading.rest !== '' || !continuesHeading(last, next)) break;
      text = joinLines([text, next.text], this.#style.vocabulary);
      count += 1;
    }
    const { size, bold } = first;
    this.#hasHeading = true;
    this.#blocks.push({ kind: 'styled', heading: { ...heading, text, size, bold } });
    if (heading.rest !== '') this.#open.push({ ...first, text: heading.rest });
    return count;
  }

  #takeDisplay(rows: readonly Row[]): number {
    this.#close();
    for (const { number, text } of equationsOf(rows, this.#rules)) {
      // Brackets that were drawn far from their formula say nothing.
      if (number === '' && !/[\p{L}\d]/u.test(text)) continue;
      const body = `$$\n${text}\n$$`;
      const isFormula = number !== '' || RELATION.test(text);
      this.#blocks.push(
        isFormula
          ? {
              kind: 'equation',
              title: number === '' ? '' : `(${number})`,
              body,
              labels: number === '' ? [] : [number],
              indent: '',
              isNumbered: number !== '',
            }
          : { kind: 'text', text: body, indent: '' },
      );
    }
    return rows.length;
  }

  #startsParagraph(row: Row): boolean {
    const last = this.#open.at(-1);
    const first = this.#open[0];
    if (last === undefined || first === undefined) return true;
    if (BULLET.test(row.text) || Math.abs(last.size - row.size) > 0.6) return true;
    const { leading } = this.#style.body;
    const isEnd = /[.?!:;”"]\)?(?:\^\S+)?$/.test(last.text);
    if (last.column !== row.column) {
      const isElsewhere =
        last.page !== row.page || row.y < last.y || last.column.x0 !== row.column.x0;
      if (isElsewhere) return isEnd && !/^\p{Ll}/u.test(row.text);
    }
    const gap = row.y - last.y;
    if (gap > leading * 1.4) return true;
    if (ITEM.test(row.text) && (isEnd || row.x0 < last.x0 - row.size * 0.7)) return true;
    const isIndented = row.x0 > last.x0 + row.size * 0.7 && row.x0 < last.x0 + row.size * 3.2;
    const isSecond = this.#open.length === 1;
    if (isIndented && !isSecond) return true;
    if (isIndented && isEnd && !BULLET.test(first.text)) return true;
    const isHanging = this.#open.length > 1 && row.x0 < last.x0 - row.size * 0.7;
    if (isHanging && (isEnd || Math.abs(first.x0 - row.x0) < 2)) return isEnd;
    const isShort = last.x1 < last.column.x1 - row.size * 4;
    return isShort && isEnd && /^[\p{Lu}\d([]/u.test(row.text);
  }

  /** Puts a block behind the paragraph under way, where that goes on after it. */
  #push(block: LooseBlock): void {
    const last = this.#open.at(-1);
    const goesOn = last !== undefined && !/[.?!:]\)?$/.test(last.text);
    if (goesOn) this.#waiting.push(block);
    else {
      this.#close();
      this.#blocks.push(block);
    }
  }

  #close(): void {
    const text = joinLines(
      this.#open.map((row) => row.text),
      this.#style.vocabulary,
    ).replace(BULLET, '- ');
    if (text !== '') this.#blocks.push({ kind: 'text', text, indent: '' });
    this.#blocks.push(...this.#waiting);
    this.#open = [];
    this.#waiting = [];
  }
}

function followingRows(pieces: readonly Piece[], index: number): Row[] {
  const rows: Row[] = [];
  for (const piece of pieces.slice(index, index + 60)) {
    if (piece.kind !== 'row') break;
    rows.push(piece.row);
  }
  return rows;
}

/** How many lines from the first on are one formula; 0 when the first is none. */
function displayLength(rows: readonly Row[]): number {
  let count = 0;
  let hasDisplay = false;
  for (const row of rows) {
    const last = rows[count - 1];
    const isNear = last === undefined || Math.abs(row.y - last.y) < row.size * 2.6;
    const isPart = isDisplay(row) || isPieceOfDisplay(row);
    if (!isPart || !isNear || (last && last.column !== row.column && last.page !== row.page)) break;
    hasDisplay ||= isDisplay(row);
    count += 1;
  }
  return hasDisplay ? count : 0;
}

/** How many lines from the first on are a table without a caption. */
function gridLength(rows: readonly Row[]): number {
  const end = rows.findIndex(
    ({ segments, page, maths }) => segments.length < 2 || page === 1 || maths > 0.3,
  );
  const count = end < 0 ? rows.length : end;
  return count >= 3 ? count : 0;
}

function continuesHeading(last: Row, next: Row): boolean {
  const isSame =
    Math.abs(last.size - next.size) < 0.3 && last.bold === next.bold && last.font === next.font;
  const isNear = next.y > last.y && next.y - last.y < last.size * 1.5;
  const isFull = last.x1 > last.column.x1 - last.size * 8;
  return (
    isSame && isNear && isFull && !isProse(next) && !/^(?:\d+|[A-Z])(?:\.\d+)*\.?\s/.test(next.text)
  );
}
