import assert from 'node:assert/strict';
import { readSource } from '../../src/papers/read-text.ts';
import { PaperUnreadable } from '../../src/domain/errors.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function refusal(name: string, bytes: Uint8Array): string {
  try {
    readSource(name, bytes);
  } catch (error) {
    assert.ok(error instanceof PaperUnreadable, String(error));
    return error.message;
  }
  return assert.fail(`${name} was read`);
}

describe('readSource', () => {
  it('refuses what is no text, naming the file and the remedy', () => {
    assert.match(refusal('a.md', new Uint8Array()), /"a\.md" is empty/);
    assert.match(refusal('a.md', bytesOf(' \r\n\t\n')), /white space/);
    assert.match(refusal('a.txt', new Uint8Array([72, 105, 0, 1])), /is binary/);
    assert.match(
      refusal(
        'a.txt',
        Uint8Array.from({ length: 500 }, (_, i) => 128 + (i % 120)),
      ),
      /binary/,
    );
    assert.match(refusal('a.tex', new Uint8Array([0x1f, 0x8b, 8, 0])), /gzip/);
    assert.match(
      refusal('a.docx', bytesOf('PK\u0003\u0004..word/document.xml')),
      /pandoc paper\.docx/,
    );
    assert.match(refusal('a.zip', bytesOf('PK\u0003\u0004..')), /zip archive/);
    assert.match(refusal('a.md', bytesOf('<!DOCTYPE html><html><body>x')), /is HTML/);
    assert.match(refusal('a.md', bytesOf('x'.repeat(2_000_001))), /2\.0 MB of text/);
  });

  it('refuses LaTeX that only reads other files, and says to flatten it', () => {
    const message = refusal(
      'a.tex',
      bytesOf('\\documentclass{a}\\begin{document}\\input{body}\\end{document}'),
    );
    assert.match(message, /body, which was not found.*latexpand/);
  });

  it('reads past a byte order mark and CRLF, and composes accents', () => {
    const { text } = readSource('a.md', bytesOf('\ufeff# T\r\n\r\n## Cafe\u0301\r\nx'));
    assert.equal(text.markdown, '# T\n\n## Caf\u00e9 [sec-1]\n\nx\n\n');
  });

  it('says so when it reads Latin-1', () => {
    const { text, notices } = readSource(
      'a.txt',
      Buffer.from('A title\n\nUn café très long.', 'latin1'),
    );
    assert.match(text.markdown, /café très/);
    assert.match(notices[0] ?? '', /read as Latin-1/);
  });

  it('tells the form by the content when the name does not', () => {
    assert.equal(
      readSource('paper', bytesOf('\\documentclass{a}\\begin{document}x')).text.form,
      'latex',
    );
    assert.equal(readSource('paper.txt', bytesOf('# A\n\n# B\n\nx')).text.form, 'markdown');
    assert.equal(
      readSource('a.md', bytesOf('Use:\n\n```\n\\documentclass{a}\n```\n')).text.form,
      'markdown',
    );
  });

  it('guesses the headings of plain text', () => {
    const source =
      'A Title\n\nABSTRACT\n\nShort.\n\n1 Introduction\n\nWe do.\n\n2.1 Inner Part\n\nx\n\nREFERENCES\n\n[1] A. Body. 1 Some Title\n\nA. Proofs\n\ny';
    const { text } = readSource('a.txt', bytesOf(source));
    assert.equal(text.title, 'A Title');
    assert.deepEqual(
      text.parts.map(({ id, title }) => `${id} ${title}`),
      [
        'sec-0 ABSTRACT',
        'sec-1 1 Introduction',
        'sec-1-1 2.1 Inner Part',
        'sec-2 REFERENCES',
        'sec-3 A. Proofs',
      ],
    );
  });
});
