import assert from 'node:assert/strict';
import {
  estimateTokens,
  figureCaptions,
  partsById,
  searchPaper,
  textOfPart,
  withoutReferences,
} from '../../src/domain/paper-text.ts';
import type { NormalisedText, PaperDocument, PaperPart } from '../../src/domain/paper.ts';

/** A text of sections, each `[level, title, body]`, with ids `sec-1`, `sec-2`, … in order. */
function aText(
  sections: readonly (readonly [number, string, string])[],
  prefix = '',
): NormalisedText {
  let markdown = '';
  const starts = sections.map(([level, title, body], index) => {
    const start = markdown.length;
    markdown += `${'#'.repeat(level)} ${title} [${prefix}sec-${index + 1}]\n\n${body}\n\n`;
    return start;
  });
  const parts = sections.map(([level, title], index): PaperPart => {
    const next = sections.findIndex(([other], place) => place > index && other <= level);
    const end = next < 0 ? markdown.length : (starts[next] ?? 0);
    return {
      id: `${prefix}sec-${index + 1}`,
      kind: 'section',
      title,
      level,
      start: starts[index] ?? 0,
      end,
    };
  });
  return { name: 'a.md', form: 'markdown', title: 'T', markdown, parts };
}

function aDocument(paper: NormalisedText, supplements: NormalisedText[] = []): PaperDocument {
  return { schemaVersion: 1, paper, supplements, notices: [] };
}

describe('paper text', () => {
  const paper = aText([
    [2, 'Method', 'Adam with a learning rate.'],
    [3, 'Loss', 'The squared loss. Squared again.'],
    [2, 'References', 'Kingma, Adam, squared loss.'],
    [3, 'A Proofs', 'Kept.'],
  ]);

  it('gives the words of a part by its id, in paper and supplements', () => {
    const document = aDocument(paper, [aText([[2, 'Errata', 'New rate.']], 'sup-1/')]);
    assert.equal(
      textOfPart(document, 'sec-2'),
      '### Loss [sec-2]\n\nThe squared loss. Squared again.',
    );
    assert.match(textOfPart(document, 'sec-1') ?? '', /learning rate[^]*squared loss/);
    assert.match(textOfPart(document, 'sup-1/sec-1') ?? '', /New rate/);
    assert.equal(textOfPart(document, 'sec-9'), undefined);
    assert.equal(partsById(document).get('sup-1/sec-1')?.part.title, 'Errata');
  });

  it('drops the references but not the appendix behind them, whatever its level', () => {
    const text = withoutReferences(paper);
    assert.doesNotMatch(text, /Kingma|References/);
    assert.match(text, /Squared again[^]*A Proofs[^]*Kept/);
  });

  it('knows numbered and other names of references, and no section that only speaks of them', () => {
    for (const title of ['7. References', 'VII. REFERENCES', 'Bibliography', '参考文献']) {
      assert.doesNotMatch(withoutReferences(aText([[2, title, 'Entry.']])), /Entry/, title);
    }
    assert.match(withoutReferences(aText([[2, 'Reference models', 'Entry.']])), /Entry/);
  });

  it('finds sections with most words of the query first, supplements before the paper', () => {
    const document = aDocument(paper, [aText([[2, 'Errata', 'The loss is squared.']], 'sup-1/')]);
    const hits = searchPaper(document, 'Squared LOSS', 3);
    assert.deepEqual(
      hits.map(({ id }) => id),
      ['sup-1/sec-1', 'sec-2', 'sec-3'],
    );
    assert.match(hits[1]?.excerpt ?? '', /The squared loss/);
    assert.deepEqual(searchPaper(document, 'absent', 3), []);
    assert.deepEqual(searchPaper(document, ' ?', 3), []);
  });

  it('lists captions of figures', () => {
    const part: PaperPart = {
      id: 'fig-1',
      kind: 'figure',
      title: 'A plot',
      level: 0,
      start: 0,
      end: 3,
    };
    const document = aDocument({ ...paper, parts: [part, ...paper.parts] });
    assert.deepEqual(figureCaptions(document), [{ id: 'fig-1', caption: 'A plot' }]);
  });

  it('counts a token for each 3.6 characters, rounded up', () => {
    assert.equal(estimateTokens(''), 0);
    assert.equal(estimateTokens('x'.repeat(36)), 10);
    assert.equal(estimateTokens('x'.repeat(37)), 11);
  });
});
