import assert from 'node:assert/strict';
import { diffRounds } from '../../src/runs/diff-rounds.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';

describe('diffRounds', function () {
  this.timeout(20_000);
  let bench: Bench;
  beforeEach(async () => {
    bench = await aBench();
    await aStartedRun(bench);
    await commitRound(bench, { 'a.py': 'a = 1\n', 'gone.py': 'g = 1\n' });
    await commitRound(bench, { 'a.py': 'a = 2\n', 'src/é new.py': 'b = 1\n' });
  });
  afterEach(() => bench.end());

  it('says what was added, changed and removed, with the paths of the repository', async () => {
    const diff = await diffRounds(bench.ports, 'my-paper', { from: 1, to: 2, isStat: false });
    assert.deepEqual(
      [diff.added, diff.changed, diff.removed],
      [['src/é new.py'], ['a.py'], ['gone.py']],
    );
    assert.match(diff.text, /^diff --git a\/a\.py b\/a\.py\n[^]*\n-a = 1\n\+a = 2\n/);
    assert.match(diff.text, /\+\+\+ b\/src\/é new\.py/);
  });

  it('compares with the empty beginning, counts lines, and backwards', async () => {
    const wish = { from: 0, to: 1, isStat: true };
    const { text } = await diffRounds(bench.ports, 'my-paper', wish);
    assert.match(text, /a\.py .*\+[^]*gone\.py .*\+[^]*3 files changed/);
    const back = await diffRounds(bench.ports, 'my-paper', { from: 2, to: 1, isStat: false });
    assert.deepEqual(back.removed, ['src/é new.py']);
  });

  it('is empty between a round and itself', async () => {
    const wish = { from: 2, to: 2, isStat: false };
    assert.equal((await diffRounds(bench.ports, 'my-paper', wish)).text, '');
  });

  it('refuses a round that is not there, and says what git is needed for', async () => {
    const wish = { from: 1, to: 7, isStat: false };
    await assert.rejects(diffRounds(bench.ports, 'my-paper', wish), /no round 7: its newest is 2/);
    const missing = { exitCode: null, stdout: '', started: false, failure: '' };
    const ports = { ...bench.ports, git: () => Promise.resolve(missing) };
    await assert.rejects(diffRounds(ports, 'my-paper', { ...wish, to: 2 }), /git is not installed/);
  });
});
