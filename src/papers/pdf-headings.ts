import { isBoldFont, type OutlineEntry } from './pdf-page.ts';
import { isProse, type Row } from './pdf-rows.ts';

/** How the document sets its running text. */
export type BodyStyle = Readonly<{ size: number; font: string; leading: number }>;
/** `text` is the heading; `rest` what follows it on its line. `level` is 0 where only its type can tell. */
export type FoundHeading = Readonly<{ level: number; text: string; rest: string; front: boolean }>;

const NAMED =
  /^(?:(?:\d+|[IVX]+|[A-Z])\.?\s+)?(?:abstract|introduction|related works?|background|methods?|methodology|experiments?|results|discussion|limitations|conclusions?|acknowledge?ments?|references|bibliography|appendi(?:x|ces)|supplementary materials?|summary|contents)[.:]?$/i;
const NUMBERED = /^((?:\d{1,2}|[A-Z])(?:\.\d{1,2}){0,4})[.)]?\s+(\p{Lu}|\p{L}+-|\d+[A-Z])/u;
const ROMAN = /^[IVX]+\.\s+\p{Lu}/u;
const ABSTRACT = /^abstract\s*[.:—–-]+\s*(?=\S)/i;
const LONGEST = 130;

/** How most of the words are set. */
export function bodyStyleOf(rows: readonly Row[]): BodyStyle {
  const weights = new Map<string, { size: number; font: string; weight: number }>();
  for (const { size, font, text } of rows) {
    const key = `${size.toFixed(1)} ${font}`;
    const weight = (weights.get(key)?.weight ?? 0) + text.length;
    weights.set(key, { size, font, weight });
  }
  const [main] = [...weights.values()].toSorted((a, b) => b.weight - a.weight);
  const size = main?.size ?? 10;
  const gaps = rows.flatMap((row, index) => {
    const above = rows[index - 1];
    const gap = above === undefined ? 0 : row.y - above.y;
    return isProse(row) && gap > size * 0.8 && gap < size * 2.5 ? [gap] : [];
  });
  const leading = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length * 0.4)] ?? size * 1.2;
  return { size, font: main?.font ?? '', leading };
}

/** The level of each title that the PDF's outline names. */
export function outlineLevels(outline: readonly OutlineEntry[]): ReadonlyMap<string, number> {
  return new Map(outline.map(({ title, level }) => [plainTitle(title), level]));
}

/** What a line heads, if it is a heading; `above` is the line before it in its column. */
export function headingOf(
  row: Row,
  above: Row | undefined,
  body: BodyStyle,
  outline: ReadonlyMap<string, number>,
): FoundHeading | undefined {
  const { text } = row;
  const abstract = ABSTRACT.exec(text);
  if (abstract !== null && row.page <= 2)
    return { level: 1, text: 'Abstract', rest: text.slice(abstract[0].length), front: true };
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (text.length > LONGEST || letters < 3 || row.segments.length > 2 || row.maths > 0.5)
    return undefined;
  const front = /^abstract\W*$/i.test(text);
  const isSet = isSetOff(row, body);
  const named = outline.get(plainTitle(text));
  if (named !== undefined && (isSet || NUMBERED.test(text)))
    return { level: named, text, rest: '', front };
  if (NAMED.test(text) && (isSet || isAlone(row, above, body)))
    return { level: 1, text, rest: '', front };
  if (!isSet || /[,;]$/.test(text)) return undefined;
  const number = NUMBERED.exec(text)?.[1];
  if (number !== undefined) return { level: number.split('.').length, text, rest: '', front };
  if (ROMAN.test(text)) return { level: 1, text, rest: '', front };
  const isTitle = /^[\p{Lu}\d“"]/u.test(text) && !/[.:]$/.test(text) && isAlone(row, above, body);
  return isTitle && !isProse(row) ? { level: 0, text, rest: '', front } : undefined;
}

/** Larger or bolder than the text, or all in capitals. */
function isSetOff(row: Row, body: BodyStyle): boolean {
  const largest = Math.max(...row.segments.flatMap(({ items }) => items.map(({ size }) => size)));
  if (largest > body.size * 1.07) return true;
  if (largest < body.size * 0.93) return false;
  if (row.bold && !isBoldFont(body.font)) return true;
  const isCapitals = row.text === row.text.toUpperCase() && /\p{L}{4}/u.test(row.text);
  return isCapitals && (NUMBERED.test(row.text) || ROMAN.test(row.text));
}

function isAlone(row: Row, above: Row | undefined, body: BodyStyle): boolean {
  if (above === undefined || above.page !== row.page || above.y > row.y) return true;
  return row.y - above.y > body.leading * 1.15;
}

/** A title without its number, spaces and signs, to compare. */
export function plainTitle(title: string): string {
  return title
    .replace(/^(?:\d+(?:\.\d+)*|[A-Z](?:\.\d+)*|[IVX]+)[.)]?\s+/, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
