import type { NormalisedText, PaperPart } from '../domain/paper.ts';
import { resolveReferences } from './blocks.ts';
import type { Block, Draft, HeadingBlock, NumberedBlock } from './blocks.ts';
import { identifyBlocks } from './identify-blocks.ts';

const DEEPEST_HEADING = 6;
const TITLE_OF_EQUATION_LENGTH = 120;

type OpenSection = { part: PaperPart; depth: number };
type Page = {
  markdown: string[];
  length: number;
  parts: PaperPart[];
  open: OpenSection[];
  resolve: (text: string) => string;
};

/**
 * Writes a draft as Markdown in which every part shows its id, and indexes it. `idPrefix` stands before each id
 * (`sup-1/` for a supplement).
 */
export function assemble(
  name: string,
  draft: Draft,
  idPrefix: string,
): { text: NormalisedText; notices: string[] } {
  const { ids, depths, idOfLabel } = identifyBlocks(draft.blocks, idPrefix);
  const unknown = new Set<string>();
  const resolveLabel = (label: string): string => {
    const target = idOfLabel.get(label) ?? draft.names.get(label);
    if (target === undefined) unknown.add(label);
    return target ?? label;
  };
  const page: Page = {
    markdown: [],
    length: 0,
    parts: [],
    open: [],
    resolve: (text) => resolveReferences(text, resolveLabel),
  };

  const title = oneLine(page.resolve(draft.title));
  if (title !== '') write(page, `# ${title}`);
  for (const [index, block] of draft.blocks.entries()) {
    writeBlock(page, block, ids[index] ?? '', depths[index] ?? 1);
  }
  closeSections(page, 0);

  const parts = page.parts.toSorted((a, b) => a.start - b.start);
  const text = { name, form: draft.form, title, markdown: page.markdown.join(''), parts };
  return { text, notices: [...draft.notices, ...noticeOfUnknown(unknown)] };
}

function writeBlock(page: Page, block: Block, id: string, depth: number): void {
  if (block.kind === 'heading') writeHeading(page, block, id, depth);
  else if (block.kind === 'text') write(page, indented(page.resolve(block.text), block.indent));
  else writeNumbered(page, block, id);
}

function writeHeading(page: Page, block: HeadingBlock, id: string, depth: number): void {
  closeSections(page, depth);
  const title = oneLine(page.resolve(block.text));
  const level = Math.min(depth + 1, DEEPEST_HEADING);
  const part = { id, kind: 'section' as const, title, level, start: page.length, end: page.length };
  page.open.push({ part, depth });
  write(page, `${'#'.repeat(level)} ${title} [${id}]`);
}

function writeNumbered(page: Page, block: NumberedBlock, id: string): void {
  const start = page.length;
  const title = oneLine(page.resolve(block.title));
  const body = page.resolve(block.body);
  const shown =
    block.kind === 'equation'
      ? `${body}\n[${id}]`
      : [`[${id}] ${title}`.trimEnd(), body].join('\n\n');
  write(page, indented(shown.trimEnd(), block.indent));
  page.parts.push({
    id,
    kind: block.kind,
    title: block.kind === 'equation' && title === '' ? titleOfEquation(body) : title,
    level: 0,
    start,
    end: page.length,
    ...(block.place && { place: block.place }),
  });
}

function write(page: Page, text: string): void {
  const paragraph = `${text}\n\n`;
  page.markdown.push(paragraph);
  page.length += paragraph.length;
}

/** A section ends where the next one of its own or a higher level starts. */
function closeSections(page: Page, depth: number): void {
  for (;;) {
    const last = page.open.at(-1);
    if (last === undefined || last.depth < depth) return;
    page.open.pop();
    page.parts.push({ ...last.part, end: page.length });
  }
}

function indented(text: string, indent: string): string {
  return indent === '' ? text : text.replace(/^(?=.)/gm, indent);
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function titleOfEquation(body: string): string {
  return oneLine(body.replaceAll('$$', '')).slice(0, TITLE_OF_EQUATION_LENGTH);
}

function noticeOfUnknown(labels: ReadonlySet<string>): string[] {
  if (labels.size === 0) return [];
  const shown = [...labels].slice(0, 3).join(', ');
  const rest = labels.size > 3 ? ` and ${labels.size - 3} more` : '';
  return [`References name labels that the text does not define: ${shown}${rest}.`];
}
