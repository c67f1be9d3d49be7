import assert from 'node:assert/strict';
import type { Claim } from '../../src/domain/weigh-claim.ts';
import { verifyRequirements, type VerifyAnswer } from '../../src/prompts/verify-requirements.ts';
import { aPaper } from '../fakes/builders.ts';

function asked(changes: Partial<Parameters<typeof verifyRequirements>[0]> = {}) {
  return verifyRequirements({
    ...{ paper: aPaper(), userRequests: [], isPaperShown: true, spans: [], files: [] },
    ...{ others: [], unwritten: [], commands: [], requirements: [], checks: [] },
    ...changes,
  });
}

function read(...lines: readonly string[]): VerifyAnswer {
  const reading = asked().read([...lines, '@done'].join('\n'));
  assert.ok(reading.kind === 'answer');
  return reading.answer;
}

function claimIn(...lines: readonly string[]): Claim {
  return read('@verdict R7', ...lines).claims[0] ?? assert.fail();
}

describe("the verifier's answer", () => {
  it('gives places as paths, lines and code, one a line', () => {
    const { where } = claimIn(
      'where: src/a.py:12 | loss = a | b',
      '  `src/b.py`:40-52 | def run(x: int) -> int:',
      '  src/c.py line 9',
      '  configs/default.yaml',
    );
    assert.deepEqual(where, [
      { path: 'src/a.py', line: 12, code: 'loss = a | b' },
      { path: 'src/b.py', line: 40, code: 'def run(x: int) -> int:' },
      { path: 'src/c.py', line: 9, code: '' },
      { path: 'configs/default.yaml', line: 1, code: '' },
    ]);
  });

  for (const [words, verdict] of [
    ['met', 'met'],
    ['**Met**', 'met'],
    ['not met', 'missing'],
    ['unmet', 'missing'],
    ['missing', 'missing'],
    ['partly met', 'partly'],
    ['partially', 'partly'],
    ['undecided', 'undecided'],
    ['', 'undecided'],
  ] as const)
    it(`reads "${words}" as ${verdict}`, () =>
      assert.equal(claimIn(`verdict: ${words}`).verdict, verdict));

  it('says nothing of code or command where it says "nothing"', () => {
    const { found, reachedBy } = claimIn('found: Nothing.', 'reached: no command');
    assert.deepEqual([found, reachedBy], ['', '']);
  });

  it('takes a fix from the record that it names', () => {
    const { claims } = read(
      ...['@verdict R1', 'verdict: missing', 'fix: Pass lam to loss().', 'fix-in: src/a.py'],
      ...['@verdict R2', 'verdict: missing', 'fix: as R1'],
    );
    assert.deepEqual(
      claims.map(({ fix, fixIn }) => [fix, fixIn]),
      [
        ['Pass lam to loss().', 'src/a.py'],
        ['Pass lam to loss().', 'src/a.py'],
      ],
    );
  });

  it('decides checks by number and leaves out those that it does not decide', () => {
    const { checks } = read(
      ...['@check 1', 'verdict: met', '@check 2', 'verdict: unmet', 'why: No.'],
      ...['@check 3', 'verdict: undecided'],
    );
    assert.deepEqual(checks, [
      { number: 1, isMet: true, why: '' },
      { number: 2, isMet: false, why: 'No.' },
    ]);
  });

  it('is asked for again where it was cut', () =>
    assert.equal(asked().read('@verdict R1\nverdict: met').kind, 'problems'));
});

describe("the verifier's request", () => {
  it('shows the places of demands where the paper is too long to be shown', () => {
    const spans = [{ id: 'eq-1', title: '', text: '$$ y = x $$' }];
    const texts = asked({ isPaperShown: false, spans }).messages.map(({ content }) => content);
    assert.ok(texts.some((text) => text.includes('[eq-1]\n$$ y = x $$')));
    assert.ok(texts.every((text) => !text.includes('# Paper')));
  });

  it('begins alike for all demands on the same files', () => {
    const files = [{ path: 'a.py', text: 'pass' }];
    const checks = [{ number: 1, path: 'a.py', text: 'It passes.' }];
    const [one, other] = [asked({ files }), asked({ files, checks })].map(({ messages }) =>
      JSON.stringify(messages.slice(0, 3)),
    );
    assert.equal(one, other);
  });
});
