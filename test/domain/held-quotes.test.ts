import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { holdQuotes, lostQuotesText, quotesTold } from '../../src/domain/held-quotes.ts';
import type { PaperDocument } from '../../src/domain/paper.ts';
import { aPaper, aRequirement } from '../fakes/builders.ts';

const SENTENCE =
  'We train with Adam for 200 epochs, and report the mean validation error over five random seeds.';
const FOREIGN =
  'Each agent keeps a replay buffer of one million transitions and samples it uniformly at random.';

function paperOf(markdown: string): PaperDocument {
  const paper = aPaper();
  return { ...paper, paper: { ...paper.paper, markdown }, supplements: [] };
}

function held(quotes: readonly string[], markdown: string, requests: readonly string[] = []) {
  const ledger = quotes.map((quote, index) => aRequirement({ id: `R${index + 1}`, quote }));
  return holdQuotes(ledger, paperOf(markdown), requests);
}

describe('the quotes of a ledger', () => {
  it('are kept where the paper has them, however they are set', () => {
    const set =
      'Text. We train with \\textbf{Adam} for\n$200$ epochs, and re-\nport the mean valida\u00adtion error over ﬁve random seeds [3].';
    assert.deepEqual(quotesTold(held([SENTENCE], set)), { lost: 0, all: 1, isOtherPaper: false });
    assert.equal(held([SENTENCE], set)[0]?.quote, SENTENCE);
  });

  it('are taken away and counted where neither paper nor request has them', () => {
    const [own, foreign] = held([SENTENCE, FOREIGN], SENTENCE);
    assert.equal(own?.quote, SENTENCE);
    assert.deepEqual([foreign?.quote, foreign?.misquoted], ['', true]);
    assert.match(lostQuotesText(held([SENTENCE, FOREIGN], SENTENCE)), /^1 of 2 sentences .* quote/);
    assert.equal(held([FOREIGN], SENTENCE, [FOREIGN])[0]?.quote, FOREIGN);
    assert.equal(lostQuotesText(held([SENTENCE], SENTENCE)), '');
  });

  it('are believed where they are formulas, rows or a few words', () => {
    const quotes = ['\\lambda_i = \\kappa^{-1 + (i-1)/(d-1)}', 'Adam 3e-4 200', 'gated sums win'];
    assert.equal(quotesTold(held(quotes, 'Nothing of it.')).lost, 0);
  });

  it('survive a formula that is written otherwise, and a slip', () => {
    const quote = `${SENTENCE.replace('mean', 'average')} $\\mathrm{err} = \\frac{1}{n}\\sum_i e_i$`;
    assert.equal(quotesTold(held([quote], `${SENTENCE} err = (1/n) Σ e`)).lost, 0);
  });

  it('tell answers about another paper when most are lost, but not for one or two', () => {
    const all = [FOREIGN, FOREIGN, FOREIGN, SENTENCE];
    assert.match(lostQuotesText(held(all, SENTENCE)), /3 of 4 .*about another paper/);
    assert.equal(quotesTold(held(all.slice(0, 2), SENTENCE)).isOtherPaper, false);
    const even = [...all, SENTENCE, SENTENCE];
    assert.equal(quotesTold(held(even, SENTENCE)).isOtherPaper, false);
  });

  it('of the demo are all in its paper', async () => {
    const tex = await readFile('demo/paper.tex', 'utf8');
    const replies = await Promise.all(
      ['method', 'experiments', 'details'].map((lens) =>
        readFile(`demo/replies/requirements/${lens}/try1.json`, 'utf8'),
      ),
    );
    const quotes = replies.flatMap((reply) =>
      [...reply.matchAll(/\\nquote: (.*?)\\n/g)].map(([, quote = '']) =>
        quote.replaceAll('\\\\', '\\'),
      ),
    );
    const told = quotesTold(held(quotes, tex));
    assert.ok(told.all >= 10);
    assert.equal(told.lost, 0);
  });
});
