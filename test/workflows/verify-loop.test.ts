import assert from 'node:assert/strict';
import { statusOf } from '../../src/domain/progress.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import type { RequirementVerdict } from '../../src/domain/verification.ts';
import { aBlueprint, aFile, aRequirement } from '../fakes/builders.ts';
import { play } from './play-script.ts';
import { acceptedAt } from './scripted-steps.ts';

const BLUEPRINT = aBlueprint({
  requirements: [aRequirement({ id: 'R1' })],
  files: [aFile({ path: 'a.py', owns: ['R1'] }), aFile({ path: 'b.py', needs: ['a.py'] })],
});

/** What the verifier says of R1 on a.py as it stands. */
function onR1(
  { tree }: RunState,
  verdict: RequirementVerdict['verdict'],
  file = tree['a.py'],
): RequirementVerdict {
  const isMet = verdict === 'met';
  return {
    ...{ id: 'R1', verdict, expected: 'a sum', found: 'a product' },
    ...{ where: [{ path: 'a.py', line: 1 }], reachedBy: 'python b.py' },
    ...{ fix: isMet ? '' : 'Add instead.', fixIn: isMet ? null : 'a.py' },
    read: file ? [{ path: 'a.py', file }] : [],
  };
}

describe('a run that is verified at the gate', () => {
  it('is held against its requirements once nothing is left to write, and ends', async () => {
    const { outcome, steps, state } = await play({
      ...{ blueprint: BLUEPRINT, verify: 'gate' },
      verification: (at) => [onR1(at, 'met')],
    });
    assert.equal(outcome, 'complete');
    const kinds = steps.records.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['round', 'round', 'inspection', 'proof']);
    assert.equal(steps.log.includes('+verify round'), false);
    assert.equal(state.isProofDue, undefined);
    assert.equal(state.requirementVerdicts?.[0]?.verdict, 'met');
  });

  it('repairs what is not met, from repairs of its own, and is verified again', async () => {
    const { outcome, steps, state } = await play({
      ...{ blueprint: BLUEPRINT, verify: 'gate' },
      verification: (at) => [onR1(at, at.round > 2 ? 'met' : 'missing')],
    });
    assert.equal(outcome, 'complete');
    const kinds = steps.records.map(({ kind }) => kind);
    const again = ['round', 'inspection', 'proof'];
    assert.deepEqual(kinds, ['round', 'round', 'inspection', 'proof', ...again]);
    assert.equal(state.progress['a.py']?.repairs, 0);
    assert.equal(state.progress['a.py']?.fidelityRepairs, 1);
    const finding = state.findings.find(({ kind }) => kind === 'not-met');
    assert.deepEqual(finding?.triedInRounds, [3]);
    assert.equal(finding?.resolvedInRound, 3);
    assert.equal('awaits' in (finding ?? {}), false);
  });

  it('tells a repaired demand as open until it is verified, and does not repair it again before', async () => {
    const { ats, steps } = await play({
      ...{ blueprint: BLUEPRINT, verify: 'gate' },
      verification: (at) => [onR1(at, at.round > 2 ? 'met' : 'missing')],
    });
    const repaired = ats.find(({ view }) => view.round === 3) ?? assert.fail();
    assert.equal(repaired.view.openBlockingCount, 1);
    assert.deepEqual(repaired.view.next?.targets, []);
    const [finding] = steps.stateAt(repaired.stateRef).findings;
    assert.equal(finding?.awaits, 'verification');
  });

  it('gives a demand up after its repairs, without calling its file broken', async () => {
    const { outcome, steps, state } = await play({
      ...{ blueprint: BLUEPRINT, verify: 'gate' },
      verification: (at) => [onR1(at, 'missing')],
    });
    assert.equal(outcome, 'complete-with-gaps');
    assert.ok((state.progress['a.py']?.fidelityRepairs ?? 0) <= 3);
    assert.equal(statusOf(state, 'a.py', DEFAULT_LIMITS), 'written');
    assert.ok(steps.records.length < 20);
  });

  it('goes on with verifying where it was interrupted between the inspection and the verdicts', async () => {
    const script = {
      ...{ blueprint: BLUEPRINT, verify: 'gate' as const },
      verification: (at: RunState) => [onR1(at, 'met')],
    };
    const { ats, steps } = await play(script);
    const inspected = ats.find(({ view }) => view.isProofDue) ?? assert.fail();
    assert.equal(inspected.view.stop, 'inspected');
    const log = steps.log.length;
    const { reproducePaper } = await import('../../src/workflows/loop.ts');
    assert.equal(await reproducePaper(steps, inspected), 'complete');
    assert.deepEqual(
      steps.log.slice(log).filter((line) => line.startsWith('+')),
      ['+may go on', '+verify repository', '+commit proof', '+report'],
    );
  });
});

describe('a run that is verified each round', () => {
  it('knows after each round what is met of what was written, and repairs the rest in the next', async () => {
    const { outcome, steps, state } = await play({
      ...{ blueprint: BLUEPRINT, verify: 'rounds' },
      turn: (turn) => ({ kind: 'accepted', file: acceptedAt(turn) }),
      verification: (at, results) => {
        const written = results.find(({ path }) => path === 'a.py');
        const file = written?.kind === 'written' ? written.file : at.tree['a.py'];
        return [onR1(at, at.round === 0 ? 'partly' : 'met', file)];
      },
    });
    assert.equal(outcome, 'complete');
    assert.equal(steps.log.filter((line) => line === '+verify round').length, state.round);
    assert.equal(state.progress['a.py']?.revision, 2);
    assert.equal(state.progress['a.py']?.fidelityRepairs, 1);
    const [first] = steps.records;
    assert.ok(first?.kind === 'round' && first.verification && !first.judgement);
  });
});
