import { plain, withArgument } from './latex-call.ts';
import type { Call } from './latex-call.ts';
import { convertCitation, convertReference } from './latex-citations.ts';
import { startHeading } from './latex-headings.ts';
import { closingCommand, mathsBetween } from './latex-maths.ts';
import { addNumbered, endParagraph, inline, noteLabel, styled } from './latex-page.ts';
import type { Page, Reading } from './latex-page.ts';
import { argumentAt, optionAt } from './latex-source.ts';
import type { Span } from './latex-source.ts';
import { ACCENTS, DROPPED, STYLES, SYMBOLS, TRANSPARENT } from './latex-symbols.ts';

const CITATION = /^(?:text|paren|auto|foot|super|full)?cite[a-z]*\*?$/i;
const REFERENCE =
  /^(?:ref|eqref|autoref|cref|Cref|vref|pageref|nameref|subref|autoref|cref|Cref)\*?$/;
const HEADING = /^(?:part|chapter|section|subsection|subsubsection|paragraph|subparagraph)\*?$/;
const INPUT = /^(?:input|include|subfile|import|InputIfFileExists)$/;

/** Converts the command at `at` and returns where to go on. */
export function runCommand(reading: Reading, page: Page, at: number, to: number): number {
  const name = reading.source.tokens[at]?.text ?? '';
  const call = { reading, page, name, at: at + 1, to };
  if (name === 'item') return startItem(call);
  if (name === '[' || name === '(') return convertMaths(call);
  const mark = STYLES.get(name);
  if (mark !== undefined) return convertStyled(call, mark);
  if (ACCENTS.has(name) && name !== ' ') return convertAccent(call);
  const symbol = SYMBOLS.get(name);
  if (symbol !== undefined) {
    if (name === 'par') endParagraph(page);
    page.line.push(symbol + spaceAfter(call));
    return call.at;
  }
  if (HEADING.test(name)) return startHeading(reading, page, name, call.at, to);
  if (CITATION.test(name)) return convertCitation(call);
  if (REFERENCE.test(name)) return convertReference(call);
  if (DROPPED.has(name)) return skipArguments(call, DROPPED.get(name) ?? 0);
  if (TRANSPARENT.has(name)) return skipArguments(call, TRANSPARENT.get(name) ?? 0);
  return runRarer(call);
}

function runRarer(call: Call): number {
  const { reading, page, name, at, to } = call;
  if (INPUT.test(name)) return noteInput(call);
  switch (name) {
    case 'label':
      return withArgument(call, (span) => noteLabel(reading, page, plain(call, span)));
    case 'title':
    case 'icmltitle':
      return withArgument(call, (span) => {
        reading.title = inline(reading, page, span.from, span.to);
      });
    case 'abstractname':
      return withArgument(call, (span) => {
        reading.abstractName = inline(reading, page, span.from, span.to);
      });
    case 'caption':
    case 'caption*':
    case 'subcaption':
      return withArgument(call, (span) => noteCaption(call, span));
    case 'includegraphics':
    case 'includegraphics*':
      return withArgument(call, (span) => noteImage(call, plain(call, span)));
    case 'footnote':
    case 'footnotetext':
      return withArgument(call, (span) => {
        page.line.push(` (Footnote: ${inline(reading, page, span.from, span.to)})`);
      });
    case 'href':
      return convertLink(call);
    case 'ensuremath':
      return withArgument(call, (span) => {
        page.line.push(`$${mathsBetween(reading.source, span.from, span.to).latex}$`);
      });
    case 'appendix':
      reading.isAppendix = true;
      reading.sectionCounts = [];
      return at;
    case 'bibliography':
      reading.notices.add('The bibliography was left out; citations show their keys.');
      return skipArguments(call, 1);
    case 'newtheorem':
    case 'newtheorem*':
      return noteTheorem(call);
    default:
      return keepUnknown(call, to);
  }
}

/** A style of another package keeps its text; a word of another package is shown as it is, lest it be lost. */
function keepUnknown(call: Call, to: number): number {
  const { source } = call.reading;
  const next = source.tokens[call.at];
  const hasArgument = call.at < to && (next?.kind === 'open' || next?.text === '[');
  if (!hasArgument && /^[a-zA-Z]+$/.test(call.name)) {
    call.page.line.push(`\\${call.name}${spaceAfter(call)}`);
    return call.at;
  }
  return optionAt(source, call.at, to)?.next ?? call.at;
}

