import { OPS, Util } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PdfBox } from './pdf-page.ts';

type Operators = Readonly<{ fnArray: readonly number[]; argsArray: readonly unknown[] }>;
type Matrix = readonly number[];
/** What is drawn on a page, in its points. */
type Drawing = Readonly<{ rules: PdfBox[]; graphics: PdfBox[]; imageShare: number }>;

/** A path no higher than this is a line. */
const RULE_HEIGHT = 2.2;
const LEAST_RULE_WIDTH = 4;
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
const IMAGES: ReadonlySet<number> = new Set([
  OPS.paintImageXObject,
  OPS.paintInlineImageXObject,
  OPS.paintImageMaskXObject,
  OPS.paintImageXObjectRepeat,
]);

/** What may stand between an image's place and the image. */
const NEUTRAL: ReadonlySet<number> = new Set([
  ...[OPS.dependency, OPS.setGState, OPS.setRenderingIntent, OPS.setFillRGBColor],
  ...[OPS.beginMarkedContent, OPS.beginMarkedContentProps, OPS.endMarkedContent],
]);
/** Operators behind which a place that was set is of no more use. */
const ENDS: ReadonlySet<number> = new Set([OPS.restore, OPS.paintFormXObjectEnd]);
/** In points; a place for anything but an image has a scale of about 1. */
const LEAST_IMAGE_SIDE = 8;
const UNIT_SQUARE = [0, 0, 1, 1];

/**
 * Follows the operators of a page and notes where lines, paths and images are drawn. Of images that were too large to
 * unpack only the place is left: the unit square was moved and scaled, and nothing was drawn.
 */
export function readDrawing(
  { fnArray, argsArray }: Operators,
  base: Matrix,
  page: { readonly width: number; readonly height: number },
): Drawing {
  const rules: PdfBox[] = [];
  const graphics: PdfBox[] = [];
  let imageArea = 0;
  let matrix: Matrix = IDENTITY;
  const saved: Matrix[] = [];
  let isPlaced = false;
  const note = (corners: readonly number[], isImage: boolean): void => {
    const box = boxOf(corners, multiplied(base, matrix), page);
    if (box === undefined) return;
    const [width, height] = [box.x1 - box.x0, box.y1 - box.y0];
    if (isImage) imageArea += width * height;
    const isRule = !isImage && height <= RULE_HEIGHT && width >= LEAST_RULE_WIDTH;
    // What fills the page is its background.
    if (width * height > page.width * page.height * 0.85) return;
    (isRule ? rules : graphics).push(box);
  };
  for (const [index, operator] of fnArray.entries()) {
    const args = argsArray[index];
    if (isPlaced && ENDS.has(operator) && isLarge(multiplied(base, matrix)))
      note(UNIT_SQUARE, true);
    if (!NEUTRAL.has(operator)) isPlaced = operator === OPS.transform;
    if (operator === OPS.save || operator === OPS.paintFormXObjectBegin) saved.push(matrix);
    if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd)
      matrix = saved.pop() ?? IDENTITY;
    if (operator === OPS.transform) matrix = multiplied(matrix, numbersOf(args));
    if (operator === OPS.paintFormXObjectBegin && Array.isArray(args))
      matrix = multiplied(matrix, numbersOf(args[0]));
    if (IMAGES.has(operator)) note(UNIT_SQUARE, true);
    if (operator === OPS.constructPath) note(extentOf(args), false);
  }
  if (isPlaced && isLarge(multiplied(base, matrix))) note(UNIT_SQUARE, true);
  return { rules, graphics, imageShare: Math.min(1, imageArea / (page.width * page.height)) };
}

function isLarge([a = 1, b = 0, c = 0, d = 1]: Matrix): boolean {
  return Math.hypot(a, b) >= LEAST_IMAGE_SIDE && Math.hypot(c, d) >= LEAST_IMAGE_SIDE;
}

/** The operators' arguments end with the least and greatest coordinates of the path. */
function extentOf(args: unknown): number[] {
  return Array.isArray(args) ? numbersOf(args[2]) : [];
}

function boxOf(
  corners: readonly number[],
  matrix: Matrix,
  page: { readonly width: number; readonly height: number },
): PdfBox | undefined {
  const [left, top, right, bottom] = corners;
  if (left === undefined || top === undefined || right === undefined || bottom === undefined)
    return undefined;
  const points = [left, right].flatMap((x) => [top, bottom].map((y) => applied(matrix, x, y)));
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  if (![...xs, ...ys].every(Number.isFinite)) return undefined;
  const box = {
    x0: Math.max(0, Math.min(...xs)),
    y0: Math.max(0, Math.min(...ys)),
    x1: Math.min(page.width, Math.max(...xs)),
    y1: Math.min(page.height, Math.max(...ys)),
  };
  return box.x1 >= box.x0 && box.y1 >= box.y0 ? box : undefined;
}

function applied(matrix: Matrix, x: number, y: number): [number, number] {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix;
  return [a * x + c * y + e, b * x + d * y + f];
}

function multiplied(one: Matrix, other: Matrix): Matrix {
  return other.length === 6 ? Util.transform([...one], [...other]) : one;
}

/** The numbers in a list whose type says nothing. */
export function numbersOf(values: unknown): number[] {
  if (typeof values !== 'object' || values === null) return [];
  return Object.values(values).filter((value) => typeof value === 'number');
}
