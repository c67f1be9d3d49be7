import { fenced } from './blocks.ts';
import { addText, endParagraph, inline, newPage } from './latex-page.ts';
import type { Float, Page, Reading } from './latex-page.ts';
import { argumentAt, optionAt, sourceOf } from './latex-source.ts';

export type FloatKind = 'figure' | 'table' | 'algorithm';

const MOST_IMAGES_NAMED = 6;

/** Converts a figure, table or algorithm between two tokens into one block with its caption. */
export function convertFloat(
  reading: Reading,
  page: Page,
  kind: FloatKind,
  from: number,
  to: number,
): void {
  if (page.float !== undefined) {
    // A float in a float is a piece of the outer one.
    if (kind === 'algorithm') addText(page, pseudocode(reading, page, page.float, from, to));
    else {
      page.depth += 1;
      reading.walk(page, from, to);
      page.depth -= 1;
    }
    return;
  }
  endParagraph(page);
  const float: Float = {
    kind,
    caption: undefined,
    labels: [],
    images: [],
    nesting: 0,
    hasDrawing: false,
  };
  const inside = newPage(page);
  inside.float = float;
  const body =
    kind === 'algorithm'
      ? pseudocode(reading, inside, float, from, to)
      : bodyOf(reading, inside, float, from, to);
  const isNamed = float.caption !== undefined || float.labels.length > 0 || kind !== 'figure';
  if (!isNamed && float.images.length === 0) {
    // LaTeX gives no number to a figure without a caption; ids should agree with the numbers of the paper.
    addText(page, body);
    return;
  }
  page.blocks.push({
    kind,
    title: float.caption ?? '',
    body,
    labels: float.labels,
    indent: page.indent,
  });
}

function bodyOf(reading: Reading, inside: Page, float: Float, from: number, to: number): string {
  reading.walk(inside, from, to);
  endParagraph(inside);
  const pieces = inside.blocks.map((block) =>
    block.kind === 'text' || block.kind === 'heading' ? block.text : block.body,
  );
  if (float.images.length > 0) pieces.push(`(${namesOf(float.images)})`);
  if (float.hasDrawing) pieces.push('(A drawing made of LaTeX commands, not shown.)');
  return pieces.join('\n\n');
}

function namesOf(images: readonly string[]): string {
  const rest =
    images.length > MOST_IMAGES_NAMED ? ` and ${images.length - MOST_IMAGES_NAMED} more` : '';
  return `Image: ${images.slice(0, MOST_IMAGES_NAMED).join(', ')}${rest}`;
}

/** The steps stay LaTeX, which models read well; caption and label are taken out. */
function pseudocode(
  reading: Reading,
  inside: Page,
  float: Float,
  from: number,
  to: number,
): string {
  const { source } = reading;
  const pieces: string[] = [];
  let start = from;
  for (let index = from; index < to; index += 1) {
    const token = source.tokens[index];
    const isFrame =
      (token?.kind === 'begin' || token?.kind === 'end') &&
      /^algorithmicx?$|^algpseudocode$/.test(token.text);
    const isCommand =
      token?.kind === 'command' &&
      /^(?:caption|label|centering|small|footnotesize)$/.test(token.text);
    if (!isFrame && !isCommand) continue;
    pieces.push(sourceOf(source, start, index));
    start = optionAt(source, index + 1, to)?.next ?? index + 1;
    if (isCommand && (token.text === 'caption' || token.text === 'label')) {
      const span = argumentAt(source, start, to);
      if (span !== undefined) {
        if (token.text === 'caption') float.caption = inline(reading, inside, span.from, span.to);
        else float.labels.push(sourceOf(source, span.from, span.to).trim());
        start = span.next;
      }
    }
    index = start - 1;
  }
  pieces.push(sourceOf(source, start, to));
  const code = pieces
    .join('')
    .replace(/\n{2,}/g, '\n')
    .replace(/^\s*\n/, '')
    .trimEnd();
  return fenced('algorithm', code);
}
