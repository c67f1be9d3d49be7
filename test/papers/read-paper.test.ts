import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PaperDocument } from '../../src/domain/paper.ts';
import { runNodeModule } from '../../src/local/run-node-module.ts';
import { createPdfReader } from '../../src/papers/read-pdf.ts';
import { readPaper } from '../../src/papers/read-paper.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const pdf = createPdfReader(runNodeModule);
const SHARED = join(import.meta.dirname, '../../../shared');

/** The openly licensed papers that lie beside the repository where it is developed. */
function sharedPapers(): string[] {
  if (!existsSync(SHARED)) return [];
  const papers = readdirSync(join(SHARED, 'papers'))
    .filter((name) => /\.(?:md|tex)$/.test(name))
    .map((name) => join(SHARED, 'papers', name));
  const bench = readdirSync(join(SHARED, 'paperbench')).map((name) =>
    join(SHARED, 'paperbench', name, 'paper.md'),
  );
  return [...papers, ...bench.filter((file) => existsSync(file))];
}

describe('readPaper', () => {
  it('prefixes the ids of supplements, in their index and in their text', async () => {
    const document = await readPaper(
      { name: 'p.md', bytes: bytesOf('# A\n\nx\n\n# B\n\ny') },
      [
        { name: 'addendum.md', bytes: bytesOf('# More\n\n$$\nz\n$$') },
        {
          name: 'notes.tex',
          bytes: bytesOf('\\section{N}\\label{n} see \\ref{n} and \\ref{gone}'),
        },
      ],
      pdf,
    );
    PaperDocument.parse(document);
    assert.deepEqual(
      document.supplements.flatMap(({ parts }) => parts.map(({ id }) => id)),
      ['sup-1/sec-1', 'sup-1/eq-1', 'sup-2/sec-1'],
    );
    assert.match(document.supplements[0]?.markdown ?? '', /## More \[sup-1\/sec-1\]/);
    assert.match(document.supplements[1]?.markdown ?? '', /see sup-2\/sec-1 and gone/);
    assert.deepEqual(document.notices, [
      'notes.tex: References name labels that the text does not define: gone.',
    ]);
  });

  it('reads the real papers with an index that fits their text', async function () {
    const files = sharedPapers();
    if (files.length === 0) {
      console.log('      skipped: there is no ../shared/papers beside the repository');
      this.skip();
    }
    for (const file of files) {
      const document = await readPaper(
        { name: basename(file), bytes: readFileSync(file) },
        [],
        pdf,
      );
      const { markdown, parts } = PaperDocument.parse(document).paper;
      assert.equal(new Set(parts.map(({ id }) => id)).size, parts.length, file);
      for (const part of parts) {
        assert.ok(
          markdown.slice(part.start, part.end).includes(`[${part.id}]`),
          `${file} ${part.id}`,
        );
      }
      assert.doesNotMatch(
        markdown,
        /\0|\\(?:label|cite|includegraphics|begin\{(?:tabular|figure|table|itemize)\})/,
        file,
      );
    }
  });

  it('finds the equations, tables and figures of a real LaTeX paper', async function () {
    const file = join(SHARED, 'papers/adaptive-dual-scale-denoising.tex');
    if (!existsSync(file)) {
      console.log('      skipped: there is no ../shared/papers beside the repository');
      this.skip();
    }
    const { paper } = await readPaper({ name: 'paper.tex', bytes: readFileSync(file) }, [], pdf);
    const count = (kind: string): number => paper.parts.filter((part) => part.kind === kind).length;
    assert.deepEqual(['equation', 'table', 'figure'].map(count), [9, 1, 2]);
    assert.match(paper.markdown, /^\| Baseline \| Circle \| 0\.354 \| 37\.42 \| 0\.172 \|$/m);
    assert.match(paper.markdown, /^## 4 Method \[sec-4\]$/m);
    assert.doesNotMatch(paper.markdown, /goodfellow2016deep,|documentclass|AUTONOMOUSLY/);
  });
});
