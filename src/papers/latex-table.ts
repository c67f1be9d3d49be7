import { argumentAt, optionAt, skipBlank, sourceOf } from './latex-source.ts';
import type { LatexSource } from './latex-source.ts';

/** Wider tables are not for Markdown: they stay LaTeX. */
const MOST_COLUMNS = 64;
/** How much filling up short rows may cost before a table stays LaTeX. */
const MOST_CELLS = 200_000;

/** Rules between rows, and how many arguments they have. */
const RULES = new Map([
  ['hline', 0],
  ['toprule', 0],
  ['midrule', 0],
  ['bottomrule', 0],
  ['addlinespace', 0],
  ['cmidrule', 1],
  ['cline', 1],
  ['specialrule', 3],
  ['rowcolor', 1],
  ['endhead', 0],
  ['endfirsthead', 0],
  ['endfoot', 0],
  ['endlastfoot', 0],
]);

type Grid = { rows: string[][]; row: string[]; cell: string[]; span: number };

/** Arguments before the column specification, by environment. */
const LEADING_ARGUMENTS = new Map([
  ['tabular*', 1],
  ['tabularx', 1],
  ['tabulary', 1],
  ['tabularray', 0],
]);

/** Whether this environment is a table of cells. */
export function isTabular(environment: string): boolean {
  return (
    ['tabular', 'longtable', 'tabu', 'supertabular'].includes(environment) ||
    LEADING_ARGUMENTS.has(environment)
  );
}

/** Where the cells start: behind the options and the column specification. */
export function startOfCells(name: string, source: LatexSource, at: number, to: number): number {
  let next = at;
  for (let left = (LEADING_ARGUMENTS.get(name) ?? 0) + 1; left > 0; left -= 1) {
    next = optionAt(source, next, to)?.next ?? next;
    next = argumentAt(source, next, to)?.next ?? next;
  }
  return next;
}

/**
 * The cells between two tokens as a Markdown table, or undefined when they make none. `inline` converts one cell.
 * A cell over several columns is followed by empty ones.
 */
export function tableBetween(
  source: LatexSource,
  from: number,
  to: number,
  inline: (from: number, to: number) => string,
): string | undefined {
  const grid: Grid = { rows: [], row: [], cell: [], span: 1 };
  let start = from;
  for (let index = from; index < to;) {
    const token = source.tokens[index];
    const special = token && readSpecial(source, index, to, inline);
    if (special !== undefined) {
      grid.cell.push(inline(start, index));
      if (special.text !== undefined) grid.cell.push(special.text);
      grid.span = Math.max(grid.span, special.span);
      if (special.ends !== undefined) endCell(grid);
      if (special.ends === 'row') endRow(grid);
      if (grid.row.length > MOST_COLUMNS) return undefined;
      index = start = special.next;
    } else {
      const end = source.ends[index] ?? -1;
      index = end > index && end < to ? end + 1 : index + 1;
    }
  }
  grid.cell.push(inline(start, to));
  endCell(grid);
  endRow(grid);
  return markdownOf(grid.rows);
}

type Special = { next: number; span: number; text?: string; ends?: 'cell' | 'row' };

/** What has a meaning only in tables: separators, rules, wide cells. */
function readSpecial(
  source: LatexSource,
  at: number,
  to: number,
  inline: (from: number, to: number) => string,
): Special | undefined {
  const token = source.tokens[at];
  if (token?.kind === 'cell') return { next: at + 1, span: 1, ends: 'cell' };
  if (token?.kind !== 'command') return undefined;
  if (token.text === '\\' || token.text === 'tabularnewline') {
    return { next: optionAt(source, at + 1, to)?.next ?? at + 1, span: 1, ends: 'row' };
  }
  if (token.text === 'multicolumn') return readMulticolumn(source, at, to, inline);
  const argumentCount = RULES.get(token.text);
  if (argumentCount === undefined) return undefined;
  let next = optionAt(source, at + 1, to)?.next ?? at + 1;
  next = skipTrim(source, next, to);
  for (let left = argumentCount; left > 0; left -= 1)
    next = argumentAt(source, next, to)?.next ?? next;
  return { next, span: 1 };
}

function readMulticolumn(
  source: LatexSource,
  at: number,
  to: number,
  inline: (from: number, to: number) => string,
): Special | undefined {
  const count = argumentAt(source, at + 1, to);
  const columns = count && argumentAt(source, count.next, to);
  const content = columns && argumentAt(source, columns.next, to);
  if (count === undefined || content === undefined) return undefined;
  const span = Number(sourceOf(source, count.from, count.to).trim());
  const isUsable = Number.isInteger(span) && span >= 1 && span <= MOST_COLUMNS;
  return { next: content.next, span: isUsable ? span : 1, text: inline(content.from, content.to) };
}

/** The `(lr)` of `\cmidrule(lr){2-3}`. */
function skipTrim(source: LatexSource, at: number, to: number): number {
  const index = skipBlank(source, at, to);
  const token = source.tokens[index];
  return token?.kind === 'text' && /^\s*\([lr\d.a-z]*\)\s*$/.test(token.text) ? index + 1 : at;
}

function endCell(grid: Grid): void {
  grid.row.push(escapeBars(grid.cell.filter((piece) => piece !== '').join(' ')));
  for (let extra = 1; extra < grid.span; extra += 1) grid.row.push('');
  grid.cell = [];
  grid.span = 1;
}

function endRow(grid: Grid): void {
  if (grid.row.some((cell) => cell !== '')) grid.rows.push(grid.row);
  grid.row = [];
}

/** Bars would split a Markdown cell; in maths `\|` is a norm, so there they get their names. */
function escapeBars(cell: string): string {
  if (!cell.includes('|')) return cell;
  return cell
    .split(/(\$[^$]*\$)/)
    .map((piece) =>
      piece.startsWith('$') && piece.length > 1
        ? piece.replaceAll('\\|', '\\Vert ').replaceAll('|', '\\vert ')
        : piece.replaceAll('|', '\\|'),
    )
    .join('');
}

function markdownOf(rows: readonly (readonly string[])[]): string | undefined {
  const columns = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (rows.length === 0 || columns > MOST_COLUMNS || columns * rows.length > MOST_CELLS)
    return undefined;
  const lines = rows.map((row) => {
    const cells = [...row, ...Array.from({ length: columns - row.length }, () => '')];
    return `| ${cells.join(' | ')} |`;
  });
  lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  return lines.join('\n');
}
