import { fenced } from './blocks.ts';
import type { Block, NumberedBlock } from './blocks.ts';
import { sourceOf } from './latex-source.ts';
import type { LatexSource } from './latex-source.ts';
import { startOfCells, tableBetween } from './latex-table.ts';

/** A float (figure, table, algorithm) while it is read. */
export type Float = {
  kind: NumberedBlock['kind'];
  caption: string | undefined;
  labels: string[];
  images: string[];
  /** Greater than 0 inside a subfigure, whose caption is not that of the whole. */
  nesting: number;
  hasDrawing: boolean;
};

/** What is being written: finished blocks and the paragraph that is under way. */
export type Page = {
  blocks: Block[];
  line: string[];
  indent: string;
  /** The bullet that the next paragraph starts with. */
  marker: { text: string; indent: string } | undefined;
  /** Index of the last block when it is a list item: the next item joins it. */
  lastItem: number;
  list: { isOrdered: boolean; count: number; indent: string } | undefined;
  float: Float | undefined;
  labels: string[] | undefined;
  depth: number;
};

/** What the converter knows of the whole text. */
export type Reading = {
  readonly source: LatexSource;
  title: string;
  abstractName: string;
  /** Where a label outside of floats and equations belongs: the last heading. */
  sectionLabels: string[];
  sectionCounts: number[];
  readonly topLevel: number;
  isAppendix: boolean;
  readonly theorems: Map<string, { title: string; count: number }>;
  readonly names: Map<string, string>;
  readonly notices: Set<string>;
  /** Converts the tokens from `from` to `to` (not included) onto a page. */
  readonly walk: (page: Page, from: number, to: number) => void;
};

/** An empty page inside `outer`, if any. */
export function newPage(outer?: Page): Page {
  return {
    blocks: [],
    line: [],
    indent: '',
    marker: undefined,
    lastItem: -1,
    list: undefined,
    float: outer?.float,
    labels: outer?.labels,
    depth: (outer?.depth ?? 0) + 1,
  };
}

/** Ends the paragraph that is under way. */
export function endParagraph(page: Page): void {
  const text = page.line.join('').replace(/\s+/g, ' ').trim();
  page.line = [];
  if (text === '') return;
  const { marker } = page;
  if (marker === undefined) {
    page.blocks.push({ kind: 'text', text, indent: page.indent });
    return;
  }
  page.marker = undefined;
  const item = `${marker.indent}${marker.text}${text}`;
  const previous =
    page.lastItem === page.blocks.length - 1 ? page.blocks[page.lastItem] : undefined;
  if (previous?.kind === 'text') {
    page.blocks[page.lastItem] = { kind: 'text', text: `${previous.text}\n${item}`, indent: '' };
  } else {
    page.blocks.push({ kind: 'text', text: item, indent: '' });
    page.lastItem = page.blocks.length - 1;
  }
}

/** Adds Markdown that stands by itself, such as a code fence. */
export function addText(page: Page, text: string): void {
  endParagraph(page);
  if (text.trim() !== '') page.blocks.push({ kind: 'text', text, indent: page.indent });
}

/** Adds a part; inside a float it is only a piece of the float's body. */
export function addNumbered(page: Page, block: Omit<NumberedBlock, 'indent'>): void {
  endParagraph(page);
  if (page.float === undefined) {
    page.blocks.push({ ...block, indent: page.indent });
    return;
  }
  for (const label of block.labels) page.float.labels.push(label);
  page.blocks.push({ kind: 'text', text: block.body, indent: page.indent });
}

/** The tokens as one line of Markdown. */
export function inline(reading: Reading, outer: Page, from: number, to: number): string {
  const page = newPage(outer);
  reading.walk(page, from, to);
  endParagraph(page);
  return page.blocks
    .map((block) => (block.kind === 'text' || block.kind === 'heading' ? block.text : block.body))
    .join(' ')
    .trim();
}

/** Notes a label for the float, theorem or section that it stands in. */
export function noteLabel(reading: Reading, page: Page, label: string): void {
  (page.float?.labels ?? page.labels ?? reading.sectionLabels).push(label);
}

/** `text` between marks of emphasis; none around nothing. */
export function styled(mark: string, text: string): string {
  const trimmed = text.trim();
  return trimmed === '' ? text : `${mark}${trimmed}${mark}`;
}

/** Adds the tabular that begins at `at`: as a Markdown table, or as LaTeX when it is none. */
export function addTable(
  reading: Reading,
  page: Page,
  name: string,
  at: number,
  end: number,
): void {
  const { source } = reading;
  const start = startOfCells(name, source, at + 1, end);
  const table = tableBetween(source, start, end, (from, to) => inline(reading, page, from, to));
  const body = table ?? fenced('latex', sourceOf(source, at, end + 1));
  addNumbered(page, { kind: 'table', title: '', body, labels: [] });
}

/** A drawing cannot be read: say so where it stood. */
export function noteDrawing(reading: Reading, page: Page): void {
  reading.notices.add('Drawings made of LaTeX commands (tikz and the like) were not read.');
  if (page.float !== undefined) page.float.hasDrawing = true;
  else page.line.push(' (A drawing made of LaTeX commands, not shown.) ');
}
