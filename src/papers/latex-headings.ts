import { endParagraph, inline } from './latex-page.ts';
import type { Page, Reading } from './latex-page.ts';
import { argumentAt, optionAt } from './latex-source.ts';

const LEVELS = [
  'part',
  'chapter',
  'section',
  'subsection',
  'subsubsection',
  'paragraph',
  'subparagraph',
];
const DEEPEST_NUMBERED = LEVELS.indexOf('subsubsection') + 1;

/** The level of a sectioning command, from 1. */
export function levelOf(command: string): number {
  return LEVELS.indexOf(command.replace('*', '')) + 1;
}

/** Starts a section, with the number that LaTeX would print. Returns where to go on. */
export function startHeading(
  reading: Reading,
  page: Page,
  name: string,
  at: number,
  to: number,
): number {
  const short = optionAt(reading.source, at, to);
  const span = argumentAt(reading.source, short?.next ?? at, to);
  if (span === undefined) return at;
  const words = inline(reading, page, span.from, span.to);
  if (page.float !== undefined || page.depth > 1) {
    page.line.push(` ${words} `);
    return span.next;
  }
  const level = levelOf(name);
  const isNumbered = !name.endsWith('*') && level >= reading.topLevel && level <= DEEPEST_NUMBERED;
  const number = isNumbered ? `${nextNumber(reading, level)} ` : '';
  addHeading(reading, page, level, number + words, false);
  return span.next;
}

/** Adds a heading, to which the labels that follow belong. */
export function addHeading(
  reading: Reading,
  page: Page,
  level: number,
  text: string,
  front: boolean,
): void {
  endParagraph(page);
  const labels: string[] = [];
  page.blocks.push({ kind: 'heading', level, text, front, labels });
  reading.sectionLabels = labels;
}

function nextNumber(reading: Reading, level: number): string {
  const counts = reading.sectionCounts;
  const depth = level - reading.topLevel;
  counts.length = Math.min(counts.length, depth + 1);
  while (counts.length <= depth) counts.push(0);
  counts[depth] = (counts[depth] ?? 0) + 1;
  return counts
    .map((count, index) => (index === 0 && reading.isAppendix ? letter(count) : `${count}`))
    .join('.');
}

function letter(count: number): string {
  return count >= 1 && count <= 26 ? String.fromCharCode(64 + count) : `${count}`;
}
