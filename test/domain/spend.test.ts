import assert from 'node:assert/strict';
import { fileOf, spendByFile, spendByStage, stageOf } from '../../src/domain/spend.ts';
import { aPaidReply } from '../fakes/facts.ts';

describe('spend', () => {
  it('reads stage and file off a label, also of a path with folders that look like one', () => {
    const labels = [
      'analyse/figures/try1',
      'requirements/appendix/try2',
      'plan/attack/try1',
      'r3/plan/look1',
      'r12/write/src/t1/write.py/t2',
      'remember/src/model.py/0123456789ab/try1',
    ];
    assert.deepEqual(
      labels.map((label) => [stageOf(label), fileOf(label)]),
      [
        ['analysis', undefined],
        ['requirements', undefined],
        ['planning', undefined],
        ['planning of rounds', undefined],
        ['writing', 'src/t1/write.py'],
        ['memory', 'src/model.py'],
      ],
    );
  });

  it('adds up to what the calls cost, by stage and by file', () => {
    const replies = [
      aPaidReply(),
      aPaidReply({ label: 'r2/write/run_tasks.py/t1', cost: 0.5 }),
      aPaidReply({ label: 'analyse/figures/try1', cost: 2, startedAt: '2030-01-01T00:00:00.000Z' }),
    ];
    const lost = [
      { label: 'r2/write/b.py/t1', worstCost: 3, startedAt: '2030-01-01T00:02:00.000Z' },
    ];
    const told = (spends: ReturnType<typeof spendByStage>) =>
      spends.map(({ name, calls, spent, maybePaid }) => [name, calls, spent, maybePaid]);
    assert.deepEqual(told(spendByStage({ replies, lost })), [
      ['analysis', 1, 2, 0],
      ['writing', 3, 3.75, 3],
    ]);
    assert.deepEqual(told(spendByFile({ replies, lost })), [
      ['b.py', 1, 3, 3],
      ['run_tasks.py', 2, 0.75, 0],
    ]);
    const [, writing] = spendByStage({ replies, lost });
    assert.deepEqual(
      [writing?.startedAt, writing?.endedAt],
      ['2030-01-01T00:01:00.000Z', '2030-01-01T00:02:00.000Z'],
    );
  });
});
