import assert from 'node:assert/strict';
import type { RequirementVerdict } from '../../src/domain/verification.ts';
import { unmetRequirements } from '../../src/domain/unmet-requirements.ts';
import {
  standingOf,
  standingVerdicts,
  unmetProblems,
  verificationGaps,
  withVerdicts,
} from '../../src/domain/verified.ts';
import { aBlueprint, aRequirement } from '../fakes/builders.ts';
import { refTo } from '../fakes/states.ts';

const PATH = 'src/gated_sum.py';
const tree = { [PATH]: refTo('one'), 'run_tasks.py': refTo('run') };

function aVerdict(changes: Partial<RequirementVerdict> = {}): RequirementVerdict {
  return {
    id: 'R1',
    verdict: 'missing',
    expected: 'a sum weighed by the logistic function',
    found: 'a plain sum',
    where: [{ path: PATH, line: 3 }],
    reachedBy: 'python run_tasks.py',
    fix: 'Multiply by sigmoid(w @ x).',
    fixIn: PATH,
    read: [{ path: PATH, file: refTo('one') }],
    ...changes,
  };
}

describe('verdicts on requirements', () => {
  it('replace older ones on the same requirement and leave the others', () => {
    const before = withVerdicts<Parameters<typeof unmetProblems>[0]>(
      { tree },
      { requirements: [aVerdict(), aVerdict({ id: 'R10' })] },
    );
    const after = withVerdicts(before, {
      requirements: [aVerdict({ verdict: 'met', fix: '', fixIn: null }), aVerdict({ id: 'R2' })],
    });
    assert.deepEqual(
      after.requirementVerdicts?.map(({ id, verdict }) => `${id} ${verdict}`),
      ['R1 met', 'R2 missing', 'R10 missing'],
    );
  });

  it('fall when a file that was read for them changes', () => {
    const requirementVerdicts = [aVerdict({ verdict: 'met' })];
    const standing = standingVerdicts({ tree, requirementVerdicts });
    assert.equal(standingOf(standing, 'R1'), 'met');
    const changed = { ...tree, [PATH]: refTo('two') };
    assert.equal(
      standingOf(standingVerdicts({ tree: changed, requirementVerdicts }), 'R1'),
      'unverified',
    );
  });

  it('are findings at the file of the fix, with what was expected, found and is to be done', () => {
    const [problem, ...others] = unmetProblems(
      { tree, requirementVerdicts: [aVerdict()] },
      aBlueprint(),
    );
    assert.deepEqual(others, []);
    assert.deepEqual(
      [problem?.kind, problem?.path, problem?.symbol, problem?.remedy],
      ['not-met', PATH, 'R1', 'Multiply by sigmoid(w @ x).'],
    );
    assert.match(problem?.message ?? '', /weighed by the logistic.*a plain sum.*gated_sum\.py:3/);
    assert.equal(problem?.awaits, undefined);
  });

  it('await verification where what was read has changed', () => {
    const changed = { ...tree, [PATH]: refTo('two') };
    const [problem] = unmetProblems(
      { tree: changed, requirementVerdicts: [aVerdict()] },
      aBlueprint(),
    );
    assert.equal(problem?.awaits, 'verification');
  });

  it('are one finding where one change would meet several requirements', () => {
    const requirementVerdicts = [
      aVerdict(),
      aVerdict({ id: 'R3', fix: 'multiply by  `sigmoid(w @ x)`' }),
      aVerdict({ id: 'R4', fix: 'Log it.', fixIn: 'run_tasks.py' }),
    ];
    const problems = unmetProblems({ tree, requirementVerdicts }, aBlueprint());
    assert.deepEqual(
      problems.map(({ path, symbol }) => `${path} ${symbol}`),
      [`${PATH} R1`, 'run_tasks.py R4'],
    );
    assert.match(problems[0]?.message ?? '', /R3/);
  });

  it('belong to an owner where the fix names a file that is neither there nor planned', () => {
    const requirementVerdicts = [aVerdict({ id: 'R4', fixIn: 'nowhere.py' })];
    const [problem] = unmetProblems({ tree, requirementVerdicts }, aBlueprint());
    assert.equal(problem?.path, 'run_tasks.py');
  });

  it('on excluded requirements are no findings and no gaps', () => {
    const requirements = [aRequirement({ scope: 'excluded' })];
    const state = { tree, requirementVerdicts: [aVerdict()] };
    assert.deepEqual(unmetProblems(state, aBlueprint({ requirements })), []);
    assert.deepEqual(verificationGaps(state, { requirements }), { unmet: 0, unverified: 0 });
  });

  it('count what is unmet and what nobody decided', () => {
    const requirementVerdicts = [aVerdict(), aVerdict({ id: 'R2', verdict: 'met' })];
    assert.deepEqual(verificationGaps({ tree, requirementVerdicts }, aBlueprint()), {
      unmet: 1,
      unverified: 2,
    });
  });

  it('decide what a planner is told of unmet requirements, before the soundness of owners', () => {
    const statuses = new Map(Object.keys(tree).map((path) => [path, 'written'] as const));
    const requirementVerdicts = [
      aVerdict(),
      aVerdict({ id: 'R2', verdict: 'met', fixIn: null, fix: '' }),
    ];
    const unmet = unmetRequirements(
      aBlueprint(),
      { tree, findings: [], requirementVerdicts },
      statuses,
    );
    // R2's owner is not written, and R3 and R4 have sound owners.
    assert.deepEqual(
      unmet.map(({ path, ids }) => [path, ...ids]),
      [[PATH, 'R1']],
    );
  });
});
