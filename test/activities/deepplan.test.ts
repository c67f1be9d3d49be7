import assert from 'node:assert/strict';
import { aPlan } from '../fakes/plan-scenario.ts';
import { writtenRun } from './written-run.ts';

describe('a run in deepplan', () => {
  it('asks a model for each round, and takes notes before the next', async () => {
    const plan = aPlan({ files: 8, depth: 3 });
    const { outcome, state, requests, notices } = await writtenRun(plan, () => undefined, {
      mode: 'deepplan',
    });
    // The tests' worker has no type checker, and says so.
    assert.deepEqual(
      notices.filter((text) => !text.includes('pyright')),
      [],
    );
    assert.equal(outcome, 'complete');
    const labels = requests.map(({ label }) => label);
    assert.deepEqual(
      labels.filter((label) => label.includes('/plan')),
      // The second says what to do about a warning: nothing.
      ['r1/plan/try1', 'r2/plan/try1'],
    );
    assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
  });
});
