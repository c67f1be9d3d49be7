import { isExtensionFont, type PdfBox, type PdfItem } from './pdf-page.ts';
import { textOfItems } from './pdf-segments.ts';
import { isEquationNumber, isProse, type Row } from './pdf-rows.ts';

/** A formula on lines of its own; `number` is what it is quoted by, or empty. */
export type Equation = Readonly<{ number: string; text: string }>;

const OPERATORS = new Set(['log', 'exp', 'max', 'min', 'arg', 'sup', 'inf', 'sin', 'cos', 'tanh']);
const LEAST_MATHS = 0.3;

/** Whether a line is a formula set off from the text. */
export function isDisplay(row: Row): boolean {
  const { column, x0, maths, size } = row;
  if (isProse(row)) return false;
  if (numberOf(row) !== undefined)
    return maths > 0.1 || row.segments.length === 1 || words(row) <= 3;
  const isSetIn = x0 > column.x0 + size * 1.5 && maths > LEAST_MATHS;
  return (isSetIn && words(row) <= 3 + maths * 4) || (maths > 0.6 && words(row) <= 2);
}

/** Whether a line next to a formula is a piece of it, such as a numerator or a limit. */
export function isPieceOfDisplay(row: Row): boolean {
  const { column, x0, size, maths } = row;
  return !isProse(row) && x0 > column.x0 + size * 1.2 && words(row) <= (maths > 0.2 ? 2 : 0);
}

function words({ text }: Row): number {
  const all = text.match(/(?<![\p{L}_^{])\p{Ll}{3,}(?!\p{L})/gu) ?? [];
  return all.filter((word) => !OPERATORS.has(word)).length;
}

function numberOf(row: Row): string | undefined {
  return splitNumber(row)?.number;
}

/** The number at the right end of a formula, and the letters before it. */
function splitNumber(row: Row): { number: string; before: PdfItem[] } | undefined {
  const { segments, column, size, x1, maths } = row;
  if (x1 < column.x1 - size * 2.5) return undefined;
  const items = segments.flatMap((segment) => segment.items).toSorted((a, b) => a.x - b.x);
  const isApart = isEquationNumber(segments.at(-1)?.text ?? '');
  if (!isApart && (maths < LEAST_MATHS || words(row) > 3)) return undefined;
  let text = '';
  for (let at = items.length - 1; at >= 0 && text.length < 9; at -= 1) {
    text = (items[at]?.text.trim() ?? '') + text;
    if (isEquationNumber(text)) return { number: text.slice(1, -1), before: items.slice(0, at) };
  }
  return undefined;
}

/** The formulas of lines that stand together: one for each number, or one. */
export function equationsOf(rows: readonly Row[], rules: readonly PdfBox[]): Equation[] {
  const numbered = rows.flatMap((row) => {
    const number = numberOf(row);
    return number === undefined ? [] : [{ number, y: row.y }];
  });
  const items = rows.flatMap((row) => {
    return splitNumber(row)?.before ?? row.segments.flatMap((segment) => segment.items);
  });
  if (numbered.length <= 1)
    return [{ number: numbered[0]?.number ?? '', text: formulaOf(items, rules) }];
  return numbered.map(({ number, y }, index) => {
    const before = numbered[index - 1];
    const after = numbered[index + 1];
    const from = before === undefined ? -Infinity : (before.y + y) / 2;
    const to = after === undefined ? Infinity : (after.y + y) / 2;
    const own = items.filter((item) => item.y >= from && item.y < to);
    return { number, text: formulaOf(own, rules) };
  });
}

/** Writes a formula in lines: scripts with `_` and `^`, fractions by the bars drawn between their parts. */
function formulaOf(items: readonly PdfItem[], rules: readonly PdfBox[]): string {
  if (items.length === 0) return '';
  const size = Math.max(...items.map((item) => item.size));
  const letters = withFractions(items, rules, size);
  const base = letters.filter((item) => item.size > size * 0.88 && !isExtensionFont(item.font));
  const lines: { y: number; items: PdfItem[] }[] = [];
  for (const item of base.toSorted((a, b) => a.y - b.y)) {
    const line = lines.at(-1);
    if (line && item.y - line.y < size * 0.45) line.items.push(item);
    else lines.push({ y: item.y, items: [item] });
  }
  if (lines.length === 0) lines.push({ y: letters[0]?.y ?? 0, items: [] });
  for (const item of letters) {
    if (base.includes(item)) continue;
    // Big operators hang below their baseline.
    const y = isExtensionFont(item.font) ? item.y + item.size * 0.75 : item.y;
    const nearest = lines.reduce((a, b) => (Math.abs(b.y - y) < Math.abs(a.y - y) ? b : a));
    nearest.items.push(item);
  }
  const main = (y: number): PdfItem => ({ text: '', x: 0, y, width: 0, size, font: '' });
  return lines
    .map((line) =>
      textOfItems(
        line.items.toSorted((a, b) => a.x - b.x),
        main(line.y),
      ),
    )
    .filter((text) => text !== '')
    .join('\n');
}

/** Puts what stands over and under a bar together as one item; inner fractions first. */
function withFractions(all: readonly PdfItem[], rules: readonly PdfBox[], size: number): PdfItem[] {
  let items = [...all];
  for (const rule of rules.toSorted((a, b) => a.x1 - a.x0 - (b.x1 - b.x0))) {
    const over = (item: PdfItem): boolean => {
      const middle = item.x + item.width / 2;
      return middle > rule.x0 - 1 && middle < rule.x1 + 1;
    };
    const above = items.filter(
      (item) => over(item) && item.y < rule.y0 + 1 && item.y > rule.y0 - size * 1.3,
    );
    const below = items.filter(
      (item) => over(item) && item.y > rule.y1 + 1 && item.y < rule.y1 + size * 1.6,
    );
    if (above.length === 0 || below.length === 0) continue;
    const inside = new Set([...above, ...below]);
    const text = `\\frac{${partOf(above)}}{${partOf(below)}}`;
    // At the height of the line around it: a bar stands a quarter of the size above the baseline.
    const y = rule.y0 + size * 0.25;
    const fraction = { text, x: rule.x0, y, width: rule.x1 - rule.x0, size, font: '' };
    items = [...items.filter((item) => !inside.has(item)), fraction];
  }
  return items;
}

function partOf(items: readonly PdfItem[]): string {
  const sorted = items.toSorted((a, b) => a.x - b.x);
  const main = sorted.reduce((most, item) => (item.size > most.size ? item : most));
  return textOfItems(sorted, main);
}
