import assert from 'node:assert/strict';
import { failingSteps } from '../../src/runs/failing-steps.ts';
import { RUNNING } from './a-run.ts';

const UNREACHABLE = 'It cannot be reached.';

describe('steps that come to nothing', () => {
  const failingOf = (...steps: readonly [name: string, attempt: number, lastFailure: string][]) =>
    failingSteps({
      ...RUNNING,
      pending: steps.map(([name, attempt, lastFailure]) => ({ name, attempt, lastFailure })),
    });

  it('are those of a type that is tried again in every one under way', () => {
    const first = ['takeTurn', 3, UNREACHABLE] as const;
    assert.deepEqual(failingOf([...first], ['takeTurn', 2, UNREACHABLE]), ['takeTurn']);
    assert.deepEqual(failingOf([...first], ['takeTurn', 1, '']), []);
    assert.deepEqual(failingOf([...first], ['remember', 1, '']), ['takeTurn']);
  });

  it('are not those whose worker was lost', () => {
    assert.deepEqual(failingOf(['takeTurn', 2, 'activity Heartbeat timeout']), []);
    assert.deepEqual(failingSteps(undefined), []);
  });
});
