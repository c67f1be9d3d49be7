import assert from 'node:assert/strict';
import { readSource } from '../../src/papers/read-text.ts';
import type { NormalisedText } from '../../src/domain/paper.ts';

const read = (markdown: string): NormalisedText =>
  readSource('paper.md', new TextEncoder().encode(markdown)).text;
const idsOf = (text: NormalisedText): string[] =>
  text.parts.map(({ id, title }) => `${id} ${title}`);

describe('readMarkdown', () => {
  it('takes the title from a YAML header and leaves the header out', () => {
    const text = read("---\ntitle: 'On: things'\ntags:\n  - x\n---\n\n# Intro\n\nHi.\n");
    assert.equal(text.title, 'On: things');
    assert.equal(text.markdown, '# On: things\n\n## Intro [sec-1]\n\nHi.\n\n');
  });

  it('takes the only top heading as the title', () => {
    const text = read('# T\n\n## A\n\nx\n\n### B\n\ny\n\n## C\n\nz');
    assert.equal(text.title, 'T');
    assert.deepEqual(idsOf(text), ['sec-1 A', 'sec-1-1 B', 'sec-2 C']);
    const [a, b, c] = text.parts;
    assert.equal(a?.end, c?.start);
    assert.equal(b?.end, c?.start);
    assert.equal(c?.end, text.markdown.length);
  });

  it('believes the numbers in headings that a converter put on one level', () => {
    const text = read(
      '\\section*{2. Related}\n\nx\n\n\\section*{2.1. Inner}\n\ny\n\n\\section*{References}\n\nz',
    );
    assert.deepEqual(idsOf(text), ['sec-1 2. Related', 'sec-1-1 2.1. Inner', 'sec-2 References']);
  });

  it('gives equations, tables, figures and algorithms ids that the text shows', () => {
    const text = read(
      [
        '# A',
        'Text\n$$\nx = 1 \\label{eq:x}\n$$\nmore, see \\eqref{eq:x}.',
        'Table 1: Scores.\n\n| a | b |\n|---|---|\n| 1 | 2 |',
        '![A plot](plot.png){#fig:p}',
        '![](one.png)\n![](two.png)\n\nFigure 2. Two panels.',
        '```algorithm\nAlgorithm 1 Train\nstep\n```',
        '\\[ y \\]',
        'See \\ref{fig:p} and \\ref{none}.',
      ].join('\n\n'),
    );
    assert.deepEqual(idsOf(text), [
      'sec-1 A',
      'eq-1 eq:x',
      'tab-1 Table 1: Scores.',
      'fig-1 A plot',
      'fig-2 Figure 2. Two panels.',
      'alg-1 Algorithm 1 Train',
      'eq-2 y',
    ]);
    for (const part of text.parts) {
      assert.ok(text.markdown.slice(part.start, part.end).includes(`[${part.id}]`), part.id);
    }
    assert.match(text.markdown, /\$\$\nx = 1\n\$\$\n\[eq-1\]\n\nmore, see \(eq-1\)\./);
    assert.match(text.markdown, /\[tab-1\] Table 1: Scores\.\n\n\| a \| b \|/);
    assert.match(
      text.markdown,
      /\[fig-2\] Figure 2\. Two panels\.\n\n!\[\]\(one\.png\)\n!\[\]\(two\.png\)/,
    );
    assert.match(text.markdown, /See fig-1 and none\./);
  });

  it('keeps the text that a converter put right below a caption', () => {
    const caption = `Figure 1. ${'Long words of a caption. '.repeat(8)}`.trim();
    const text = read(`# A\n\n![](a.png)\n\n${caption}\nand the sentence goes on.`);
    assert.equal(text.parts[1]?.title, caption);
    assert.match(text.markdown, /\n\nand the sentence goes on\./);
  });

  it('turns LaTeX tables in Markdown into Markdown tables with their caption', () => {
    const text = read(
      '# A\n\n\\begin{tabular}{l|c}\n\\hline a & \\multicolumn{1}{c}{b} \\\\\n1 & $|x|$ \\\\\n\\end{tabular}\n\nTable 3. Numbers.',
    );
    assert.match(
      text.markdown,
      /\[tab-1\] Table 3\. Numbers\.\n\n\| a \| b \|\n\| --- \| --- \|\n\| 1 \| \$\\vert x\\vert \$ \|/,
    );
  });

  it('leaves code fences alone', () => {
    const code = '```python\n# no heading\n$$\n| a |\n```';
    assert.ok(read(`# A\n\n${code}\n\nend`).markdown.includes(code));
  });
});
