import assert from 'node:assert/strict';
import { readSource } from '../../src/papers/read-text.ts';
import type { NormalisedText } from '../../src/domain/paper.ts';

function read(body: string, preamble = ''): { text: NormalisedText; notices: string[] } {
  const source = `\\documentclass{article}\n${preamble}\n\\begin{document}\n${body}\n\\end{document}\nafter`;
  return readSource('paper.tex', new TextEncoder().encode(source));
}

/** The Markdown of a body, without white space around it. */
function markdownOf(body: string, preamble = ''): string {
  return read(body, preamble).text.markdown.trim();
}

describe('readLatex', () => {
  it('drops preamble, comments and what stands after the end, and keeps the title', () => {
    const markdown = markdownOf(
      '10\\% kept % gone\n% gone\nnext',
      '\\title{The \\emph{Title}}\\usepackage{x}',
    );
    assert.equal(markdown, '# The *Title*\n\n10% kept next');
  });

  it('keeps a sentence that a forgotten backslash would cut, and says so', () => {
    const { text, notices } = read('fell by 12.8% compared to it. Then\nx=5 % a comment\ny');
    assert.equal(text.markdown.trim(), 'fell by 12.8% compared to it. Then x=5 y');
    assert.ok(notices.some((notice) => notice.includes('percent sign')));
    assert.deepEqual(read('ten percent % gone').notices, []);
  });

  it('numbers sections as LaTeX does and gives ids by position', () => {
    const { text } = read(
      '\\begin{abstract}Short.\\end{abstract}\\section{A}x\\paragraph{Run.}y\\subsection{B}z\\appendix\\section{C}w',
    );
    assert.deepEqual(
      text.parts.map(({ id, title, level }) => `${id} ${title} ${level}`),
      ['sec-0 Abstract 2', 'sec-1 1 A 2', 'sec-1-0-1 Run. 4', 'sec-1-1 1.1 B 3', 'sec-2 A C 2'],
    );
    assert.match(text.markdown, /^### 1\.1 B \[sec-1-1\]$/m);
  });

  it('expands the macros of the paper, in text and in maths', () => {
    const preamble =
      '\\newcommand{\\net}{FooNet\\xspace}\\newcommand{\\R}{\\ensuremath{\\mathbb{R}}}\\def\\v#1{\\mathbf{#1}}' +
      '\\newcommand{\\norm}[2][2]{\\|#2\\|_{#1}}\\DeclareMathOperator*{\\argmin}{arg\\,min}';
    assert.equal(
      markdownOf('\\net is in \\R: $\\argmin_x \\norm{\\v x} + \\norm[1]{y}$', preamble),
      'FooNet is in $\\mathbb{R}$: $\\operatorname*{arg\\,min}_x \\|\\mathbf{x}\\|_{2} + \\|y\\|_{1}$',
    );
  });

  it('keeps display maths as LaTeX and resolves references to ids', () => {
    const markdown = markdownOf(
      'See \\eqref{b}, Section~\\ref{s}, \\ref{t}.\n\\section{S}\\label{s}\n\\begin{align}\na &= 1 \\label{a}\\\\\nb &= 2 \\label{b}\n\\end{align}\n\\[ c \\] $$ d $$' +
        '\n\\begin{thm}\\label{t} Yes. \\end{thm}',
      '\\newtheorem{thm}{Theorem}',
    );
    assert.match(markdown, /^See \(eq-2\), Section sec-1, Theorem 1\./);
    assert.match(markdown, /a &= 1\n\\end\{align\}\n\$\$\n\[eq-1\]/);
    assert.match(markdown, /b &= 2\n\\end\{align\}\n\$\$\n\[eq-2\]/);
    assert.match(markdown, /\$\$\nc\n\$\$\n\[eq-u1\]/);
    assert.match(markdown, /\$\$\nd\n\$\$\n\[eq-u2\]/);
    assert.match(markdown, /\*\*Theorem 1\.\*\* Yes\./);
  });

  it('counts equations as the paper prints their numbers', () => {
    const { text } = read(
      '\\begin{align}a &= b \\nonumber\\\\ &= c \\\\ d &= \\begin{pmatrix}1\\\\2\\end{pmatrix} \\\\ e &= f \\notag\\end{align}' +
        '\\begin{align*}g &= h \\\\ i &= j\\end{align*}\\begin{equation}\\begin{split}k &= l\\\\ m &= n\\end{split}\\end{equation}' +
        '\\begin{multline}o\\\\ = p\\end{multline}\\begin{gather}\\nonumber q \\\\ \\nonumber r\\end{gather}\\begin{equation}s\\end{equation}',
    );
    const shown = text.parts.map(({ id, start, end }) => {
      const maths = text.markdown
        .slice(start, end)
        .replace(/\\[a-z]+\{[a-z*]+\}|\\[a-z]+|\[.*\]/g, '');
      return `${id}: ${(maths.match(/[a-s]/g) ?? []).join('')}`;
    });
    assert.deepEqual(shown, [
      'eq-1: abc',
      'eq-2: def',
      'eq-u1: ghij',
      'eq-3: klmn',
      'eq-4: op',
      'eq-u2: qr',
      'eq-5: s',
    ]);
  });

  it('maps tables with spans and rules to Markdown', () => {
    const markdown = markdownOf(
      '\\begin{table}\\caption{Cap}\\resizebox{1cm}{!}{\\begin{tabular}{lcc}\\toprule & \\multicolumn{2}{c}{G} \\\\ \\cmidrule(lr){2-3} n & a \\& b & c \\\\[2pt] \\multirow{2}{*}{x} & 1 \\\\ \\end{tabular}}\\end{table}',
    );
    assert.equal(
      markdown,
      '[tab-1] Cap\n\n|  | G |  |\n| --- | --- | --- |\n| n | a & b | c |\n| x | 1 |  |',
    );
  });

  it('keeps a table that is no grid as LaTeX', () => {
    const cells = Array.from({ length: 70 }, () => 'x').join(' & ');
    assert.match(
      markdownOf(`\\begin{tabular}{l}${cells}\\end{tabular}`),
      /```latex\n\\begin\{tabular\}/,
    );
  });

  it('keeps captions, images and panels of figures, and steps of algorithms', () => {
    const markdown = markdownOf(
      '\\begin{figure}\\begin{subfigure}{1cm}\\includegraphics[width=1cm]{a.png}\\caption{left}\\end{subfigure}\\caption{Main}\\label{f}\\end{figure} \\ref{f}' +
        '\\begin{algorithm}\\caption{Train}\\begin{algorithmic}[1]\n\\State $a$ % c\n\\State b\n\\end{algorithmic}\\end{algorithm}',
    );
    assert.match(markdown, /\[fig-1\] Main\n\nleft\n\n\(Image: a\.png\)\n\nfig-1/);
    assert.match(markdown, /\[alg-1\] Train\n\n```algorithm\n\\State \$a\$ *\n\\State b\n```/);
  });

  it('writes nested lists, code and links', () => {
    const markdown = markdownOf(
      '\\begin{enumerate}\\item One\\begin{itemize}\\item in\\end{itemize}\\item Two\\end{enumerate}\n' +
        '\\begin{verbatim}\na % b\n\\end{verbatim}\n\\verb|c%d| \\href{http://x.y/%20}{link} \\url{http://z/%7E}',
    );
    assert.equal(
      markdown,
      '1. One\n  - in\n2. Two\n\n```\na % b\n```\n\n`c%d` [link](http://x.y/%20) <http://z/%7E>',
    );
  });

  it('writes citations, footnotes, accents, styles and dashes as text', () => {
    assert.equal(
      markdownOf(
        '\\citep[see][p.~3]{a,b} \\citet{c}---Z\\"urich, caf\\\'{e}, \\textbf{b}, {\\em e}, \\$5\\footnote{n}.',
      ),
      '[see a, b, p. 3] [c]—Zürich, café, **b**, *e*, \\$5 (Footnote: n).',
    );
  });

  it('leaves embedded files, bibliographies and other files out, with a notice for each', () => {
    const { text, notices } = read(
      'Text\\input{more}\\bibliography{refs}\\begin{thebibliography}{9}\\bibitem{a} B\\end{thebibliography}',
      '\\begin{filecontents}{r.bib}\n@book{x, title={Secret}}\n\\end{filecontents}',
    );
    assert.equal(text.markdown.trim(), 'Text');
    assert.equal(notices.length, 3);
    assert.match(notices.join(' '), /filecontents.*more, which was not found.*bibliography/);
  });

  it('shows a word that another package defines, and the text of its styles', () => {
    assert.equal(
      markdownOf('We use \\ourmethod in \\mystyle{words}.'),
      'We use \\ourmethod in words.',
    );
  });

  it('goes on after what is never closed, and says so', () => {
    const { text, notices } = read(
      '\\begin{equation} x = 1\n\nText with $ sign and {\\em open\n\n\\begin{itemize}\\item a',
    );
    assert.match(text.markdown, /\$\$\nx = 1\n\$\$\n\[eq-1\]\n\nText with \\\$ sign/);
    assert.match(notices.join(' '), /equation is never closed/);
  });
});
