import assert from 'node:assert/strict';
import { At } from '../../src/domain/round.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { viewOf } from '../../src/domain/view.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';
import { afterRound, aNote, aProblem, aState, refTo, refused, written } from '../fakes/states.ts';

const BLUEPRINT = aBlueprint({ files: ['a.py', 'b.py', 'c.py'].map((path) => aFile({ path })) });

describe('the view of a state', () => {
  it('counts the blueprint’s files by status', () => {
    const first = afterRound(aState(), [written('a.py'), refused('b.py')]);
    const state = afterRound(first, [refused('b.py')]);
    const { files } = viewOf(state, BLUEPRINT, DEFAULT_LIMITS, null);
    assert.deepEqual(files, { planned: 1, written: 1, broken: 1, retired: 0 });
  });

  it('names the files whose notes are still to come', () => {
    const first = afterRound(aState(), [written('a.py'), written('b.py')]);
    const state = afterRound(first, [written('c.py')], { notes: [aNote('a.py')] });
    assert.deepEqual(viewOf(state, BLUEPRINT, DEFAULT_LIMITS, null).withoutNotes, [
      { path: 'b.py', file: refTo('text of b.py') },
      { path: 'c.py', file: refTo('text of c.py') },
    ]);
  });

  it('names twenty open findings and counts the rest', () => {
    const problems = Array.from({ length: 30 }, (_, index) =>
      aProblem('a.py', { symbol: `${index}` }),
    );
    const state = afterRound(aState(), [written('a.py')], { problems });
    const view = viewOf(state, BLUEPRINT, DEFAULT_LIMITS, null);
    assert.equal(view.openBlocking.length, 20);
    assert.equal(view.openBlockingCount, 30);
  });

  it('stays under 16 KB with 32 targets at work and 32 files without notes', () => {
    const paths = Array.from({ length: 64 }, (_, index) => `src/models/layers/part_${index}.py`);
    const blueprint = aBlueprint({ files: paths.map((path) => aFile({ path })) });
    const problems = paths.map((path) => aProblem(path));
    const state = afterRound(
      aState(),
      paths.slice(0, 32).map((path) => written(path)),
      { problems },
    );
    const targets = paths.slice(32).map((path) => ({ path, needs: [] }));
    const view = viewOf(state, blueprint, DEFAULT_LIMITS, {
      subplan: refTo('s'),
      targets,
      blueprint: null,
    });
    const at = At.parse({ stateRef: refTo('state'), blueprint: refTo('blueprint'), view });
    assert.ok(JSON.stringify(at).length < 16 * 1024, `${JSON.stringify(at).length} bytes`);
  });
});
