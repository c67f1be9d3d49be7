import assert from 'node:assert/strict';
import { describeRetries } from '../../src/commands/describe-retries.ts';

describe('retries as status shows them', () => {
  const shown = (...steps: readonly [name: string, attempt: number, lastFailure: string][]) =>
    describeRetries({
      engine: {
        state: 'answering',
        message: '',
        pending: steps.map(([name, attempt, lastFailure]) => ({ name, attempt, lastFailure })),
      },
    });

  it('are one line for each trouble, under the names that steps have elsewhere', () => {
    const lines = shown(
      ['analyseFigures', 7, 'It cannot be reached.'],
      ['extractRequirements', 6, 'It cannot be reached.'],
      ['takeTurn', 2, 'activity Heartbeat timeout'],
    );
    assert.deepEqual(lines, [
      'analyse figures, extract requirements, try 7: It cannot be reached.',
      'write a file, try 2: its worker was gone; what it had done is kept',
    ]);
  });

  it('leave out steps in their first attempt', () => {
    assert.deepEqual(shown(['takeTurn', 1, '']), []);
  });
});
