import type { Draft } from './blocks.ts';
import { expandMacros } from './latex-macros.ts';
import { endParagraph, newPage } from './latex-page.ts';
import type { Page, Reading } from './latex-page.ts';
import { levelOf } from './latex-headings.ts';
import { argumentAt, latexSource } from './latex-source.ts';
import type { LatexSource } from './latex-source.ts';
import { FORGOTTEN_ESCAPE, tokenise } from './latex-tokens.ts';
import { walk } from './latex-walk.ts';

/** Reads a single-file LaTeX paper. Never throws: what cannot be converted stays as it is, or is named in a notice. */
export function readLatex(text: string): Draft {
  const expanded = expandMacros(tokenise(text));
  const reading = startReading(latexSource(expanded.tokens));
  const { source } = reading;
  const begin = source.tokens.findIndex(
    (token) => token.kind === 'begin' && token.text === 'document',
  );
  readPreamble(reading, begin);
  const closed = begin < 0 ? -1 : (source.ends[begin] ?? -1);
  const page = newPage();
  reading.walk(page, begin + 1, closed < 0 ? source.tokens.length : closed);
  endParagraph(page);
  const notices = FORGOTTEN_ESCAPE.test(text)
    ? [...expanded.notices, FORGOTTEN_ESCAPE_NOTICE]
    : expanded.notices;
  return draftOf(reading, page, notices);
}

const FORGOTTEN_ESCAPE_NOTICE =
  'A % behind a number was read as a percent sign, though LaTeX, and so the printed paper, drops the rest of such a line.';

/** Reads a piece of LaTeX that stands in a Markdown text. */
export function readLatexFragment(text: string): Draft {
  const expanded = expandMacros(tokenise(text));
  const reading = startReading(latexSource(expanded.tokens));
  const page = newPage();
  reading.walk(page, 0, reading.source.tokens.length);
  endParagraph(page);
  return draftOf(reading, page, expanded.notices);
}

function draftOf(reading: Reading, page: Page, notices: readonly string[]): Draft {
  return {
    form: 'latex',
    title: reading.title,
    blocks: page.blocks,
    names: reading.names,
    notices: [...notices, ...reading.notices],
  };
}

function startReading(source: LatexSource): Reading {
  const hasChapters = source.tokens.some(
    (token) => token.kind === 'command' && token.text === 'chapter',
  );
  const reading: Reading = {
    source,
    title: '',
    abstractName: 'Abstract',
    sectionLabels: [],
    sectionCounts: [],
    topLevel: levelOf(hasChapters ? 'chapter' : 'section'),
    isAppendix: false,
    theorems: new Map(),
    names: new Map(),
    notices: new Set(),
    walk: (page, from, to) => walk(reading, page, from, to),
  };
  return reading;
}

/** Of the preamble only the title, the theorems and embedded files matter. */
function readPreamble(reading: Reading, end: number): void {
  const page = newPage();
  const { tokens } = reading.source;
  for (let index = 0; index < end; index += 1) {
    const token = tokens[index];
    const isEmbedded = token?.kind === 'verbatim' && token.source.startsWith('filecontents');
    const isWanted =
      token?.kind === 'command' &&
      /^(?:icml)?title$|^newtheorem\*?$|^abstractname$/.test(token.text);
    if (isEmbedded) reading.walk(page, index, index + 1);
    if (!isWanted) continue;
    let next = index + 1;
    for (let count = 0; count < 2; count += 1)
      next = argumentAt(reading.source, next, end)?.next ?? next;
    reading.walk(page, index, token.text.startsWith('newtheorem') ? Math.min(end, next + 8) : next);
  }
}
