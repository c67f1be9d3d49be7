/** A rectangle in points; y runs down from the top edge of the page. */
export type PdfBox = Readonly<{ x0: number; y0: number; x1: number; y1: number }>;

/** A run of text in one font. `y` is its baseline, `size` its type size; all in points from the page's top left. */
export type PdfItem = Readonly<{
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  font: string;
}>;

/** What one page holds. `rules` are thin horizontal lines; `graphics` all else that is drawn. */
export type PdfPage = Readonly<{
  number: number;
  width: number;
  height: number;
  items: readonly PdfItem[];
  rules: readonly PdfBox[];
  graphics: readonly PdfBox[];
  /** Part of the page that raster images cover, 0 to 1. */
  imageShare: number;
}>;

/** A heading as the PDF's own outline names it; `level` counts from 1. */
export type OutlineEntry = Readonly<{ title: string; level: number }>;

/** Everything that the layout pass reads of a PDF. */
export type PdfSource = Readonly<{
  title: string;
  outline: readonly OutlineEntry[];
  pages: readonly PdfPage[];
}>;

/** Whether a font's name says that it is bold. */
export function isBoldFont(font: string): boolean {
  return /bold|black|heavy|demi|medi(?:um)?\b|medi$|cmbx|sfbx|-b\b|\bbx|semibold|ptmb|LinLibertineTB|\.B\b/i.test(
    font,
  );
}

/** Whether a font holds the letters and signs of formulas. */
export function isMathFont(font: string): boolean {
  return /cmmi|cmsy|cmex|cmbsy|cmmib|msam|msbm|eufm|rsfs|math|symbol|stmary|esint|bbold|dsrom|euex|txsy|txmi|pxsy|rmtmi|mtmi|mtsy|mtex|lmmi|lmsy|lmex|bbm/i.test(
    font,
  );
}

/** Whether a font holds big operators and brackets, which hang below their baseline. */
export function isExtensionFont(font: string): boolean {
  return /cmex|euex|mtex|txex|lmex|yhmath/i.test(font);
}

/** The smallest box around all; undefined for none. */
export function boxAround(boxes: readonly PdfBox[]): PdfBox | undefined {
  if (boxes.length === 0) return undefined;
  const most = (values: readonly number[]) => values.reduce((a, b) => Math.max(a, b));
  const least = (values: readonly number[]) => values.reduce((a, b) => Math.min(a, b));
  return {
    x0: least(boxes.map(({ x0 }) => x0)),
    y0: least(boxes.map(({ y0 }) => y0)),
    x1: most(boxes.map(({ x1 }) => x1)),
    y1: most(boxes.map(({ y1 }) => y1)),
  };
}
