import assert from 'node:assert/strict';
import { readRound } from '../../src/runs/read-rounds.ts';
import { aBench, aStartedRun, type Bench } from './a-run.ts';
import { commitRound } from './committed-rounds.ts';
import { loseCall } from './lost-call.ts';

describe('a round as it is read later', () => {
  let bench: Bench;
  beforeEach(async () => void (bench = await aBench()));
  afterEach(() => bench.end());

  it('counts calls whose end nobody saw, as the account of the run does', async () => {
    const { seed } = await aStartedRun(bench);
    await commitRound(bench, { 'README.md': '# Toy' });
    await loseCall(bench, seed, 'my-paper');
    const { spent, maybePaid, calls } = (await readRound(bench.ports, 'my-paper', 1)).report;
    assert.deepEqual([spent, maybePaid, calls], [0.25, 0.25, 1]);
  });
});
