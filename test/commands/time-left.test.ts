import assert from 'node:assert/strict';
import { filesDone, timeLeft, type Course } from '../../src/commands/time-left.ts';
import { eventOf, type Fact } from '../../src/domain/event.ts';

const START_MS = Date.parse('2030-01-01T00:00:00Z');
const NO_FACT = { round: 1, subject: '', text: '', ref: null } as const;

/** A fact so many minutes after the start. */
function at(minutes: number, fact: Partial<Fact> & Pick<Fact, 'kind'>) {
  return eventOf({ ...NO_FACT, ...fact }, new Date(START_MS + minutes * 60_000).toISOString());
}

function aCourse(minutes: readonly number[], nowMinutes: number, planned = 10): Course {
  return {
    status: {
      ...{ outcome: null, round: 0, phase: 'rounds', state: 'running', blueprint: null },
      files: { planned, written: 0, broken: 0, retired: 0 },
    },
    events: [
      at(0, { kind: 'blueprint-drafted' }),
      ...minutes.map((minute) => at(minute, { kind: 'file-written', subject: `f${minute}.py` })),
    ],
    nowMs: START_MS + nowMinutes * 60_000,
  };
}

describe('the time left', () => {
  it('is not known before there is a plan, nor before a few files are written', () => {
    assert.match(timeLeft(aCourse([], 5, 0)), /^unknown yet: there is no plan/);
    assert.match(timeLeft(aCourse([1, 2], 3)), /^unknown yet: too few files/);
  });

  it('does not deny the plan that waits for approval, or that no round has begun on', () => {
    const course = aCourse([], 5, 0);
    const blueprint = 'a'.repeat(64);
    const waiting = { ...course.status, phase: 'approval' as const, blueprint };
    assert.equal(timeLeft({ ...course, status: waiting }), 'unknown yet: the plan waits for you');
    const planned = { ...course.status, phase: 'planning' as const, blueprint };
    assert.match(timeLeft({ ...course, status: planned }), /^unknown yet: too few files/);
  });

  it('follows from how long the files so far took', () => {
    assert.equal(timeLeft(aCourse([2, 4, 6, 8, 10], 10)), 'about 6–18 min, and the inspection');
  });

  it('does not count an interruption as work', () => {
    const night = aCourse([2, 4, 6, 8, 610], 610);
    assert.match(timeLeft(night), /^about 10–33 min/);
  });

  it('counts files of the round under way, and each once', () => {
    const course = aCourse([1, 2, 3], 3);
    assert.deepEqual(filesDone(course), { done: 3, all: 10 });
    assert.deepEqual(filesDone({ ...course, events: [...course.events, ...course.events] }), {
      done: 3,
      all: 10,
    });
  });
});
