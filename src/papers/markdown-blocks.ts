import { fenced } from './blocks.ts';
import type { Draft } from './blocks.ts';
import { takeImage, takeLatex, takeMaths, takeTable } from './markdown-parts.ts';
import { endParagraph, withReferences } from './markdown-scan.ts';
import type { Scan } from './markdown-scan.ts';

const LATEX_HEADING = /^\s*\\(section|subsection|subsubsection|paragraph|chapter)\*?\{(.*)\}\s*$/;
const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*(.*)$/;
const LATEX_LEVELS = ['chapter', 'section', 'subsection', 'subsubsection', 'paragraph'];

/** Cuts Markdown into blocks, line by line, in linear time. */
export function scanBlocks(text: string): Pick<Draft, 'blocks' | 'title' | 'names' | 'notices'> {
  const scan: Scan = {
    lines: text.split('\n'),
    at: 0,
    blocks: [],
    paragraph: [],
    title: '',
    names: new Map(),
    notices: new Set(),
    unclosed: new Set(),
  };
  while (scan.at < scan.lines.length) scanLine(scan, scan.lines[scan.at] ?? '');
  endParagraph(scan);
  return { blocks: scan.blocks, title: scan.title, names: scan.names, notices: [...scan.notices] };
}

function scanLine(scan: Scan, line: string): void {
  if (line.trim() === '') {
    endParagraph(scan);
    scan.at += 1;
    return;
  }
  const isTaken =
    takeFence(scan, line) ||
    takeHeading(scan, line) ||
    takeMaths(scan, line) ||
    takeTable(scan, line) ||
    takeImage(scan, line) ||
    takeLatex(scan, line);
  if (isTaken) return;
  scan.paragraph.push(line);
  scan.at += 1;
}

function takeFence(scan: Scan, line: string): boolean {
  const [, fence, info = ''] = FENCE.exec(line) ?? [];
  if (fence === undefined) return false;
  const close = new RegExp(`^ {0,3}${fence.charAt(0)}{${fence.length},}[ \\t]*$`);
  let end = scan.at + 1;
  while (end < scan.lines.length && !close.test(scan.lines[end] ?? '')) end += 1;
  const code = scan.lines.slice(scan.at + 1, end);
  endParagraph(scan);
  const first = code.find((codeLine) => codeLine.trim() !== '')?.trim() ?? '';
  const isAlgorithm =
    /^(?:algorithm|algorithmic|pseudocode|pseudo)\b/i.test(info) || /^Algorithm\s+\d+/.test(first);
  const body = fenced(info.trim(), code.join('\n'));
  if (isAlgorithm) {
    scan.blocks.push({ kind: 'algorithm', title: first, body, labels: [], indent: '' });
  } else {
    scan.blocks.push({ kind: 'text', text: body, indent: '' });
  }
  scan.at = end + 1;
  return true;
}

function takeHeading(scan: Scan, line: string): boolean {
  const latex = LATEX_HEADING.exec(line);
  const hashes = latex === null ? HEADING.exec(line) : null;
  const underline = hashes === null && latex === null ? underlineBelow(scan) : undefined;
  let level = 0;
  let words = '';
  if (latex !== null) {
    level = LATEX_LEVELS.indexOf(latex[1] ?? '') + 1;
    words = latex[2] ?? '';
  } else if (hashes !== null) {
    level = hashes[1]?.length ?? 1;
    words = hashes[2] ?? '';
  } else if (underline !== undefined) {
    level = underline;
    words = line.trim();
    scan.at += 1;
  } else return false;
  endParagraph(scan);
  pushHeading(scan, level, words);
  scan.at += 1;
  return true;
}

function pushHeading(scan: Scan, level: number, words: string): void {
  const { text, label } = headingOf(words.trim());
  if (text === '') return;
  const front = /^abstract[.:]?$/i.test(text);
  const labels = label === undefined ? [] : [label];
  scan.blocks.push({ kind: 'heading', level, text: withReferences(text), front, labels });
}

/** The words of a heading without closing hashes, emphasis around all of it, and a `{#label}`. */
function headingOf(words: string): { text: string; label: string | undefined } {
  const attribute = words.endsWith('}') ? words.lastIndexOf('{#') : -1;
  const label = /^\{#([^\s}]+)/.exec(words.slice(Math.max(0, attribute)))?.[1];
  let text = (attribute < 0 ? words : words.slice(0, attribute)).trimEnd();
  let end = text.length;
  while (text.charAt(end - 1) === '#') end -= 1;
  if (end === 0 || /\s/.test(text.charAt(end - 1))) text = text.slice(0, end).trimEnd();
  const isBold = text.length > 4 && text.startsWith('**') && text.endsWith('**');
  return {
    text: isBold ? text.slice(2, -2).trim() : text,
    label: attribute < 0 ? undefined : label,
  };
}

/** The level of a heading underlined by `===` or `---`. */
function underlineBelow(scan: Scan): number | undefined {
  if (scan.paragraph.length > 0) return undefined;
  const below = scan.lines[scan.at + 1] ?? '';
  if (/^={3,}\s*$/.test(below)) return 1;
  return /^-{3,}\s*$/.test(below) ? 2 : undefined;
}
