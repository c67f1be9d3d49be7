import assert from 'node:assert/strict';
import { eventOf, type Fact } from '../../src/domain/event.ts';
import { eventsUpTo } from '../../src/runs/fork-run.ts';

const NO_FACT = { subject: '', text: '', ref: null } as const;

function told(kind: Fact['kind'], round: number, subject = '') {
  return eventOf({ ...NO_FACT, kind, round, subject }, '2030-01-01T00:00:00.000Z');
}

describe('the facts that a fork begins with', () => {
  const events = [
    told('run-started', 0),
    told('paper-read', 0),
    told('blueprint-drafted', 0),
    told('file-written', 1, 'a.py'),
    told('round-committed', 1),
    told('file-written', 2, 'b.py'),
    // Notes are told without their round.
    told('file-remembered', 0, 'a.py'),
    told('round-committed', 2),
  ];

  const kindsUpTo = (round: number) => eventsUpTo(events, round).map(({ kind }) => kind);

  it('are those that were told before anything of a later round', () => {
    assert.deepEqual(kindsUpTo(0), ['paper-read', 'blueprint-drafted']);
    assert.deepEqual(kindsUpTo(1).slice(2), ['file-written', 'round-committed']);
    assert.equal(kindsUpTo(2).length, 7);
  });
});
