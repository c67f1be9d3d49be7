import { createCanvas } from '@napi-rs/canvas';
import type { PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { FigurePlace } from '../domain/paper.ts';
import type { PdfReply } from './pdf-reply.ts';

type Picture = Extract<PdfReply, { kind: 'pictures' }>['pictures'][number];

const DOTS_PER_INCH = 150;
const POINTS_PER_INCH = 72;
/** Vision models make larger images smaller before they look at them. */
const LONGEST_SIDE = 1_568;
/** In points: a crop shows a little of what is around it, so that no label is cut. */
const MARGIN = 6;

/** PNG pictures of places, at about 150 dots per inch; of the whole page where no box is known. */
export async function renderPlaces(
  document: PDFDocumentProxy,
  places: readonly FigurePlace[],
): Promise<Picture[]> {
  const pictures: Picture[] = [];
  for (const [index, place] of places.entries()) {
    if (place.page > document.numPages) continue;
    pictures.push({ index, ...(await renderPlace(document, place)) });
  }
  return pictures;
}

async function renderPlace(
  document: PDFDocumentProxy,
  { page: number, box }: FigurePlace,
): Promise<Omit<Picture, 'index'>> {
  const page = await document.getPage(number);
  const whole = page.getViewport({ scale: 1 });
  const x0 = Math.max(0, (box?.x0 ?? 0) - MARGIN);
  const y0 = Math.max(0, (box?.y0 ?? 0) - MARGIN);
  const width = Math.max(1, Math.min(whole.width, (box?.x1 ?? whole.width) + MARGIN) - x0);
  const height = Math.max(1, Math.min(whole.height, (box?.y1 ?? whole.height) + MARGIN) - y0);
  const scale = Math.min(DOTS_PER_INCH / POINTS_PER_INCH, LONGEST_SIDE / Math.max(width, height));
  const viewport = page.getViewport({ scale, offsetX: -x0 * scale, offsetY: -y0 * scale });
  const size = [width, height].map((side) => Math.max(1, Math.floor(side * scale)));
  const [columns = 1, rows = 1] = size;
  const canvas = createCanvas(columns, rows);
  await page.render({ canvas: null, canvasContext: canvas.getContext('2d'), viewport }).promise;
  page.cleanup();
  return { png: canvas.toBuffer('image/png').toString('base64'), width: columns, height: rows };
}
