import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PaperUnreadable } from '../../src/domain/errors.ts';
import { withoutReferences } from '../../src/domain/paper-text.ts';
import { PaperDocument } from '../../src/domain/paper.ts';
import { runNodeModule } from '../../src/local/run-node-module.ts';
import { answerPdf } from '../../src/papers/pdf-answer.ts';
import { createPdfReader, type ModuleResult } from '../../src/papers/read-pdf.ts';
import { readPaper } from '../../src/papers/read-paper.ts';
import { listProcesses } from '../../src/processes/list-processes.ts';
import { fileOf, streamOf, tinyPaper, tinyPdf } from '../fakes/tiny-pdf.ts';

const ENDED: ModuleResult = {
  ...{ exitCode: 0, stdout: '', stderr: '', timedOut: false, cancelled: false },
  ...{ outputCut: false, started: true, failure: '' },
};
/** The PDF program without its process, which takes a second to start from its source. */
const pdf = createPdfReader(async ({ input, args }) => ({
  ...ENDED,
  stdout: JSON.stringify(await answerPdf(new Uint8Array(input), args[0])),
}));
/** With its process. */
const apart = createPdfReader(runNodeModule);
const SHARED = join(import.meta.dirname, '../../../shared/papers');
const read = (bytes: Uint8Array, name = 'paper.pdf') => readPaper({ name, bytes }, [], pdf);

async function refuses(bytes: Uint8Array, sentence: RegExp, name = 'paper.pdf'): Promise<void> {
  await assert.rejects(read(bytes, name), (error: unknown) => {
    assert.ok(error instanceof PaperUnreadable, String(error));
    assert.match(error.message, sentence);
    return true;
  });
}

describe('a PDF', function () {
  this.timeout(60_000);

  it('is read into sections, tables and figures with ids, without its page numbers', async () => {
    const { paper, notices } = PaperDocument.parse(await read(tinyPaper()));
    assert.equal(paper.form, 'pdf');
    assert.equal(paper.title, 'Sums of Small Numbers');
    assert.deepEqual(
      paper.parts.map(({ id, title }) => `${id} ${title}`),
      [
        'sec-0 Abstract',
        'sec-1 1 Introduction',
        'tab-1 Table 1: Scores of the two methods.',
        'sec-2 2 Method',
        'fig-1 Figure 1: The score over the number of steps.',
        'sec-3 References',
      ],
    );
    assert.match(paper.markdown, /```\nMethod +Score\nSum +0\.91\nMean +0\.85\n```/);
    assert.match(paper.markdown, /<!-- page 2 -->/);
    assert.doesNotMatch(paper.markdown, /^\d$/m);
    assert.doesNotMatch(withoutReferences(paper), /B\. Writer/);
    assert.match(notices.join(' '), /The paper is a PDF/);
    const { place } = paper.parts.find(({ id }) => id === 'fig-1') ?? {};
    assert.equal(place?.page, 2);
    assert.ok(place.box && place.box.y0 > 150 && place.box.y1 < 310, JSON.stringify(place));
  });

  it('gives pictures of its figures', async () => {
    const box = { x0: 160, y0: 160, x1: 360, y1: 300 };
    const pictures = await pdf.pictures('p.pdf', tinyPaper(), [
      { page: 2, box },
      { page: 1, box: null },
      { page: 9, box },
    ]);
    assert.deepEqual(
      pictures.map((picture) => picture && [picture.width, picture.height]),
      [[441, 316], [1211, 1568], undefined],
    );
    const png = Buffer.from(pictures[0]?.png ?? []);
    assert.equal(png.subarray(1, 4).toString('latin1'), 'PNG');
  });

  it('is refused when it has no text, no pages or no end, or is none', async () => {
    await refuses(tinyPdf([{ texts: [] }]), /"paper\.pdf" has next to no text.*ocrmypdf/);
    const empty = ['<< /Type /Catalog /Pages 2 0 R >>', '<< /Type /Pages /Kids [] /Count 0 >>'];
    await refuses(fileOf(empty), /is a PDF without pages|is a damaged PDF/);
    await refuses(tinyPaper().subarray(0, 2_000), /is cut off: .*Download it again/);
    const page = Buffer.from('<!DOCTYPE html><html><body><p>Please log in</p></body></html>');
    await refuses(page, /is a web page \(HTML\) and no PDF\. Open it in a browser/);
    await refuses(Buffer.from('\0\x01\x02'), /is no PDF, or a damaged one/);
  });

  it('is refused when it has more pages than a paper', async () => {
    const pages = Array.from({ length: 401 }, () => ({ texts: [] }));
    await refuses(tinyPdf(pages), /has 401 pages, more than any model can take in.*qpdf/);
  });

  it('is refused when it unpacks to more memory than a paper needs', async () => {
    await assert.rejects(apart.draft('paper.pdf', bomb()), /needs more than 1024 MB to read/);
  });

  it('ends with its signal, and leaves no process behind', async () => {
    const controller = new AbortController();
    const reading = apart.draft('p.pdf', tinyPaper(), controller.signal);
    setImmediate(() => controller.abort(new Error('cancelled by a person')));
    await assert.rejects(reading, /cancelled by a person/);
    const left = await listProcesses();
    assert.deepEqual(
      left.filter(({ commandLine }) =>
        commandLine.includes(join(import.meta.dirname, '../../src/papers/pdf-main')),
      ),
      [],
    );
  });

  it('is not blamed when its program was killed by someone else', async () => {
    const killed = { ...ENDED, exitCode: null, failure: 'node was killed.' };
    const reader = createPdfReader(() => Promise.resolve(killed));
    await assert.rejects(
      reader.draft('p.pdf', tinyPaper()),
      (error: unknown) => !(error instanceof PaperUnreadable),
    );
  });

  it('is told what is wrong with real scans and locked files', async function () {
    if (!existsSync(SHARED)) {
      console.log('      skipped: there is no ../shared/papers beside the repository');
      this.skip();
    }
    const file = (name: string) => readFileSync(join(SHARED, `literature-graph-${name}.pdf`));
    await refuses(file('scanned-no-text'), /is a scan: 8 of its 8 pages are images/);
    await refuses(file('encrypted-user-password'), /is protected by a password\. Save a copy/);
    const { paper } = await read(file('encrypted-owner-only'));
    assert.match(paper.title, /Construction of the Literature Graph/);
  });
});

/** A page whose content unpacks to 2 GB. */
function bomb(): Uint8Array {
  const row = deflateSync(Buffer.alloc(64_000_000, 'q '));
  const contents = Array.from({ length: 32 }, (_, index) => `${index + 4} 0 R`).join(' ');
  const stream = streamOf(row.toString('latin1'), '/Filter /FlateDecode ');
  return fileOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [${contents}] >>`,
    ...Array.from({ length: 32 }, () => stream),
  ]);
}
