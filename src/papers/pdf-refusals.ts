import type { PdfPage } from './pdf-page.ts';
import type { PdfReply } from './pdf-reply.ts';

type Refusal = Extract<PdfReply, { kind: 'refusal' }>;

/** A thesis has fewer; no model's window holds more, and reading takes a tenth of a second a page. */
const MOST_PAGES = 400;
/** A page with less text, and more than half of it an image, is a picture of a page. */
const LEAST_TEXT = 100;
const MOST_IMAGE_SHARE = 0.5;

/** Refuses a PDF of no pages, or of more than a paper has. */
export function refusalOfPages(count: number): Refusal | undefined {
  if (count === 0) return refusal('is a PDF without pages', 'Export or download it again.');
  if (count <= MOST_PAGES) return undefined;
  return refusal(
    `has ${count.toLocaleString('en')} pages, more than any model can take in (${MOST_PAGES} are read)`,
    'Cut out the pages of the paper, for example with `qpdf in.pdf --pages . 1-30 -- out.pdf`.',
  );
}

/** Refuses scans, whose pages are images, and PDFs whose letters are drawings. */
export function refusalOfText(pages: readonly PdfPage[]): Refusal | undefined {
  const lengthOf = ({ items }: PdfPage): number =>
    items.reduce((sum, { text }) => sum + text.trim().length, 0);
  const scanned = pages.filter(
    (page) => lengthOf(page) < LEAST_TEXT && page.imageShare > MOST_IMAGE_SHARE,
  );
  const ocr =
    'Recognise it first, for example with `ocrmypdf in.pdf out.pdf`, or give its LaTeX source.';
  if (scanned.length > pages.length / 2)
    return refusal(
      `is a scan: ${scanned.length} of its ${pages.length} pages are images without text`,
      ocr,
    );
  const all = pages.reduce((sum, page) => sum + lengthOf(page), 0);
  return all < LEAST_TEXT ? refusal('has next to no text in its pages', ocr) : undefined;
}

/** What pdfjs's errors mean for a person. */
export function refusalOfError(error: unknown): Refusal {
  const name = error instanceof Error ? error.name : '';
  if (name === 'PasswordException')
    return refusal(
      'is protected by a password',
      'Save a copy without one, for example with `qpdf --decrypt --password=PASSWORD in.pdf out.pdf`.',
    );
  const message = error instanceof Error ? error.message.replace(/\.$/, '') : '';
  const shown = message === '' ? '' : ` (${message.slice(0, 120)})`;
  return refusal(`is a damaged PDF${shown}`, 'Download it again, or export it anew.');
}

function refusal(problem: string, remedy: string): Refusal {
  return { kind: 'refusal', problem, remedy };
}
