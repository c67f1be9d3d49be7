import assert from 'node:assert/strict';
import { withEnd, withHead, withNote, withPlan, type RunNote } from '../../src/domain/note-run.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { viewOf } from '../../src/domain/view.ts';
import { aBlueprint } from '../fakes/builders.ts';
import { aRecord } from '../fakes/a-record.ts';
import { aState, refTo } from '../fakes/states.ts';

const LATER = '2030-01-01T00:00:01.000Z';

function aHead(commits: number) {
  const view = { ...viewOf(aState(), aBlueprint(), DEFAULT_LIMITS, null), commits };
  return { stateRef: refTo(`state ${commits}`), blueprint: refTo('blueprint'), view };
}

function aNote(changes: Partial<RunNote> = {}): RunNote {
  const { account, settings } = aRecord();
  return {
    incarnation: 1,
    sequence: 1,
    phase: 'rounds',
    account,
    paused: true,
    stopping: false,
    waits: [],
    settings,
    blueprint: null,
    ...changes,
  };
}

describe('the run record', () => {
  it('takes an amended plan until there is a head', () => {
    const plan = refTo('amended');
    assert.deepEqual(withPlan(aRecord(), 1, plan, LATER).blueprint, plan);
    const begun = withHead(aRecord(), 1, aHead(1), aRecord().account, LATER);
    assert.equal(withPlan(begun, 1, plan, LATER), begun);
    const resumed = aRecord({ incarnation: 2 });
    assert.equal(withPlan(resumed, 1, plan, LATER), resumed);
  });

  it('takes a newer head and never an older or an equal one', () => {
    const { account } = aRecord();
    const first = withHead(aRecord(), 1, aHead(2), account, LATER);
    assert.deepEqual(first.head?.stateRef, refTo('state 2'));
    for (const commits of [1, 2])
      assert.equal(withHead(first, 1, aHead(commits), account, LATER), first);
    assert.deepEqual(withHead(first, 1, aHead(3), account, LATER).head?.stateRef, refTo('state 3'));
  });

  it('takes nothing from an earlier life of the run', () => {
    const record = aRecord({ incarnation: 2 });
    const { account } = record;
    assert.equal(withHead(record, 1, aHead(9), account, LATER), record);
    assert.equal(withNote(record, aNote({ sequence: 9 }), LATER), record);
    const end = {
      outcome: 'cancelled' as const,
      failure: '',
      report: null,
      account,
      sequence: 9,
      incarnation: 1,
    };
    assert.equal(withEnd(record, end, LATER), record);
  });

  it('takes notes in their order, each once, and none after the end', () => {
    const second = withNote(aRecord(), aNote({ sequence: 2 }), LATER);
    assert.equal(second.paused, true);
    for (const sequence of [1, 2])
      assert.equal(withNote(second, aNote({ sequence, paused: false }), LATER), second);
    const { account } = second;
    const end = {
      outcome: 'stopped' as const,
      failure: '',
      report: refTo('report'),
      account,
      sequence: 3,
      incarnation: 1,
    };
    const ended = withEnd(second, end, LATER);
    assert.deepEqual([ended.phase, ended.paused, ended.outcome], ['ended', false, 'stopped']);
    assert.equal(withNote(ended, aNote({ sequence: 4 }), LATER), ended);
  });

  it('keeps the drafted blueprint where a note knows of none', () => {
    const record = aRecord({ blueprint: refTo('draft') });
    assert.deepEqual(withNote(record, aNote(), LATER).blueprint, refTo('draft'));
  });
});
