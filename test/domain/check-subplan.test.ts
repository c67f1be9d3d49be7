import assert from 'node:assert/strict';
import type { BlueprintFile } from '../../src/domain/blueprint.ts';
import { checkTargets, type SubplanFacts } from '../../src/domain/check-subplan.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import type { NamedTarget } from '../../src/domain/subplan-answer.ts';
import { aBlueprint, aFile, aFinding } from '../fakes/builders.ts';
import { aState, refTo } from '../fakes/states.ts';

function named(path: string, changes: Partial<NamedTarget> = {}): NamedTarget {
  const empty = { reason: '', instructions: '', integrationNotes: '', after: [], checks: [] };
  return { path, ...empty, ...changes };
}

function facts(files: BlueprintFile[], changes: Partial<SubplanFacts> = {}): SubplanFacts {
  const blueprint = aBlueprint({ files, experiments: [] });
  return { state: aState(), blueprint, limits: DEFAULT_LIMITS, imports: new Map(), ...changes };
}

const writtenAt = (...paths: string[]) =>
  Object.fromEntries(paths.map((path) => [path, refTo(path)]));

describe('the check of a subplan', () => {
  it('takes no more than about 900 lines, and settings and documents besides', () => {
    const files = ['a.py', 'b.py', 'c.py'].map((path) => aFile({ path, expectedLines: 400 }));
    const free = [
      aFile({ path: 'configs/x.yaml', expectedLines: 400 }),
      aFile({ path: 'README.md' }),
    ];
    const all = [...files, ...free];
    const { targets, corrections } = checkTargets(
      all.map(({ path }) => named(path)),
      facts(all),
    );
    assert.deepEqual(
      targets.map(({ path }) => path),
      ['a.py', 'b.py', 'configs/x.yaml', 'README.md'],
    );
    assert.match(corrections.join(), /left for later: c\.py/);
  });

  it('takes a little more, and a long ledger of small demands', () => {
    const owns = Array.from({ length: 25 }, (_, index) => `R${index + 1}`);
    const files = ['a.py', 'b.py'].map((path) => aFile({ path, expectedLines: 500, owns }));
    const { targets } = checkTargets([named('a.py'), named('b.py')], facts(files));
    assert.equal(targets.length, 2);
  });

  it('takes one file that is more than a round by itself', () => {
    const owns = Array.from({ length: 90 }, (_, index) => `R${index + 1}`);
    const { targets } = checkTargets([named('a.py')], facts([aFile({ path: 'a.py', owns })]));
    assert.equal(targets.length, 1);
  });

  it('leaves a file for later whose needs are neither written nor targets, and those behind it', () => {
    const files = [
      aFile({ path: 'a.py' }),
      aFile({ path: 'b.py', needs: ['a.py'] }),
      aFile({ path: 'c.py', needs: ['b.py'] }),
      aFile({ path: 'd.py' }),
    ];
    const { targets, corrections } = checkTargets(
      [named('c.py'), named('b.py'), named('d.py')],
      facts(files),
    );
    assert.deepEqual(targets, [{ path: 'd.py', needs: [] }]);
    assert.equal(corrections.length, 2);
  });

  it('repairs a good file for a reason, and none without', () => {
    const files = [aFile({ path: 'a.py' }), aFile({ path: 'b.py' })];
    const state = aState({ tree: writtenAt('a.py', 'b.py') });
    const { targets } = checkTargets(
      [named('a.py'), named('b.py', { reason: 'Its unit is wrong.' })],
      facts(files, { state }),
    );
    assert.deepEqual(targets, [{ path: 'b.py', needs: [] }]);
  });

  it('leaves alone a file whose repairs are used up', () => {
    const progress = {
      revision: 1,
      repairs: 2,
      refusals: [],
      lastAttempt: null,
      lastReasons: [],
      retired: false,
    };
    const state = aState({ tree: writtenAt('a.py'), progress: { 'a.py': progress } });
    const { targets, corrections } = checkTargets(
      [named('a.py', { reason: 'Again.' })],
      facts([aFile({ path: 'a.py' })], { state }),
    );
    assert.deepEqual(targets, []);
    assert.match(corrections.join(), /repairs are used up/);
  });

  it('repairs the root alone where what imports it may only suffer from it', () => {
    const files = [aFile({ path: 'a.py' }), aFile({ path: 'b.py', needs: ['a.py'] })];
    const state = aState({
      tree: writtenAt('a.py', 'b.py'),
      findings: [
        aFinding({ id: 'f1', path: 'a.py', kind: 'does-not-parse' }),
        aFinding({ id: 'f2', path: 'b.py', kind: 'unresolved-import' }),
      ],
    });
    const imports = new Map([['b.py', ['a.py']]]);
    const { targets, corrections } = checkTargets(
      [named('b.py')],
      facts(files, { state, imports }),
    );
    assert.deepEqual(targets, [{ path: 'a.py', needs: [] }]);
    assert.match(corrections.join(), /b\.py: what is found there may follow from a\.py/);
  });

  it('repairs a caller behind the file that it really imports', () => {
    const files = [aFile({ path: 'a.py' }), aFile({ path: 'b.py' })];
    const state = aState({ tree: writtenAt('a.py', 'b.py') });
    const imports = new Map([['a.py', ['b.py']]]);
    const reason = 'They do not fit.';
    const { targets } = checkTargets(
      [named('a.py', { reason }), named('b.py', { reason })],
      facts(files, { state, imports }),
    );
    assert.deepEqual(targets, [
      { path: 'b.py', needs: [] },
      { path: 'a.py', needs: ['b.py'] },
    ]);
  });

  it('writes the siblings of a family behind its base and one exemplar, side by side', () => {
    const base = aFile({ path: 'src/envs/base.py', signatures: 'class Env(ABC)' });
    const family = ['one', 'two', 'three'].map((name) =>
      aFile({ path: `src/envs/${name}.py`, needs: [base.path], signatures: `class ${name}(Env)` }),
    );
    const files = [base, ...family];
    const { targets } = checkTargets(
      files.map(({ path }) => named(path)),
      facts(files),
    );
    const [exemplar = ''] = family.map(({ path }) => path);
    assert.deepEqual(
      targets.map(({ needs }) => needs),
      [[], [base.path], [base.path, exemplar], [base.path, exemplar]],
    );
  });

  it('does not write side by side two files that share a result file nobody has written', () => {
    const files = ['a.py', 'b.py', 'c.py'].map((path) =>
      aFile({ path, instructions: path === 'c.py' ? 'Alone.' : 'Uses results/e1.csv.' }),
    );
    const blueprint = aBlueprint({ files });
    const given = facts(files, { blueprint });
    const { targets } = checkTargets(
      files.map(({ path }) => named(path)),
      given,
    );
    assert.deepEqual(
      targets.map(({ needs }) => needs),
      [[], ['a.py'], []],
    );
  });

  it('follows the order that the planner asked for, and breaks a circle in it', () => {
    const files = ['a.py', 'b.py'].map((path) => aFile({ path }));
    const asked = [named('a.py', { after: ['b.py'] }), named('b.py', { after: ['a.py'] })];
    const { targets } = checkTargets(asked, facts(files));
    assert.deepEqual(targets, [
      { path: 'a.py', needs: [] },
      { path: 'b.py', needs: ['a.py'] },
    ]);
  });

  it('takes the computed choice where nothing can be worked on, and nothing where all is done', () => {
    const files = [aFile({ path: 'a.py' })];
    const computed = checkTargets([named('b.py')], facts(files));
    assert.deepEqual(computed.targets, [{ path: 'a.py', needs: [] }]);
    assert.match(computed.corrections.join(), /b\.py: is not planned.*computed choice/);
    const done = checkTargets([], facts(files, { state: aState({ tree: writtenAt('a.py') }) }));
    assert.deepEqual(done, { targets: [], corrections: [] });
  });
});
