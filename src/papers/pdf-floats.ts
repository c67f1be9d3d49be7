import { boxOfSegments, captionsOf, type PdfCaption } from './pdf-captions.ts';
import { gridOf, stepsOf } from './pdf-grid.ts';
import { boxAround, type PdfBox } from './pdf-page.ts';
import { algorithmRegion, figureRegion, tableRegion, type PageView } from './pdf-regions.ts';
import type { Segment } from './pdf-segments.ts';

/** A table, figure or algorithm that was taken out of the text. */
export type Float = Readonly<{
  kind: PdfCaption['kind'];
  caption: readonly Segment[];
  /** A table's cells, an algorithm's steps, or the words in a figure. */
  content: string;
  page: number;
  /** Where it stands; undefined when nothing was found beside its caption. */
  box: PdfBox | undefined;
}>;

/** Takes the floats out of a page's words; each leaves a mark in its place, which `floats` knows. */
export function takeFloats(view: Omit<PageView, 'captions'>): {
  segments: Segment[];
  floats: Map<Segment, Float>;
} {
  const captions = captionsOf(view.segments, view.prose, view.page.rules);
  const whole: PageView = { ...view, captions };
  const floats = new Map<Segment, Float>();
  const taken = new Set<Segment>(captions.flatMap(({ lines }) => lines));
  for (const caption of captions) {
    const region = regionOf(whole, caption);
    const inside = region
      ? view.segments.filter((each) => !taken.has(each) && isInside(each, region))
      : [];
    for (const each of inside) taken.add(each);
    const mark = markFor(caption, region);
    floats.set(mark, {
      kind: caption.kind,
      caption: caption.lines,
      content: inside.length === 0 ? '' : contentOf(caption.kind, inside),
      page: view.page.number,
      box: region,
    });
  }
  const rest = view.segments.filter((each) => !taken.has(each));
  return { segments: [...rest, ...floats.keys()], floats };
}

function regionOf(view: PageView, caption: PdfCaption): PdfBox | undefined {
  if (caption.kind === 'table') return tableRegion(view, caption);
  return caption.kind === 'figure' ? figureRegion(view, caption) : algorithmRegion(view, caption);
}

function isInside(segment: Segment, { x0, y0, x1, y1 }: PdfBox): boolean {
  const [x, y] = [(segment.x0 + segment.x1) / 2, segment.y - segment.size * 0.3];
  return x > x0 - 3 && x < x1 + 3 && y > y0 - 3 && y < y1 + 3;
}

function contentOf(kind: PdfCaption['kind'], segments: readonly Segment[]): string {
  if (kind === 'table') return gridOf(segments);
  if (kind === 'algorithm') return stepsOf(segments);
  return segments.map(({ text }) => text).join(' | ');
}

/** Stands where the float was, as wide as it, so that it is read in its turn. */
function markFor(caption: PdfCaption, region: PdfBox | undefined): Segment {
  const box = boxAround([boxOfSegments(caption.lines), ...(region ? [region] : [])]);
  const { x0, x1, y0 } = box ?? caption.box;
  const page = caption.lines[0]?.page ?? 0;
  return { page, x0, x1, y: y0, size: 1, font: '', bold: false, maths: 0, text: '', items: [] };
}
