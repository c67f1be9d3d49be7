/** Characters that take two columns. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;

/** One line without control characters: what models and papers say must not steer a terminal. */
export function cleanLine(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
}

/** Columns that a line takes. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text) width += WIDE.test(character) ? 2 : 1;
  return width;
}

/** The line cut to `columns`, with an ellipsis where something is missing. */
export function fit(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let kept = '';
  let width = 0;
  for (const character of text) {
    width += WIDE.test(character) ? 2 : 1;
    if (width > columns - 1) break;
    kept += character;
  }
  return columns > 0 ? `${kept.trimEnd()}…` : '';
}

/** The text in lines of at most `columns`, broken at spaces; a longer word is cut into pieces. */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ').flatMap((each) => pieces(each, columns))) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (widthOf(longer) > columns && line !== '') {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function pieces(word: string, columns: number): string[] {
  const least = Math.max(2, columns);
  const parts: string[] = [];
  let part = '';
  for (const character of word) {
    if (widthOf(part + character) > least) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part];
}
