import type { FigureEvidence } from '../domain/evidence.ts';
import type { ImageRef } from '../domain/message.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { analystPrompt } from './analyst-prompt.ts';
import { END_WITH_DONE } from './markdown-answer.ts';
import type { Prompt } from './prompt.ts';

const UNSEEN = 'You see captions and the text around figures, not the images.';

const task = (sight: string): string => `# Your task: what the figures demand
${sight} A figure is evidence of what was run, compared and logged. Read it for that.

Your reader has the paper beside your text: do not repeat captions. Take every figure and plot, in the paper's order, appendix included. For each write a section headed by its id with:
- **Shows:** in one sentence. For plots go on; for diagrams see below.
- **Panels:** each with what it varies (environment, dataset, ablation).
- **Axes:** quantity and unit of x and y, logarithmic or not. The x-range is the logging horizon: how long a run is and how often the y-quantity must be logged *during* it.
- **Series:** each legend entry by its exact name. Every series is a method or variant that must be implemented and selectable by that name.
- **Statistics:** seeds, bands (standard deviation, error, interval, quartiles), smoothing, normalisation.
- **Claim:** what the text concludes from it, and in which direction.
- **Implies:** the rows (methods, variants) and columns (environments, datasets, settings) of the experiment matrix, the measurements with their times, and the file and plot that code has to produce.
For diagrams of an architecture or pipeline: blocks in order, inputs and outputs with shapes, what is trained, what is frozen, where the loss attaches.

Say "not stated" for every item that text and caption leave open; never guess what a curve looks like. Close with a section **Matrix implied by the figures**: one line for each figure, \`id: methods × settings × measurements\`.
Without figures say so in one line. At most 1,000 words. ${END_WITH_DONE}`;

/** A picture, and what it shows: a part's id or a file's name. */
export type ShownFigure = Readonly<{ of: string; image: ImageRef }>;

/** Z_fig from captions and the text around them, and from the images where a vision model is shown them. */
export function analyseFigures(
  paper: PaperDocument,
  userRequests: readonly string[],
  shown: readonly ShownFigure[] = [],
): Prompt<FigureEvidence> {
  const images = shown.map(({ image }) => image);
  const ask = {
    schemaId: 'analyse-figures/1',
    task: task(shown.length === 0 ? UNSEEN : sightOf(shown)),
    ...(images.length > 0 && { images }),
  };
  return analystPrompt(ask, paper, userRequests, (markdown) => ({
    schemaVersion: 1,
    markdown,
    seen: shown.length > 0,
  }));
}

function sightOf(shown: readonly ShownFigure[]): string {
  const list = shown.map(({ of }, index) => `image ${index + 1} is ${of}`).join('; ');
  return `Images stand behind these words, in this order: ${list}. Each was cut out of a page by its caption and may carry a strip of what is around it. Read axes, ticks, legends and panels off the images; of other figures you see captions and the text around them. Where image and text differ, say so.`;
}
