import assert from 'node:assert/strict';
import {
  failEntry,
  freeOf,
  grantMore,
  grantShare,
  reopenRun,
  retryEntry,
  settleRun,
  spentOf,
  worstExitCode,
  type Batch,
} from '../../src/domain/batch.ts';
import { randomFrom } from '../fakes/random.ts';

describe('the ledger of a batch', () => {
  it('never claims more than the total, whatever its runs ask for and spend', () => {
    for (let seed = 1; seed <= 200; seed += 1) {
      const source = randomFrom(seed);
      const random = (): number => source.below(1_000_000) / 1_000_000;
      const count = 1 + Math.floor(random() * 8);
      let batch = aBatch(count, 1 + random() * 50);
      for (let step = 0; step < 60; step += 1) {
        const entry = batch.entries[Math.floor(random() * count)];
        assert.ok(entry);
        const { run, granted, settled } = entry;
        const dice = random();
        if (dice < 0.3) batch = grantShare(batch, run);
        else if (dice < 0.7) batch = grantMore(batch, run);
        else if (dice < 0.9 && settled === null) batch = settleRun(batch, run, granted * random());
        else batch = reopenRun(batch, run);
        const claimed = batch.entries.reduce(
          (sum, each) => sum + (each.settled ?? each.granted),
          0,
        );
        assert.ok(claimed <= (batch.total ?? 0) + 1e-9, `seed ${seed}, step ${step}`);
      }
    }
  });

  it('keeps the shares of papers that were not begun', () => {
    let batch = grantShare(aBatch(4, 40), 'r0');
    batch = settleRun(batch, 'r0', 2);
    batch = grantMore(grantShare(batch, 'r1'), 'r1');
    assert.equal(freeOf(batch) >= 20, true);
    assert.ok((batch.entries[1]?.granted ?? 0) > 10, 'what r0 left over may be had');
  });

  it('gives no more than a paper may cost of its own', () => {
    const whole = aBatch(1, 40);
    const [entry] = whole.entries;
    assert.ok(entry);
    const capped = { ...whole, entries: [{ ...entry, paper: { ...entry.paper, budget: 3 } }] };
    const granted = grantShare(capped, 'r0');
    assert.equal(granted.entries[0]?.granted, 3);
    assert.deepEqual(grantMore(granted, 'r0'), granted);
  });

  it('forgets nothing that was spent: not by a run that is gone, nor by one that cannot be begun again', () => {
    let batch = settleRun(grantShare(aBatch(2, 10), 'r0'), 'r0', 4);
    batch = retryEntry(failEntry(batch, 'r0', 'It was removed.'), 'r0');
    assert.equal(batch.entries[0]?.settled, 4);
    assert.equal(spentOf(batch, new Map([['r1', 1]])), 5);
  });

  it('gives a paper that could not be begun only what is still free when it is tried again', () => {
    let batch = failEntry(grantShare(aBatch(2, 10), 'r0'), 'r0', 'The disk is full.');
    batch = grantMore(grantMore(grantShare(batch, 'r1'), 'r1'), 'r1');
    batch = grantShare(retryEntry(batch, 'r0'), 'r0');
    const granted = batch.entries.reduce((sum, entry) => sum + entry.granted, 0);
    assert.ok(granted <= 10 + 1e-9, `${granted}`);
  });

  it('takes the worst exit code of all', () => {
    assert.equal(worstExitCode([0, 3, 4, 1]), 1);
    assert.equal(worstExitCode([0, 3, 4]), 4);
    assert.equal(worstExitCode([0, 3]), 3);
    assert.equal(worstExitCode([0, 0]), 0);
  });
});

function aBatch(count: number, total: number): Batch {
  return {
    schemaVersion: 1,
    ...{ name: 'batch', createdAt: '2026-01-01T00:00:00.000Z', unit: 'usd', total },
    ...{ onBudget: 'wait', parallelRuns: 2, parallel: 8, maxOutputTokens: 8000 },
    ...{ review: false, out: null, replay: null },
    entries: Array.from({ length: count }, (_, index) => ({
      run: `r${index}`,
      paper: { paper: `/p${index}.md`, supplements: [], figures: [], requests: [] },
      ...{ granted: 0, settled: null, problem: '' },
    })),
  };
}
