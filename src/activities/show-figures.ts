import type { ImageRef } from '../domain/message.ts';
import type { FigurePlace, PaperDocument } from '../domain/paper.ts';
import type { Source, Task } from '../domain/task.ts';
import { imageSize } from '../papers/image-size.ts';
import { isPdf } from '../papers/read-pdf.ts';
import type { ShownFigure } from '../prompts/analyse-figures.ts';
import type { Deps } from './deps.ts';

/** Providers take twenty and more; the rest are read from their captions. */
const MOST_IMAGES = 16;
/** A crop has up to half a megabyte; providers refuse images of 5 MB. */
const MOST_IMAGE_BYTES = 4_000_000;
/** A file's first page stands for its figure. */
const FIRST_PAGE: FigurePlace = { page: 1, box: null };

/** The pictures that a vision model is shown, and how many more there would be. */
interface Shown {
  readonly shown: readonly ShownFigure[];
  readonly leftOut: number;
}

/** Puts pictures of the figures into the store: the files that were given, then crops of the PDF, within bounds. */
export async function showFigures(
  deps: Deps,
  input: { readonly task: Task; readonly paper: PaperDocument; readonly signal: AbortSignal },
): Promise<Shown> {
  const { task, paper, signal } = input;
  const found: ShownFigure[] = [];
  for (const source of task.figures.slice(0, MOST_IMAGES)) {
    const image = await imageOfFile(deps, source, signal);
    if (image) found.push({ of: `the file ${source.name}`, image });
  }
  const texts = [paper.paper, ...paper.supplements];
  const sources = [task.paper, ...task.supplements];
  for (const [index, text] of texts.entries()) {
    const source = sources[index];
    const parts = text.parts.filter(({ place }) => place !== undefined);
    const wanted = parts.slice(0, Math.max(0, MOST_IMAGES - found.length));
    if (source === undefined || wanted.length === 0) continue;
    const places = wanted.flatMap(({ place }) => place ?? []);
    const images = await imagesOfPdf(deps, source, places, signal);
    for (const [at, { id }] of wanted.entries()) {
      const image = images[at];
      if (image) found.push({ of: id, image });
    }
  }
  const all = texts.flatMap(({ parts }) => parts).filter(({ kind }) => kind === 'figure').length;
  const ofParts = found.filter(({ of }) => !of.startsWith('the file ')).length;
  return { shown: found, leftOut: Math.max(0, all - ofParts) };
}

async function imageOfFile(
  deps: Deps,
  source: Source,
  signal: AbortSignal,
): Promise<ImageRef | undefined> {
  const bytes = await deps.store.get(source.content);
  if (isPdf(bytes)) return (await imagesOfPdf(deps, source, [FIRST_PAGE], signal))[0];
  const size = imageSize(bytes);
  if (size === undefined || bytes.length > MOST_IMAGE_BYTES) return undefined;
  return { ref: source.content, ...size };
}

async function imagesOfPdf(
  { store, pdf }: Deps,
  { name, content }: Source,
  places: readonly FigurePlace[],
  signal: AbortSignal,
): Promise<(ImageRef | undefined)[]> {
  const pictures = await pdf.pictures(name, await store.get(content), places, signal);
  return Promise.all(
    pictures.map(async (picture) => {
      if (picture === undefined || picture.png.length > MOST_IMAGE_BYTES) return undefined;
      const { png, width, height } = picture;
      return { ref: await store.put(png), mediaType: 'image/png' as const, width, height };
    }),
  );
}
