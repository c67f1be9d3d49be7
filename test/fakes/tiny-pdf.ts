/** Words on a page of 612 × 792 points; `y` runs up from the bottom edge, as in PDF. */
export interface TinyText {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly size?: number;
  readonly bold?: boolean;
}

/** A page: words, and operators that draw. */
export interface TinyPage {
  readonly texts: readonly TinyText[];
  readonly drawing?: string;
}

/** The bytes of a PDF with these pages, in Helvetica. */
export function tinyPdf(pages: readonly TinyPage[]): Uint8Array {
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${5 + index * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${6 + index * 2} 0 R /Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>`,
      streamOf(contentOf(page)),
    ]),
  ];
  return fileOf(objects);
}

/** A PDF of any objects, numbered from 1; the first is the catalogue. */
export function fileOf(objects: readonly string[]): Uint8Array {
  let text = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const start = text.length;
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`);
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries.join('')}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}

/** A stream object; `dictionary` are entries besides its length. */
export function streamOf(content: string, dictionary = ''): string {
  return `<< /Length ${content.length} ${dictionary}>>\nstream\n${content}\nendstream`;
}

function contentOf({ texts, drawing = '' }: TinyPage): string {
  const words = texts.map(({ x, y, text, size = 10, bold = false }) => {
    const escaped = text.replace(/[\\()]/g, (sign) => `\\${sign}`);
    return `BT /${bold ? 'F2' : 'F1'} ${size} Tf 1 0 0 1 ${x} ${y} Tm (${escaped}) Tj ET`;
  });
  return [...words, drawing].join('\n');
}

const SENTENCE = 'The method adds a constant to each of the values that it is given as';

/** A small paper: title, abstract, two sections, a table, a figure, a formula with its number, references. */
export function tinyPaper(): Uint8Array {
  const prose = (from: number, count: number): TinyText[] =>
    Array.from({ length: count }, (_, index) => ({
      x: 72,
      y: from - index * 12,
      text: `${SENTENCE} input ${index + 1}${index === count - 1 ? '.' : ''}`,
      size: 12,
    }));
  return tinyPdf([
    {
      texts: [
        { x: 180, y: 720, text: 'Sums of Small Numbers', size: 20, bold: true },
        { x: 280, y: 690, text: 'A. Author', size: 12 },
        { x: 280, y: 660, text: 'Abstract', size: 13, bold: true },
        ...prose(640, 3),
        { x: 72, y: 580, text: '1 Introduction', size: 14, bold: true },
        ...prose(556, 6),
        { x: 72, y: 470, text: 'Table 1: Scores of the two methods.', size: 12 },
        { x: 100, y: 450, text: 'Method', size: 12 },
        { x: 250, y: 450, text: 'Score', size: 12 },
        { x: 100, y: 436, text: 'Sum', size: 12 },
        { x: 250, y: 436, text: '0.91', size: 12 },
        { x: 100, y: 422, text: 'Mean', size: 12 },
        { x: 250, y: 422, text: '0.85', size: 12 },
        ...prose(390, 4),
        { x: 300, y: 30, text: '1', size: 10 },
      ],
      drawing: '0.5 w 90 462 m 320 462 l S 90 446 m 320 446 l S 90 416 m 320 416 l S',
    },
    {
      texts: [
        { x: 72, y: 720, text: '2 Method', size: 14, bold: true },
        ...prose(696, 4),
        { x: 200, y: 500, text: 'x axis', size: 9 },
        { x: 160, y: 470, text: 'Figure 1: The score over the number of steps.', size: 12 },
        ...prose(430, 4),
        { x: 72, y: 360, text: 'References', size: 14, bold: true },
        { x: 72, y: 336, text: '[1] B. Writer. On sums. 2020.', size: 12 },
        { x: 300, y: 30, text: '2', size: 10 },
      ],
      drawing: '1 w 160 520 200 110 re S 160 520 m 360 630 l S',
    },
  ]);
}