function startItem(call: Call): number {
  const { reading, page } = call;
  endParagraph(page);
  const list = page.list ?? { isOrdered: false, count: 0, indent: '' };
  list.count += 1;
  const option = optionAt(reading.source, call.at, call.to);
  const label = option === undefined ? '' : inline(reading, page, option.from, option.to);
  const bullet = list.isOrdered ? `${list.count}. ` : '- ';
  page.marker = { text: label === '' ? bullet : `- ${styled('**', label)} `, indent: list.indent };
  return option?.next ?? call.at;
}

function convertMaths(call: Call): number {
  const { reading, page } = call;
  const isDisplay = call.name === '[';
  const end = closingCommand(reading.source, call.at, call.to, call.name, isDisplay ? ']' : ')');
  if (end < 0) {
    reading.notices.add(`\\${call.name} opens maths that nothing closes: it was read as text.`);
    return call.at;
  }
  const { latex, labels } = mathsBetween(reading.source, call.at, end);
  if (!isDisplay) page.line.push(`$${latex.replace(/\s+/g, ' ')}$`);
  else
    addNumbered(page, {
      kind: 'equation',
      title: labels[0] ?? '',
      body: `$$\n${latex}\n$$`,
      labels,
      isNumbered: false,
    });
  return end + 1;
}

function convertStyled(call: Call, mark: string): number {
  const { reading, page } = call;
  const isSwitch = !/^(?:text|emph|code)/.test(call.name);
  if (isSwitch) return call.at;
  return withArgument(call, (span) => {
    page.line.push(styled(mark, inline(reading, page, span.from, span.to)));
  });
}

/** `\'e` and `\'{e}` alike. */
function convertAccent(call: Call): number {
  const { source } = call.reading;
  const span = argumentAt(source, call.at, call.to);
  const token = span && source.tokens[span.from];
  const accent = ACCENTS.get(call.name) ?? '';
  if (span === undefined || token === undefined || span.from >= span.to) return call.at;
  const isDotless = token.kind === 'command' && (token.text === 'i' || token.text === 'j');
  const letters = isDotless ? token.text : token.kind === 'text' ? token.text.trimStart() : '';
  call.page.line.push((letters.charAt(0) + accent).normalize('NFC') + letters.slice(1));
  return span.next;
}

function noteInput(call: Call): number {
  return withArgument(call, (span) => {
    call.reading.notices.add(
      `The LaTeX reads another file, ${plain(call, span)}, which was not found: only single files are read.`,
    );
  });
}

function noteCaption(call: Call, span: Span): void {
  const { reading, page } = call;
  const text = inline(reading, page, span.from, span.to);
  const isOfFloat =
    page.float !== undefined && page.float.nesting === 0 && page.float.caption === undefined;
  if (isOfFloat && page.float !== undefined) page.float.caption = text;
  else page.line.push(` ${text} `);
}

function noteImage(call: Call, file: string): void {
  if (call.page.float === undefined) call.page.line.push(` (image: ${file}) `);
  else call.page.float.images.push(file);
}

function convertLink(call: Call): number {
  const { reading, page } = call;
  const target = argumentAt(reading.source, call.at, call.to);
  const words = target && argumentAt(reading.source, target.next, call.to);
  if (target === undefined || words === undefined) return call.at;
  page.line.push(`[${inline(reading, page, words.from, words.to)}](${plain(call, target)})`);
  return words.next;
}

function noteTheorem(call: Call): number {
  const { reading, page } = call;
  const name = argumentAt(reading.source, call.at, call.to);
  if (name === undefined) return call.at;
  const shared = optionAt(reading.source, name.next, call.to);
  const title = argumentAt(reading.source, shared?.next ?? name.next, call.to);
  if (title === undefined) return name.next;
  reading.theorems.set(plain(call, name), {
    title: inline(reading, page, title.from, title.to),
    count: 0,
  });
  return optionAt(reading.source, title.next, call.to)?.next ?? title.next;
}

function skipArguments(call: Call, count: number): number {
  const { source } = call.reading;
  let next = optionAt(source, call.at, call.to)?.next ?? call.at;
  for (let left = count; left > 0; left -= 1) {
    next = argumentAt(source, next, call.to)?.next ?? next;
    if (left > 1) next = optionAt(source, next, call.to)?.next ?? next;
  }
  return next;
}

/** The space that TeX swallows behind a word, which a reader of plain text wants back. */
function spaceAfter(call: Call): string {
  return /\s$/.test(call.reading.source.tokens[call.at - 1]?.source ?? '') ? ' ' : '';
}
