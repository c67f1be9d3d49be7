import assert from 'node:assert/strict';
import { openHarness, type CrashHarness } from '../fakes/crash-harness.ts';
import { budgetTable, playBudgets } from '../hostile/budget-runs.ts';
import { spendAtRandom } from '../runs/batch-world.ts';
import { aBench } from '../runs/a-run.ts';

/** Few files and slow calls: most of the time calls are under way, which is when a death can cost. */
const PLAN = { files: 6, depth: 2, latencyMs: 400, scenario: 'budget-scenario.ts' };

describe('the cap of fifty runs', function () {
  this.timeout(1_800_000);
  let harness: CrashHarness;

  before(async () => {
    harness = await openHarness([], PLAN, 1_500);
  });
  after(() => harness.end());

  it('holds by the provider’s own count, whatever calls cost and whatever dies', async () => {
    const rows = await playBudgets(harness, {
      ...{ runs: 50, atOnce: 8, kills: 40, longestMs: 6_000, seed: 1 },
    });
    console.log(`\n${budgetTable(rows, harness.kills.length)}\n`);
    assert.deepEqual(
      rows.flatMap(({ run, broken }) => broken.map((each) => `${run}: ${each}`)),
      [],
    );
  });

  it('holds for the papers of a batch together, in sixty of them', async () => {
    const bench = await aBench();
    try {
      for (let seed = 1; seed <= 60; seed += 1) await spendAtRandom(bench, seed);
    } finally {
      await bench.end();
    }
  });
});
