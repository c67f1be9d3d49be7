import assert from 'node:assert/strict';
import { PaperUnreadable } from '../../src/domain/errors.ts';
import { NormalisedText } from '../../src/domain/paper.ts';
import { readSource } from '../../src/papers/read-text.ts';

const LATEX = '\\documentclass{a}\\begin{document}Text ';
const BOMB = ['a', 'b', 'c', 'd', 'e']
  .map((name, index) => `\\def\\${name}{${`\\${'bcdea'.charAt(index)}`.repeat(10)}}`)
  .join('');

const HOSTILE: readonly (readonly [string, string, string])[] = [
  ['100,000 nested braces', 'a.tex', LATEX + '{'.repeat(100_000) + '}'.repeat(100_000)],
  ['braces that never close', 'a.tex', LATEX + '{'.repeat(500_000)],
  [
    '100,000 nested commands',
    'a.tex',
    LATEX + '\\emph{'.repeat(100_000) + 'x' + '}'.repeat(100_000),
  ],
  ['a macro bomb', 'a.tex', `${LATEX + BOMB}\\a`],
  [
    'a macro that doubles a long argument',
    'a.tex',
    `${LATEX}\\def\\x#1{${'#1'.repeat(500)}}\\x{${'y'.repeat(900_000)}}`,
  ],
  ['nested doubling', 'a.tex', `${LATEX}\\def\\x#1{#1#1}${'\\x{'.repeat(300)}y${'}'.repeat(300)}`],
  ['environments that never close', 'a.tex', LATEX + '\\begin{itemize}\\item x'.repeat(20_000)],
  [
    '20,000 nested lists',
    'a.tex',
    LATEX + '\\begin{itemize}\\item x'.repeat(20_000) + '\\end{itemize}'.repeat(20_000),
  ],
  [
    '20,000 nested figures',
    'a.tex',
    LATEX + '\\begin{figure}'.repeat(20_000) + '\\end{figure}'.repeat(20_000),
  ],
  [
    '20,000 nested tables',
    'a.tex',
    LATEX + '\\begin{tabular}{c}x'.repeat(20_000) + '\\end{tabular}'.repeat(20_000),
  ],
  ['maths that never closes', 'a.tex', LATEX + '\\[ x '.repeat(100_000)],
  ['options that never close', 'a.tex', LATEX + '\\cite['.repeat(50_000)],
  ['definitions that never end', 'a.tex', LATEX + '\\def\\a'.repeat(100_000)],
  ['equations that never close in Markdown', 'a.md', `# A\n\n${'\\[ x\ny\n'.repeat(30_000)}`],
  ['titles that never close in Markdown', 'a.md', `# A\n\n${'\\title{\n'.repeat(30_000)}`],
  ['a heading of spaces', 'a.md', `# a${' '.repeat(900_000)}x`],
  ['one line of 1.9 MB', 'a.txt', 'word '.repeat(380_000)],
  ['one line of 1.9 MB of LaTeX', 'a.tex', LATEX + 'w$x$ '.repeat(370_000)],
];

describe('the readers', () => {
  for (const [title, name, text] of HOSTILE) {
    it(`survive ${title}`, function () {
      this.timeout(20_000);
      let result: NormalisedText | undefined;
      try {
        result = readSource(name, new TextEncoder().encode(text)).text;
      } catch (error) {
        assert.ok(error instanceof PaperUnreadable, String(error));
        return;
      }
      NormalisedText.parse(result);
      assert.ok(result.markdown.length < 4 * text.length + 2_000_000);
    });
  }
});
