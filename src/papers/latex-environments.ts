import { convertFloat } from './latex-floats.ts';
import type { FloatKind } from './latex-floats.ts';
import { addHeading } from './latex-headings.ts';
import { isDisplayMaths, mathsBetween, equationsOf } from './latex-maths.ts';
import { addNumbered, addTable, endParagraph, inline, noteDrawing, styled } from './latex-page.ts';
import type { Page, Reading } from './latex-page.ts';
import { argumentAt, optionAt } from './latex-source.ts';
import { ENVIRONMENT_ARGUMENTS } from './latex-symbols.ts';
import { isTabular } from './latex-table.ts';

const FLOATS: ReadonlyMap<string, FloatKind> = new Map<string, FloatKind>([
  ['figure', 'figure'],
  ['wrapfigure', 'figure'],
  ['SCfigure', 'figure'],
  ['sidewaysfigure', 'figure'],
  ['teaserfigure', 'figure'],
  ['table', 'table'],
  ['wraptable', 'table'],
  ['sidewaystable', 'table'],
  ['algorithm', 'algorithm'],
  ['algorithm2e', 'algorithm'],
  ['algo', 'algorithm'],
  ['algorithmic', 'algorithm'],
  ['algpseudocode', 'algorithm'],
]);
const LISTS = new Set([
  'itemize',
  'enumerate',
  'description',
  'compactitem',
  'compactenum',
  'inparaenum',
]);
const DRAWINGS = new Set(['tikzpicture', 'pgfpicture', 'picture', 'circuitikz', 'forest']);
/** Left out: nothing in them is for a reader of the method. */
const IGNORED = new Set(['CCSXML', 'keywords', 'IEEEkeywords', 'titlepage', 'icmlauthorlist']);
const USUAL_THEOREMS = new Set([
  'theorem',
  'lemma',
  'proposition',
  'corollary',
  'definition',
  'remark',
  'assumption',
  'example',
  'proof',
]);

/** Converts the environment that begins at `at` and returns where to go on. */
export function runEnvironment(reading: Reading, page: Page, at: number, to: number): number {
  const name = reading.source.tokens[at]?.text ?? '';
  const base = name.replace(/\*$/, '');
  const end = reading.source.ends[at] ?? -1;
  if (end < 0 || end >= to) return convertUnclosed(reading, page, name, at, to);
  if (convertWhole(reading, page, name, base, at, end)) return end + 1;

  // What is not known is only a frame around its text: go on inside of it.
  if (base === 'appendices' || base === 'appendix') {
    reading.isAppendix = true;
    reading.sectionCounts = [];
  }
  return skipArguments(reading, base, at + 1, end);
}

/** Converts an environment that has a meaning of its own; false when it has none. */
function convertWhole(
  reading: Reading,
  page: Page,
  name: string,
  base: string,
  at: number,
  end: number,
): boolean {
  const float = FLOATS.get(base);
  if (isDisplayMaths(name)) addEquation(reading, page, name, at + 1, end);
  else if (name === 'math') page.line.push(`$${mathsBetween(reading.source, at + 1, end).latex}$`);
  else if (isTabular(name)) addTable(reading, page, name, at, end);
  else if (float !== undefined) {
    convertFloat(reading, page, float, skipArguments(reading, base, at + 1, end), end);
  } else if (LISTS.has(base)) convertList(reading, page, base, at + 1, end);
  else if (DRAWINGS.has(base)) noteDrawing(reading, page);
  else if (base === 'thebibliography') {
    reading.notices.add('The bibliography was left out; citations show their keys.');
  } else if (base === 'abstract') convertAbstract(reading, page, at + 1, end);
  else if (base === 'subfigure' || base === 'subtable')
    convertPanel(reading, page, base, at + 1, end);
  else if (reading.theorems.has(base) || USUAL_THEOREMS.has(base)) {
    convertTheorem(reading, page, base, at + 1, end);
  } else if (!IGNORED.has(base)) return false;
  return true;
}

