import { fileURLToPath } from 'node:url';
import { getDocument, Util, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { numbersOf, readDrawing } from './pdf-drawing.ts';
import { isExtensionFont } from './pdf-page.ts';
import type { OutlineEntry, PdfItem, PdfPage, PdfSource } from './pdf-page.ts';

/** pdfjs brings the fonts and character maps that a PDF may leave out. */
const FOLDER = fileURLToPath(new URL('./', import.meta.resolve('pdfjs-dist/package.json')));

/** Images of more pixels are not unpacked where only their places are wanted: that would take as long as all else. */
const MOST_PIXELS = 10_000;

/** Opens a PDF from its bytes: no scripts, no fonts of the system, nothing fetched; large images only for pictures. */
export function openPdf(bytes: Uint8Array, use: 'text' | 'pictures'): Promise<PDFDocumentProxy> {
  return getDocument({
    data: bytes,
    maxImageSize: use === 'text' ? MOST_PIXELS : -1,
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    stopAtErrors: false,
    useWorkerFetch: false,
    standardFontDataUrl: `${FOLDER}standard_fonts/`,
    cMapUrl: `${FOLDER}cmaps/`,
    cMapPacked: true,
  }).promise;
}

/** Reads what the layout pass needs, page after page. */
export async function extractPdf(document: PDFDocumentProxy): Promise<PdfSource> {
  const pages: PdfPage[] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    pages.push(await extractPage(page, number));
    page.cleanup();
  }
  return { title: await readTitle(document), outline: await readOutline(document), pages };
}

async function extractPage(page: PDFPageProxy, number: number): Promise<PdfPage> {
  const viewport = page.getViewport({ scale: 1 });
  // The list of operators comes first: fonts have their names only once it was made.
  const operators = await page.getOperatorList();
  const content = await page.getTextContent();
  const fonts = new Map<string, string>();
  const items: PdfItem[] = [];
  for (const item of content.items) {
    if (!('str' in item)) continue;
    const text = item.str.replace(/[\u0000-\u001f\u007f-\u009f\u00ad]/g, '');
    const [a = 0, b = 0, , d = 0, x = 0, y = 0] = numbersOf(
      Util.transform(viewport.transform, item.transform),
    );
    // Turned text is a stamp, or the title of an axis.
    if (text.trim() === '' || Math.abs(b) > Math.abs(a) * 0.1) continue;
    const font = fonts.get(item.fontName) ?? fontName(page, item.fontName);
    fonts.set(item.fontName, font);
    // Such fonts have root signs where others have these letters.
    const shown = isExtensionFont(font) ? text.replace(/[p-t]/g, '√') : text;
    items.push({ text: shown, x, y, width: item.width, size: Math.abs(d) || item.height, font });
  }
  const drawing = readDrawing(operators, viewport.transform, viewport);
  const { width, height } = viewport;
  return { number, width, height, items, ...drawing };
}

function fontName(page: PDFPageProxy, id: string): string {
  try {
    const font: unknown = page.commonObjs.get(id);
    if (typeof font !== 'object' || font === null) return '';
    const name = 'name' in font ? String(font.name) : '';
    const isBold = 'bold' in font && font.bold === true;
    return isBold && !/bold/i.test(name) ? `${name}-Bold` : name;
  } catch {
    return '';
  }
}

async function readTitle(document: PDFDocumentProxy): Promise<string> {
  const metadata = await document.getMetadata().catch(() => undefined);
  const info: unknown = metadata?.info;
  if (typeof info !== 'object' || info === null || !('Title' in info)) return '';
  return typeof info.Title === 'string' ? info.Title.trim() : '';
}

type OutlineNode = Readonly<{ title: string; items: unknown }>;

async function readOutline(document: PDFDocumentProxy): Promise<OutlineEntry[]> {
  const outline: unknown = await document.getOutline().catch(() => null);
  return flatten(outline, 1);
}

function flatten(nodes: unknown, level: number): OutlineEntry[] {
  if (!Array.isArray(nodes) || level > 6) return [];
  return nodes
    .filter(isOutlineNode)
    .flatMap(({ title, items }) => [
      { title: title.replace(/\s+/g, ' ').trim(), level },
      ...flatten(items, level + 1),
    ]);
}

function isOutlineNode(node: unknown): node is OutlineNode {
  return typeof node === 'object' && node !== null && 'title' in node && 'items' in node;
}
