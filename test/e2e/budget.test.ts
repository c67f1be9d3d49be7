import assert from 'node:assert/strict';
import { openHarness, type CrashHarness } from '../fakes/crash-harness.ts';
import { playBudgets } from '../hostile/budget-runs.ts';

const PLAN = { files: 6, depth: 2, latencyMs: 200, scenario: 'budget-scenario.ts' };

describe('a cap', function () {
  this.timeout(240_000);
  let harness: CrashHarness;

  before(async () => {
    harness = await openHarness([], PLAN, 1_500);
  });
  after(() => harness.end());

  it('holds by the provider’s own count, whatever calls cost and whatever dies', async () => {
    const rows = await playBudgets(harness, {
      runs: 5,
      atOnce: 5,
      kills: 3,
      longestMs: 1_500,
      seed: 4,
    });
    assert.deepEqual(
      rows.flatMap(({ run, broken }) => broken.map((each) => `${run}: ${each}`)),
      [],
    );
  });
});