/** Maths without an end goes up to the end of its paragraph; any other frame is as if it were not there. */
function convertUnclosed(
  reading: Reading,
  page: Page,
  name: string,
  at: number,
  to: number,
): number {
  if (name !== 'document')
    reading.notices.add(`The environment ${name} is never closed: its frame was ignored.`);
  if (!isDisplayMaths(name)) return skipArguments(reading, name.replace(/\*$/, ''), at + 1, to);
  let end = at + 1;
  while (end < to && reading.source.tokens[end]?.kind !== 'paragraph') end += 1;
  addEquation(reading, page, name, at + 1, end);
  return end;
}

function addEquation(reading: Reading, page: Page, name: string, from: number, end: number): void {
  for (const { latex, labels, isNumbered } of equationsOf(name, reading.source, from, end)) {
    addNumbered(page, {
      kind: 'equation',
      title: labels[0] ?? '',
      body: `$$\n${latex}\n$$`,
      labels,
      isNumbered,
    });
  }
}

function convertList(reading: Reading, page: Page, base: string, from: number, end: number): void {
  endParagraph(page);
  const { list, indent, marker } = page;
  if (list === undefined) page.lastItem = -1;
  // A list that begins an item which has no words yet.
  page.marker = undefined;
  page.list = { isOrdered: base.endsWith('enumerate') || base.endsWith('enum'), count: 0, indent };
  page.indent = `${indent}  `;
  const start = optionAt(reading.source, from, end)?.next ?? from;
  walkDeeper(reading, page, start, end);
  endParagraph(page);
  Object.assign(page, { list, indent, marker: marker === page.marker ? marker : undefined });
}

function convertAbstract(reading: Reading, page: Page, from: number, end: number): void {
  if (page.float === undefined && page.list === undefined) {
    addHeading(reading, page, reading.topLevel, reading.abstractName, true);
  }
  walkDeeper(reading, page, from, end);
  endParagraph(page);
}

/** A panel of a figure: its caption belongs to it alone. */
function convertPanel(reading: Reading, page: Page, base: string, from: number, end: number): void {
  endParagraph(page);
  const { float } = page;
  if (float !== undefined) float.nesting += 1;
  walkDeeper(reading, page, skipArguments(reading, base, from, end), end);
  if (float !== undefined) float.nesting -= 1;
  endParagraph(page);
}

function convertTheorem(
  reading: Reading,
  page: Page,
  base: string,
  from: number,
  end: number,
): void {
  endParagraph(page);
  const known = reading.theorems.get(base) ?? {
    title: base.charAt(0).toUpperCase() + base.slice(1),
    count: 0,
  };
  if (base !== 'proof') known.count += 1;
  reading.theorems.set(base, known);
  const option = optionAt(reading.source, from, end);
  const lead = base === 'proof' ? known.title : `${known.title} ${known.count}`;
  const note = option === undefined ? '' : ` (${inline(reading, page, option.from, option.to)})`;
  page.line.push(`${styled('**', `${lead}${note}.`)} `);

  const outer = page.labels;
  const labels: string[] = [];
  page.labels = labels;
  walkDeeper(reading, page, option?.next ?? from, end);
  page.labels = outer;
  endParagraph(page);
  for (const label of labels) reading.names.set(label, lead);
}

function walkDeeper(reading: Reading, page: Page, from: number, end: number): void {
  page.depth += 1;
  reading.walk(page, from, end);
  page.depth -= 1;
}

function skipArguments(reading: Reading, base: string, at: number, end: number): number {
  const count = ENVIRONMENT_ARGUMENTS.get(base);
  if (count === undefined) return at;
  let next = optionAt(reading.source, at, end)?.next ?? at;
  for (let left = count; left > 0; left -= 1) {
    next = argumentAt(reading.source, next, end)?.next ?? next;
    next = optionAt(reading.source, next, end)?.next ?? next;
  }
  return next;
}
