import assert from 'node:assert/strict';
import { chooseTargets } from '../../src/domain/choose-targets.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';
import { afterRound, aProblem, aState, refTo, refused, written } from '../fakes/states.ts';

const CHAIN = aBlueprint({
  files: [
    aFile({ path: 'a.py' }),
    aFile({ path: 'b.py', needs: ['a.py'] }),
    aFile({ path: 'c.py', needs: ['b.py'] }),
    aFile({ path: 'README.md' }),
  ],
});

function chosen(state = aState(), limits = {}, blueprint = CHAIN): string[] {
  return chooseTargets(state, blueprint, { ...DEFAULT_LIMITS, ...limits }).map(({ path }) => path);
}

describe('the computed choice of targets', () => {
  it('takes the planned files that need nothing planned, in the blueprint’s order', () => {
    assert.deepEqual(chosen(), ['a.py', 'README.md']);
    const next = afterRound(aState(), [written('a.py'), written('README.md')]);
    assert.deepEqual(chosen(next), ['b.py']);
  });

  it('takes at most as many as the limit says', () => {
    assert.deepEqual(chosen(aState(), { maxTargets: 1 }), ['a.py']);
  });

  it('adds files with an open blocking finding while they have repairs left', () => {
    const problems = [aProblem('a.py')];
    const first = afterRound(aState(), [written('a.py'), written('README.md')], { problems });
    assert.deepEqual(chosen(first), ['a.py', 'b.py']);
    const second = afterRound(first, [written('a.py', '2'), written('b.py')], { problems });
    const third = afterRound(second, [written('a.py', '3'), written('c.py')], { problems });
    assert.deepEqual(chosen(third), []);
  });

  it('does not repair for a warning', () => {
    const problems = [aProblem('a.py', { kind: 'package-layout' })];
    const state = afterRound(aState(), [written('a.py'), written('README.md')], { problems });
    assert.deepEqual(chosen(state), ['b.py']);
  });

  it('goes on past a file that is broken', () => {
    const first = afterRound(aState(), [refused('a.py'), written('README.md')]);
    assert.deepEqual(chosen(first), ['a.py']);
    assert.deepEqual(chosen(afterRound(first, [refused('a.py')])), ['b.py']);
  });

  it('takes the first planned file of a cycle', () => {
    const cycle = aBlueprint({
      files: [aFile({ path: 'a.py', needs: ['b.py'] }), aFile({ path: 'b.py', needs: ['a.py'] })],
    });
    assert.deepEqual(chosen(aState(), {}, cycle), ['a.py']);
  });

  it('ignores a need that is not planned at all', () => {
    const blueprint = aBlueprint({ files: [aFile({ path: 'a.py', needs: ['elsewhere.py'] })] });
    assert.deepEqual(chosen(aState(), {}, blueprint), ['a.py']);
  });

  it('lets the siblings of a family wait for its first file, and no others', () => {
    const base = aFile({ path: 'src/adapters/base.py', signatures: 'class Adapter' });
    const adapters = ['a', 'b', 'c', 'd'].map((name) =>
      aFile({ path: `src/adapters/${name}.py`, needs: [base.path] }),
    );
    const other = aFile({ path: 'src/other.py', needs: [base.path] });
    const state = aState({ tree: { [base.path]: refTo('base') } });
    const needsOf = (files: typeof adapters) =>
      chooseTargets(state, aBlueprint({ files: [base, ...files, other] }), DEFAULT_LIMITS).map(
        ({ needs }) => needs,
      );
    const [first] = adapters.map(({ path }) => path);
    assert.deepEqual(needsOf(adapters), [[], [first], [first], [first], []]);
    assert.deepEqual(needsOf(adapters.slice(0, 2)), [[], [], []]);
  });

  it('chooses for a stalled run too, for when a person resumes it', () => {
    assert.deepEqual(chosen(aState({ stop: 'stalled' })), ['a.py', 'README.md']);
  });
});
