import { runCommand } from './latex-commands.ts';
import { runEnvironment } from './latex-environments.ts';
import { closingDollar, mathsBetween } from './latex-maths.ts';
import { addNumbered, addText, endParagraph, inline, styled } from './latex-page.ts';
import type { Page, Reading } from './latex-page.ts';
import { skipBlank, sourceOf } from './latex-source.ts';
import { STYLES } from './latex-symbols.ts';
import { fenced } from './blocks.ts';

/** Arguments in arguments deeper than this stay LaTeX. */
const DEEPEST_NESTING = 60;

/** Converts the tokens from `from` to `to` (not included) onto a page. */
export function walk(reading: Reading, page: Page, from: number, to: number): void {
  if (page.depth > DEEPEST_NESTING) {
    page.line.push(sourceOf(reading.source, from, to));
    return;
  }
  for (let index = from; index < to;) index = convertToken(reading, page, index, to);
}

/** Converts what starts at `at` and returns where to go on. */
function convertToken(reading: Reading, page: Page, at: number, to: number): number {
  const token = reading.source.tokens[at];
  if (token === undefined) return at + 1;
  switch (token.kind) {
    case 'text':
      page.line.push(plainText(token.text));
      return at + 1;
    case 'paragraph':
      endParagraph(page);
      return at + 1;
    case 'bracket':
    case 'parameter':
      page.line.push(token.source);
      return at + 1;
    case 'cell':
      page.line.push(' ');
      return at + 1;
    case 'open':
      return convertGroup(reading, page, at, to);
    case 'close':
      return at + 1;
    case 'end':
      endParagraph(page);
      return at + 1;
    case 'dollar':
      return convertMaths(reading, page, at, to);
    case 'url':
      page.line.push(`<${token.text.trim()}>`);
      return at + 1;
    case 'verbatim':
      convertVerbatim(reading, page, token.source, token.text);
      return at + 1;
    case 'begin':
      return runEnvironment(reading, page, at, to);
    case 'command':
      return runCommand(reading, page, at, to);
  }
}

/** Braces only matter around a switch such as `{\em …}`. */
function convertGroup(reading: Reading, page: Page, at: number, to: number): number {
  const { source } = reading;
  const end = source.ends[at] ?? -1;
  const first = skipBlank(source, at + 1, to);
  const token = source.tokens[first];
  const mark =
    token?.kind === 'command' &&
    /^(?:em|it|bf|tt|sl|\w+shape|\w+series|\w+family)$/.test(token.text)
      ? STYLES.get(token.text)
      : undefined;
  if (mark === undefined || end < 0 || end > to) return at + 1;
  page.line.push(styled(mark, inline(reading, page, first + 1, end)));
  return end + 1;
}

function convertMaths(reading: Reading, page: Page, at: number, to: number): number {
  const { source } = reading;
  if (source.tokens[at + 1]?.kind === 'dollar' && at + 1 < to) {
    const end = closingDollar(source, at + 2, to);
    if (end >= 0) {
      const { latex, labels } = mathsBetween(source, at + 2, end);
      addNumbered(page, {
        kind: 'equation',
        title: labels[0] ?? '',
        body: `$$\n${latex}\n$$`,
        labels,
        isNumbered: false,
      });
      return source.tokens[end + 1]?.kind === 'dollar' ? end + 2 : end + 1;
    }
  }
  const end = closingDollar(source, at + 1, to);
  if (end < 0) {
    reading.notices.add(
      'A dollar sign opens maths that nothing closes: it was read as a plain dollar.',
    );
    page.line.push('\\$');
    return at + 1;
  }
  page.line.push(`$${mathsBetween(source, at + 1, end).latex.replace(/\s+/g, ' ')}$`);
  return end + 1;
}

function convertVerbatim(reading: Reading, page: Page, source: string, text: string): void {
  if (source === '\\verb') {
    page.line.push(`\`${text}\``);
  } else if (source.startsWith('filecontents')) {
    reading.notices.add('A file that the LaTeX carries inside (filecontents) was left out.');
  } else if (source !== 'comment') {
    const code = text.replace(/^[ \t]*\[[^\]\n]*\]/, '').replace(/^(?:\{[^}\n]*\})?[ \t]*\n/, '');
    addText(page, fenced('', code.trimEnd()));
  }
}

/** Text with its quotes, dashes and ties as characters. */
function plainText(text: string): string {
  return text
    .replaceAll('~', ' ')
    .replaceAll('``', '“')
    .replaceAll("''", '”')
    .replaceAll('---', '—')
    .replaceAll('--', '–');
}
