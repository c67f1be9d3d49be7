import assert from 'node:assert/strict';
import { canResume, exitCodeOf, outcomeOf } from '../../src/domain/outcome.ts';
import { OutcomeName } from '../../src/domain/run-record.ts';

const NONE = {
  ...{ unwrittenFiles: 0, brokenFiles: 0, openBlocking: 0 },
  ...{ unowned: 0, unverified: 0, emptyLedger: 0, otherPaper: 0 },
};

describe('an outcome', () => {
  it('is complete only when nothing at all is missing', () => {
    assert.equal(outcomeOf('inspected', NONE), 'complete');
    for (const gap of Object.keys(NONE))
      assert.equal(outcomeOf('inspected', { ...NONE, [gap]: 1 }), 'complete-with-gaps', gap);
  });

  it('is the reason where a run ended before its inspection, however whole it looks', () => {
    for (const reason of ['stalled', 'stopped', 'out-of-budget', 'cancelled', 'failed'] as const)
      assert.equal(outcomeOf(reason, NONE), reason);
  });

  it('can be resumed unless it is an end for good', () => {
    const resumable = OutcomeName.options.filter(canResume);
    assert.deepEqual(resumable, ['out-of-budget', 'stalled', 'stopped', 'cancelled']);
  });

  it('has exit code 0 only when it is complete', () => {
    const codes = OutcomeName.options.map((outcome) => [outcome, exitCodeOf(outcome)]);
    assert.deepEqual(Object.fromEntries(codes), {
      complete: 0,
      'complete-with-gaps': 3,
      'out-of-budget': 4,
      stalled: 4,
      stopped: 4,
      cancelled: 130,
      failed: 1,
    });
  });
});
