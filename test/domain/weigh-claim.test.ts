import assert from 'node:assert/strict';
import { weighClaim, type Claim } from '../../src/domain/weigh-claim.ts';

const TEXT = 'import math\n\n\ndef loss(x, lam):\n    return x + lam * math.sqrt(x)\n';
const EVIDENCE = {
  texts: new Map([['src/method.py', TEXT]]),
  paths: ['src/method.py', 'run.py', 'src/other/run_all.py'],
  owner: 'src/method.py',
};

function aClaim(changes: Partial<Claim> = {}): Claim {
  return {
    id: 'R1',
    verdict: 'met',
    expected: 'a loss',
    found: 'a loss',
    where: [{ path: 'src/method.py', line: 5, code: 'return x + lam * math.sqrt(x)' }],
    reachedBy: 'python run.py',
    fix: '',
    fixIn: '',
    why: '',
    needs: [],
    ...changes,
  };
}

function verdictOf(claim: Claim) {
  const weighed = weighClaim(claim, EVIDENCE);
  assert.ok(weighed.kind === 'verdict', weighed.kind === 'undecided' ? weighed.why : '');
  return weighed.verdict;
}

function whyUndecided(claim: Claim): string {
  const weighed = weighClaim(claim, EVIDENCE);
  assert.equal(weighed.kind, 'undecided');
  return weighed.kind === 'undecided' ? weighed.why : '';
}

describe('a claim of the verifier', () => {
  it('stands where its code is at its place', () =>
    assert.deepEqual(verdictOf(aClaim()).where, [{ path: 'src/method.py', line: 5 }]));

  it('has its line corrected where its code stands elsewhere in the file', () => {
    const where = [{ path: 'method.py', line: 900, code: '`return x + lam*math.sqrt(x)`' }];
    assert.deepEqual(verdictOf(aClaim({ where })).where, [{ path: 'src/method.py', line: 5 }]);
  });

  it('decides nothing where the file does not hold its code', () => {
    const where = [{ path: 'src/method.py', line: 5, code: 'return x - lam' }];
    assert.match(whyUndecided(aClaim({ where })), /src\/method\.py:5.*does not hold/);
  });

  it('decides nothing by a line beyond the file, or a file that was not shown', () => {
    const beyond = [{ path: 'src/method.py', line: 70, code: '' }];
    whyUndecided(aClaim({ where: beyond }));
    whyUndecided(aClaim({ where: [{ path: 'run.py', line: 1, code: '' }] }));
  });

  it('is met only with a place and with a command that reaches it', () => {
    assert.match(whyUndecided(aClaim({ where: [] })), /without a place/);
    assert.match(whyUndecided(aClaim({ reachedBy: '' })), /no command/);
  });

  it('is missing without a place, and has its fix in a file that there is', () => {
    const missing = { verdict: 'missing', where: [], reachedBy: '', fix: 'Add it.' } as const;
    assert.equal(
      verdictOf(aClaim({ ...missing, fixIn: 'run_all.py' })).fixIn,
      'src/other/run_all.py',
    );
    assert.equal(verdictOf(aClaim({ ...missing, fixIn: 'gone.py' })).fixIn, 'src/method.py');
  });

  it('says which further files it wants to see', () => {
    const weighed = weighClaim(
      aClaim({ verdict: 'undecided', why: 'The caller is not shown.', needs: ['run.py', 'x.py'] }),
      EVIDENCE,
    );
    assert.deepEqual(weighed, {
      ...{ kind: 'undecided', id: 'R1', why: 'The caller is not shown.' },
      needs: ['run.py'],
    });
  });
});
