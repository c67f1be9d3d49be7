import type { NormalisedText } from '../domain/paper.ts';
import { assemble } from './assemble.ts';
import type { Draft } from './blocks.ts';
import { decodeSource, unreadable } from './decode-source.ts';
import { readLatex } from './read-latex.ts';
import { readMarkdown } from './read-markdown.ts';
import { readPlainText } from './read-plain-text.ts';

/**
 * Reads one Markdown, plain text or LaTeX file by its name and content. `idPrefix` stands before each id. Throws
 * `PaperUnreadable` for anything else, and for a file without words.
 */
export function readSource(
  name: string,
  bytes: Uint8Array,
  idPrefix = '',
): { text: NormalisedText; notices: string[] } {
  const decoded = decodeSource(name, bytes);
  const draft = readDraft(name, decoded.text);
  if (draft.blocks.length === 0) {
    const missing = draft.notices.find((notice) => notice.includes('another file')) ?? '';
    const remedy =
      missing === ''
        ? 'Give a file that holds the paper.'
        : 'Flatten it first, for example with `latexpand`.';
    throw unreadable(
      name,
      'has no text besides its header',
      [missing, remedy].filter(Boolean).join(' '),
    );
  }
  const { text, notices } = assemble(name, draft, idPrefix);
  return { text, notices: [...decoded.notices, ...notices] };
}

function readDraft(name: string, text: string): Draft {
  const extension = /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
  if (isLatex(extension, text)) return readLatex(text);
  return isMarkdown(extension, text) ? readMarkdown(text) : readPlainText(text);
}

/** A Markdown file may quote `\documentclass`, so there it must come first. */
function isLatex(extension: string, text: string): boolean {
  if (['tex', 'ltx', 'latex'].includes(extension)) return true;
  const atStart = /^(?:\s*%[^\n]*\n)*\s*\\documentclass\b/.test(text);
  return atStart || (!MARKDOWN_EXTENSIONS.has(extension) && /^[ \t]*\\documentclass\b/m.test(text));
}

const MARKDOWN_EXTENSIONS = new Set(['md', 'markdown', 'mdown', 'mkd', 'qmd', 'rmd', 'mmd']);

function isMarkdown(extension: string, text: string): boolean {
  if (MARKDOWN_EXTENSIONS.has(extension)) return true;
  const headings = text.match(/^#{1,6} \S/gm)?.length ?? 0;
  const sections = text.match(/^\\(?:sub)*section\*?\{/gm)?.length ?? 0;
  return headings + sections >= 2;
}
