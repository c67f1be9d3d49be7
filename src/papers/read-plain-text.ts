import type { Block, Draft } from './blocks.ts';
import { attachCaptions } from './captions.ts';
import { numberDepth } from './heading-levels.ts';

const NAMED =
  /^(?:abstract|introduction|related works?|background|preliminaries|methods?|methodology|approach|experiments?|experimental (?:setup|results)|results|evaluation|discussion|limitations|conclusions?|acknowledge?ments?|references|bibliography|appendi(?:x|ces)(?: [A-Z])?)[.:]?$/i;
const NUMBERED =
  /^(?:\d{1,2}(?:\.\d{1,2}){0,3}|[A-Z](?:\.\d{1,2}){1,3}|Appendix [A-Z]|[A-Z]\.)[.:)]?\s+\p{Lu}.*$/u;
const REFERENCES = /^(?:references|bibliography)[.:]?$/i;
const APPENDIX = /^(?:appendi|[A-Z](?:\.\d+)*[.:)]?\s+\p{Lu}|supplement)/iu;
const LONGEST_HEADING = 90;
const LONGEST_TITLE = 300;

/** Reads plain text. Headings are guessed: numbered lines, capitals, and the usual names. Never throws. */
export function readPlainText(text: string): Draft {
  const blocks: Block[] = [];
  let title = '';
  let isInReferences = false;
  for (const paragraph of text.split(/\n[ \t]*\n\s*/)) {
    const lines = paragraph.split('\n');
    const first = lines[0]?.trim() ?? '';
    if (paragraph.trim() === '') continue;
    const isFirst = title === '' && blocks.length === 0 && first.length <= LONGEST_TITLE;
    if (isFirst) title = first;
    const depth = isFirst || (isInReferences && !APPENDIX.test(first)) ? 0 : headingDepth(first);
    if (depth > 0) {
      blocks.push({
        kind: 'heading',
        level: depth,
        text: first,
        front: /^abstract/i.test(first),
        labels: [],
      });
      isInReferences = REFERENCES.test(first.replace(/^[\d.\s]+/, ''));
    }
    const rest = (isFirst || depth > 0 ? lines.slice(1) : lines).join('\n').trimEnd();
    if (rest.trim() !== '') blocks.push({ kind: 'text', text: rest, indent: '' });
  }
  const notices = blocks.some((block) => block.kind === 'heading')
    ? ['The paper is plain text: its title and headings were guessed.']
    : ['The paper is plain text without headings that could be told from its lines.'];
  return { form: 'text', title, blocks: attachCaptions(blocks), names: new Map(), notices };
}

/** The level of a line that looks like a heading; 0 for any other line. */
function headingDepth(line: string): number {
  if (line.length === 0 || line.length > LONGEST_HEADING) return 0;
  if (NAMED.test(line)) return 1;
  if (/[.,;:]$/.test(line)) return 0;
  if (NUMBERED.test(line)) return Math.max(1, numberDepth(line));
  const letters = line.match(/\p{L}/gu) ?? [];
  const isCapitals =
    letters.length >= 4 && line === line.toUpperCase() && line !== line.toLowerCase();
  return isCapitals && /^[\p{Lu}\d][\p{Lu}\d\s\-–:.&,'()/]*$/u.test(line) ? 1 : 0;
}
