import type { Block, NumberedBlock, TextBlock } from './blocks.ts';

/** `rest` are lines below the caption that belong to the text around it. */
type Caption = Readonly<{ kind: 'table' | 'figure' | 'algorithm'; title: string; rest: string }>;

/** A line longer than this was not wrapped by hand, so the caption ends with it. */
const LONGEST_WRAPPED_LINE = 130;

const CAPTION =
  /^(?:\*\*|__|\*|_)?(Table|Tab\.|Figure|Fig\.|Algorithm)\s*([A-Z]?\.?\d+(?:[.\d]*\d)?)\s*(?:[.:：．|]|\*\*)[\s\S]*/i;
/** Without a colon only a capital tells "Algorithm 1 Training the Network" from a sentence on an algorithm. */
const ALGORITHM_TITLE = /^(?:\*\*)?Algorithm\s+\d+\s+[A-Z]/;
const PANDOC_TABLE_CAPTION = /^(?:Table)?:\s+\S/;

/** What a paragraph captions, if it is a caption. */
export function captionOf(text: string): Caption | undefined {
  if (ALGORITHM_TITLE.test(text)) return { kind: 'algorithm', title: text, rest: '' };
  if (PANDOC_TABLE_CAPTION.test(text))
    return { kind: 'table', title: text.replace(/^(?:Table)?:\s+/, ''), rest: '' };
  const word = CAPTION.exec(text)?.[1]?.toLowerCase();
  if (word === undefined) return undefined;
  const kind = word.startsWith('t') ? 'table' : word.startsWith('f') ? 'figure' : 'algorithm';
  const lineEnd = text.indexOf('\n');
  if (kind === 'algorithm' || lineEnd <= LONGEST_WRAPPED_LINE)
    return { kind, title: text, rest: '' };
  return { kind, title: text.slice(0, lineEnd), rest: text.slice(lineEnd + 1) };
}

/**
 * Joins captions that stand as paragraphs before or after a table or figure with it. A caption without its table or
 * figure becomes a part of its own, for what it says of what was lost.
 */
export function attachCaptions(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  for (let index = 0; index < blocks.length; index += 1) {
    const block = blocks[index];
    if (block === undefined) continue;
    const caption = block.kind === 'text' ? captionOf(block.text) : undefined;
    const next = blocks[index + 1];
    if (block.kind === 'text' && caption !== undefined) {
      const isBeforeIts = next?.kind === caption.kind && next.title === '' && caption.rest === '';
      result.push(isBeforeIts ? { ...next, title: caption.title } : partOfCaption(block, caption));
      if (isBeforeIts) index += 1;
      pushRest(result, caption);
    } else if ((block.kind === 'table' || block.kind === 'figure') && block.title === '') {
      const following = next?.kind === 'text' ? captionOf(next.text) : undefined;
      const isIts = following?.kind === block.kind;
      result.push(isIts ? { ...block, title: following.title } : block);
      if (isIts) {
        index += 1;
        pushRest(result, following);
      }
    } else {
      result.push(block);
    }
  }
  return result;
}

/** Of an algorithm the first line is the caption, and the rest its steps. */
function partOfCaption(block: TextBlock, caption: Caption): NumberedBlock {
  const { text, indent } = block;
  const { kind, title } = caption;
  const lineEnd = kind === 'algorithm' ? text.indexOf('\n') : -1;
  if (lineEnd < 0) return { kind, title, body: '', labels: [], indent };
  return { kind, title: text.slice(0, lineEnd), body: text.slice(lineEnd + 1), labels: [], indent };
}

function pushRest(blocks: Block[], caption: Caption): void {
  if (caption.rest !== '') blocks.push({ kind: 'text', text: caption.rest, indent: '' });
}
