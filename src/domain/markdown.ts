/** Rows above which a table is folded. */
const FOLD_ABOVE = 15;

/** Foreign text on one line of Markdown: it opens no tag, no entity and no block, and steers no terminal. */
export function inline(text: string): string {
  return oneLine(text)
    .replace(/&(?=#?\w+;)/g, '&amp;')
    .replace(/<(?=[a-z/!?])/gi, '&lt;');
}

/** Foreign text as code, whatever it holds. */
export function code(text: string): string {
  const line = oneLine(text);
  if (line === '') return '';
  if (!line.includes('`')) return `\`${line}\``;
  const longest = Math.max(...(line.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** A table of cells that are Markdown already; none of them can end its column or row. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A heading with a text below it, or nothing where there is no text. */
export function section(title: string, text: string): string {
  return text === '' ? '' : `## ${title}\n\n${text}`;
}

/** A text that is folded away under a line where it is of many rows, or stands open. */
export function foldedWhenLong(summary: string, rows: number, text: string): string {
  if (rows <= FOLD_ABOVE) return text;
  return `<details><summary>${summary} (${rows})</summary>\n\n${text}\n\n</details>`;
}

/** A pipe is escaped together with the backslashes before it, of which each pair would else become one. */
function cell(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(\\*)\|/g, (_, slashes: string) => `${slashes}${slashes}\\|`)
    .replace(/\\+$/, (slashes) => `${slashes}${slashes.length % 2 === 1 ? '\\' : ''}`);
}
