import assert from 'node:assert/strict';
import { describeFacts } from '../../src/domain/describe-facts.ts';
import { RunDocument } from '../../src/domain/run-document.ts';
import { aFinding } from '../fakes/builders.ts';
import { aPaidReply, someFacts } from '../fakes/facts.ts';
import { aState, refTo } from '../fakes/states.ts';

describe('run.json for programs', () => {
  it('holds what its schema promises, of a run with everything', () => {
    const finding = aFinding();
    const facts = someFacts({
      state: aState({ round: 1, findings: [finding], tree: { 'run_tasks.py': refTo('text') } }),
      rounds: [
        {
          ...{ round: 1, written: ['run_tasks.py'], repaired: [], removed: [], notKept: [] },
          ...{ opened: [finding], resolved: [] },
        },
      ],
      replies: [aPaidReply()],
      lost: [{ label: 'plan/files/try1', worstCost: 1, startedAt: '2030-01-01T00:00:30.000Z' }],
      doubts: [{ path: 'run_tasks.py', text: 'The seed.' }],
      notices: ['A notice.'],
    });
    const document = RunDocument.parse(describeFacts(facts));
    const runner = document.files.find(({ path }) => path === 'run_tasks.py');
    assert.deepEqual([runner?.status, runner?.sha256], ['written', refTo('text').sha256]);
    assert.deepEqual(document.experiments[0]?.runners, ['run_tasks.py']);
    assert.equal(document.experiments[0].cells, 4);
    assert.deepEqual(document.requirements[0]?.owners, ['src/gated_sum.py']);
    assert.deepEqual(document.rounds[0]?.findingsOpened, ['f1']);
    assert.deepEqual(
      document.spend.stages.map(({ stage, spent, maybePaid }) => [stage, spent, maybePaid]),
      [
        ['planning', 1, 1],
        ['writing', 0.25, 0],
      ],
    );
  });

  it('holds it also of a run that failed before it had a plan', () => {
    const facts = someFacts({ state: null, blueprint: null, outcome: 'failed', failure: 'Empty.' });
    const { files, outcome, round } = RunDocument.parse(describeFacts(facts));
    assert.deepEqual([files, outcome, round], [[], 'failed', 0]);
  });
});
