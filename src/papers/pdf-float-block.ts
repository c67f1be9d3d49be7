import { fenced, type Block } from './blocks.ts';
import type { Float } from './pdf-floats.ts';
import { joinLines } from './pdf-words.ts';

/** Characters of the words in a figure that are repeated: its axes, panels and legend. */
const MOST_FIGURE_WORDS = 700;

/** A table or algorithm as it stands, in a fence; a figure as its place and the words in it. */
export function blockOfFloat(float: Float, vocabulary: ReadonlySet<string>): Block {
  const title = joinLines(
    float.caption.map(({ text }) => text),
    vocabulary,
  );
  const numbered = { kind: float.kind, title, labels: [], indent: '' };
  if (float.kind !== 'figure')
    return { ...numbered, body: float.content === '' ? '' : fenced('', float.content) };
  const { box } = float;
  const sides = box && [box.x0, box.y0, box.x1, box.y1].map(Math.round).join(' ');
  const where = sides ? `[page ${float.page}, box ${sides}]` : `[page ${float.page}]`;
  const place = { page: float.page, box: box ?? null };
  const content =
    float.content.length > MOST_FIGURE_WORDS
      ? `${float.content.slice(0, MOST_FIGURE_WORDS)}…`
      : float.content;
  const words = content === '' ? '' : `\n\nWords in the figure: ${content}`;
  return { ...numbered, body: `${where}${words}`, place };
}
