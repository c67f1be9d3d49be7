import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assemble } from '../../src/papers/assemble.ts';
import { draftOfPdf } from '../../src/papers/pdf-draft.ts';
import { equationsOf } from '../../src/papers/pdf-equations.ts';
import { extractPdf, openPdf } from '../../src/papers/pdf-extract.ts';
import { withoutFurniture } from '../../src/papers/pdf-furniture.ts';
import type { PdfItem, PdfPage } from '../../src/papers/pdf-page.ts';
import { rowsOf } from '../../src/papers/pdf-rows.ts';
import { segmentsOf } from '../../src/papers/pdf-segments.ts';
import { joinLines, vocabularyOf } from '../../src/papers/pdf-words.ts';

const PAPERS = join(import.meta.dirname, '../../../shared/papers');

function item(text: string, x: number, y: number, parts: Partial<PdfItem> = {}): PdfItem {
  return { text, x, y, width: text.length * 5, size: 10, font: 'Times', ...parts };
}

function aPage(items: readonly PdfItem[], parts: Partial<PdfPage> = {}): PdfPage {
  const page = { number: 1, width: 600, height: 800, rules: [], graphics: [], imageShare: 0 };
  return { ...page, items, ...parts };
}

/** Lines of running text in a column. */
function lines(x: number, from: number, count: number, word: string): PdfItem[] {
  return Array.from({ length: count }, (_, row) =>
    item(`${word} says that the method goes on here ${row}`, x, from + row * 12, { width: 230 }),
  );
}

const textOf = (pages: readonly PdfPage[]): string =>
  assemble('p.pdf', draftOfPdf({ title: '', outline: [], pages }), '').text.markdown;

describe('the layout of a PDF', () => {
  it('reads the left column before the right one, and what crosses both in its place', () => {
    const wide = item('A line that goes over both of the columns of this page', 50, 300, {
      width: 500,
    });
    const text = textOf([
      aPage([
        ...lines(50, 100, 10, 'left'),
        ...lines(320, 100, 10, 'right'),
        wide,
        ...lines(50, 400, 10, 'lower'),
        ...lines(320, 400, 10, 'last'),
      ]),
    ]);
    const order = ['left', 'right', 'A line', 'lower', 'last'].map((word) => text.indexOf(word));
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.doesNotMatch(text, /left says that the method goes on here 0 right/);
  });

  it('takes out running heads, page numbers and the numbers of lines', () => {
    const pages = Array.from({ length: 4 }, (_, index) => {
      const numbers = Array.from({ length: 10 }, (__, row) =>
        item(`${row + 1}`, 20, 100 + row * 12),
      );
      const head = item(`A. Author et al. ${index}`, 200, 30);
      const foot = item(`${index + 1}`, 300, 780);
      return {
        height: 800,
        segments: segmentsOf(aPage([head, ...numbers, ...lines(80, 100, 10, 'text'), foot])),
      };
    });
    const kept = withoutFurniture(pages).flatMap((segments) => segments.map(({ text }) => text));
    assert.equal(kept.length, 40);
    assert.ok(kept.every((text) => text.startsWith('text says')));
  });

  it('writes letters above and below the line with ^ and _, and small capitals as they are', () => {
    const small = { size: 7, width: 4 };
    const [segment] = segmentsOf(
      aPage([
        item('x', 100, 200, { width: 5 }),
        item('t', 105, 202, small),
        item(' of S', 110, 200),
        item('PECTER', 135, 200, { size: 8 }),
        item('2', 166, 196, small),
      ]),
    );
    assert.equal(segment?.text, 'x_t of SPECTER^2');
  });

  it('writes a fraction by its bar, and keeps the number of a formula apart', () => {
    const maths = { font: 'CMMI10', width: 5 };
    const page = aPage([
      item('y', 200, 205, maths),
      item('=', 208, 205, maths),
      item('a', 225, 198, maths),
      item('b', 225, 212, maths),
      item('(3)', 480, 205, { width: 15 }),
    ]);
    const rows = rowsOf(segmentsOf(page), { x0: 50, x1: 500 });
    const bar = { x0: 222, x1: 234, y0: 202, y1: 202.5 };
    assert.deepEqual(equationsOf(rows, [bar]), [{ number: '3', text: 'y = \\frac{a}{b}' }]);
  });

  it("joins words at line ends by the document's own words", () => {
    const known = vocabularyOf([
      'a state-of-the-art encoder',
      'global and local features',
      'candidate',
    ]);
    const join = (...parts: string[]): string => joinLines(parts, known);
    assert.equal(join('each candi-', 'date'), 'each candidate');
    assert.equal(join('is state-', 'of-the-art'), 'is state-of-the-art');
    assert.equal(join('the global-', 'local balance'), 'the global-local balance');
    assert.equal(join('compu-', 'tation'), 'computation');
    assert.equal(join('Self-', 'Attention'), 'Self-Attention');
  });

  const COUNTS: readonly (readonly [string, Readonly<Record<string, number>>])[] = [
    [
      'adaptive-dual-scale-denoising',
      { section: 23, equation: 9, table: 1, figure: 2, algorithm: 0 },
    ],
    ['specter-acl2020', { section: 21, equation: 2, table: 3, figure: 2, algorithm: 0 }],
    ['rescience-mbpo', { section: 21, equation: 0, table: 1, figure: 6, algorithm: 2 }],
  ];
  for (const [name, counts] of COUNTS)
    it(`finds the parts of a real paper (${name})`, async function () {
      this.timeout(60_000);
      const file = join(PAPERS, `${name}.pdf`);
      if (!existsSync(file)) {
        console.log('      skipped: there is no ../shared/papers beside the repository');
        this.skip();
      }
      const source = await extractPdf(await openPdf(new Uint8Array(readFileSync(file)), 'text'));
      const { text } = assemble(name, draftOfPdf(source), '');
      const found = Object.keys(counts).map((kind) => [
        kind,
        text.parts.filter((part) => part.kind === kind && !part.id.startsWith('eq-u')).length,
      ]);
      assert.deepEqual(Object.fromEntries(found), counts);
      const tables = text.parts.filter(({ kind }) => kind === 'table');
      for (const { start, end } of tables) assert.match(text.markdown.slice(start, end), /```/);
    });
});
