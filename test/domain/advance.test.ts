import assert from 'node:assert/strict';
import { canonicalJson } from '../../src/domain/canonical-json.ts';
import { openBlocking, progressOf, statusOf } from '../../src/domain/progress.ts';
import { DEFAULT_LIMITS } from '../../src/domain/run-settings.ts';
import { RunState } from '../../src/domain/run-state.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';
import { randomFrom, type Random } from '../fakes/random.ts';
import {
  afterInspection,
  afterRound,
  aNote,
  aProblem,
  aState,
  refTo,
  refused,
  written,
} from '../fakes/states.ts';

const { staticRepairs } = DEFAULT_LIMITS;

describe('a committed round', () => {
  it('takes the written files into the tree and links to the state before', () => {
    const state = afterRound(aState(), [written('a.py'), written('b.py')]);
    assert.deepEqual(Object.keys(state.tree), ['a.py', 'b.py']);
    assert.deepEqual([state.round, state.commits], [1, 1]);
    assert.deepEqual(state.previous, refTo('state before'));
    assert.equal(progressOf(state, 'a.py').revision, 1);
    assert.equal(progressOf(state, 'a.py').repairs, 0);
  });

  it('gives the same bytes when it is committed twice', () => {
    const commit = () =>
      canonicalJson(
        afterRound(aState(), [written('a.py'), refused('b.py')], { problems: [aProblem('a.py')] }),
      );
    assert.equal(commit(), commit());
  });

  it('gives the same bytes whatever order notes and interfaces came in', () => {
    const first = afterRound(aState(), [written('a.py'), written('b.py')]);
    const notes = [aNote('a.py'), aNote('b.py')];
    const one = afterRound(first, [written('c.py')], { notes });
    const other = afterRound(first, [written('c.py')], { notes: notes.toReversed() });
    assert.equal(canonicalJson(one), canonicalJson(other));
  });

  it('leaves the state before as it was', () => {
    const before = aState();
    const bytes = canonicalJson(before);
    afterRound(before, [written('a.py')], { problems: [aProblem('a.py')] });
    assert.equal(canonicalJson(before), bytes);
  });
});

describe('repairs', () => {
  it('are counted from the second write on', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [written('a.py', 'better')]);
    assert.equal(progressOf(second, 'a.py').repairs, 1);
    assert.equal(progressOf(second, 'a.py').revision, 2);
    assert.deepEqual(second.tree['a.py'], refTo('better'));
  });

  it('count one for a first write that was refused to the end, and none besides for its repair', () => {
    const first = afterRound(aState(), [refused('a.py')]);
    assert.equal(progressOf(first, 'a.py').repairs, 1);
    assert.equal(statusOf(first, 'a.py', DEFAULT_LIMITS), 'planned');
    const second = afterRound(first, [written('a.py')]);
    assert.equal(progressOf(second, 'a.py').repairs, 2);
    assert.deepEqual(progressOf(second, 'a.py').refusals, []);
    assert.equal(statusOf(second, 'a.py', DEFAULT_LIMITS), 'written');
  });

  it('make a file broken when they are used up and something blocking is open', () => {
    const problems = [aProblem('a.py')];
    let state = afterRound(aState(), [written('a.py')], { problems });
    for (const content of ['again', 'and again']) {
      assert.equal(statusOf(state, 'a.py', DEFAULT_LIMITS), 'written');
      state = afterRound(state, [written('a.py', content)], { problems });
    }
    assert.equal(statusOf(state, 'a.py', DEFAULT_LIMITS), 'broken');
    assert.equal(state.findings[0]?.triedInRounds.length, 2);
  });

  it('that are rolled back leave the old content and are shown to the next one', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [written('a.py', 'worse')], {
      problems: [aProblem('a.py')],
      rolledBack: ['a.py'],
    });
    assert.deepEqual(second.tree, first.tree);
    assert.deepEqual(second.memory, first.memory);
    assert.deepEqual(progressOf(second, 'a.py').lastAttempt, refTo('worse'));
    assert.equal(progressOf(second, 'a.py').revision, 1);
    assert.equal(progressOf(second, 'a.py').repairs, 1);
  });

  it('that are refused leave the old content', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [refused('a.py', refTo('hollow'))], {
      problems: [aProblem('a.py')],
    });
    assert.deepEqual(second.tree, first.tree);
    assert.deepEqual(progressOf(second, 'a.py').lastAttempt, refTo('hollow'));
    assert.equal(
      openBlocking(second).some(({ kind }) => kind === 'missing'),
      false,
    );
  });
});

describe('findings', () => {
  it('are opened, resolved when no longer reported, and opened again under the same id', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [written('a.py', 'better')]);
    const third = afterRound(second, [written('b.py')], {
      problems: [aProblem('a.py', { message: 'In line 7 now.' })],
    });
    const [finding, ...others] = third.findings;
    assert.equal(others.length, 0);
    assert.equal(first.findings[0]?.resolvedInRound, null);
    assert.equal(second.findings[0]?.resolvedInRound, 2);
    assert.equal(finding?.id, first.findings[0]?.id);
    assert.equal(finding?.resolvedInRound, null);
    assert.equal(finding?.message, 'In line 7 now.');
    assert.equal(finding?.openedInRound, 1);
  });

  it('keep the round in which they were resolved', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const third = afterRound(afterRound(first, [written('a.py', 'b')]), [written('c.py')]);
    assert.equal(third.findings[0]?.resolvedInRound, 2);
  });

  it('say that a refused file is missing until it is accepted', () => {
    const first = afterRound(aState(), [refused('a.py')]);
    assert.deepEqual(
      openBlocking(first).map(({ kind, path }) => [kind, path]),
      [['missing', 'a.py']],
    );
    const second = afterRound(first, [written('a.py')]);
    assert.deepEqual(openBlocking(second), []);
    assert.equal(second.findings[0]?.resolvedInRound, 2);
  });

  it('do not block when they only warn', () => {
    const state = afterRound(aState(), [written('a.py')], {
      problems: [aProblem('a.py', { kind: 'undeclared-package' })],
    });
    assert.deepEqual(openBlocking(state), []);
    assert.equal(state.findings.length, 1);
  });
});

describe('memory', () => {
  it('holds a file’s interface at once and its notes from the next commit on', () => {
    const first = afterRound(aState(), [written('a.py')]);
    assert.deepEqual(first.memory['a.py']?.notes, { kind: 'pending' });
    const second = afterRound(first, [written('b.py')], { notes: [aNote('a.py')] });
    assert.deepEqual(second.memory['a.py']?.notes, { kind: 'noted', text: refTo('note on a.py') });
  });

  it('drops notes on a content that has been replaced, or that was never kept', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [written('a.py', 'new')]);
    const third = afterRound(second, [written('b.py')], { notes: [aNote('a.py', 'text of a.py')] });
    assert.deepEqual(third.memory['a.py']?.notes, { kind: 'pending' });
    const stranger = afterRound(first, [written('b.py')], { notes: [aNote('never.py')] });
    assert.equal(stranger.memory['never.py'], undefined);
  });

  it('folds the notes on the old content in the very round that replaces it', () => {
    const first = afterRound(aState(), [written('a.py')], { problems: [aProblem('a.py')] });
    const second = afterRound(first, [written('a.py', 'new')], { notes: [aNote('a.py')] });
    assert.deepEqual(second.memory['a.py']?.file, refTo('new'));
    assert.deepEqual(second.memory['a.py']?.notes, { kind: 'pending' });
  });

  it('says that notes are unavailable where the model gave none', () => {
    const first = afterRound(aState(), [written('a.py')]);
    const second = afterRound(first, [written('b.py')], {
      notes: [{ ...aNote('a.py'), text: null }],
    });
    assert.deepEqual(second.memory['a.py']?.notes, { kind: 'unavailable' });
  });
});

describe('the end of the rounds', () => {
  it('comes as stalled after three rounds without a better pair of files and findings', () => {
    const problems = [aProblem('a.py')];
    let state = afterRound(aState(), [written('a.py')], { problems });
    for (const content of ['1', '2'])
      state = afterRound(state, [written('a.py', content)], { problems });
    assert.equal(state.stop, null);
    state = afterRound(state, [written('a.py', '3')], { problems });
    assert.equal(state.stop, 'stalled');
  });

  it('does not come while findings shrink', () => {
    const two = [aProblem('a.py'), aProblem('a.py', { symbol: 'other' })];
    let state = afterRound(aState(), [written('a.py')], { problems: two });
    state = afterRound(state, [written('a.py', '1')], { problems: two });
    state = afterRound(state, [written('a.py', '2')], { problems: two.slice(1) });
    assert.equal(state.stalledRounds, 0);
  });

  it('comes as stalled at the bound on rounds', () => {
    const limits = { maxRounds: 2 };
    const first = afterRound(aState(), [written('a.py')], { limits });
    assert.equal(first.stop, null);
    assert.equal(afterRound(first, [written('b.py')], { limits }).stop, 'stalled');
  });

  it('does not come at the bound on rounds when nothing is left to do: the inspection decides', () => {
    const limits = { maxRounds: 1 };
    const blueprint = aBlueprint({ files: [aFile({ path: 'a.py' })] });
    const clean = afterRound(aState(), [written('a.py')], { limits, blueprint });
    assert.equal(clean.stop, null);
    assert.equal(afterInspection(clean, [], limits).stop, 'inspected');
    const problems = [aProblem('a.py')];
    const faulty = afterRound(aState(), [written('a.py')], { limits, blueprint, problems });
    assert.equal(faulty.stop, 'stalled');
  });

  it('gives a stalled run that a person resumes three rounds again', () => {
    const stalled = aState({ stop: 'stalled', stalledRounds: 3, best: { accepted: 1, open: 0 } });
    const next = afterRound(stalled, [refused('a.py')]);
    assert.equal(next.stop, null);
    assert.equal(next.stalledRounds, 1);
  });

  it('comes with an inspection that finds nothing to repair', () => {
    const state = afterRound(aState(), [written('a.py')]);
    assert.equal(afterInspection(state, []).stop, 'inspected');
    assert.equal(afterInspection(state, []).round, 1);
  });

  it('does not come with an inspection that finds something, but at most six times and while findings shrink', () => {
    const problems = Array.from({ length: 9 }, (_, index) =>
      aProblem('a.py', { symbol: `${index}` }),
    );
    let state = afterRound(aState(), [written('a.py')]);
    for (let left = 9; left > 3; left -= 1) {
      state = afterInspection(state, problems.slice(0, left));
      assert.equal(state.stop, null, `${left} left`);
    }
    assert.equal(state.gate.rounds, 6);
    assert.equal(afterInspection(state, problems.slice(0, 3)).stop, 'inspected');
    const twice = afterInspection(
      afterInspection(afterRound(aState(), [written('a.py')]), problems),
      problems,
    );
    assert.equal(twice.stop, 'inspected');
  });

  it('comes with an inspection whose findings nobody may repair any more', () => {
    const state = aState({
      tree: { 'a.py': refTo('a') },
      progress: {
        'a.py': {
          revision: 3,
          repairs: 2,
          refusals: [],
          lastAttempt: null,
          lastReasons: [],
          retired: false,
        },
      },
    });
    assert.equal(afterInspection(state, [aProblem('a.py')]).stop, 'inspected');
  });
});

describe('any sequence of rounds', () => {
  for (let seed = 1; seed <= 60; seed += 1) {
    it(`keeps what was accepted and stays consistent (seed ${seed})`, () => {
      const random = randomFrom(seed);
      let state = aState();
      for (let round = 0; round < 12 && !state.stop; round += 1) {
        const next = randomRound(state, random);
        assertKept(state, next);
        state = RunState.parse(next);
      }
    });
  }
});

const PATHS = ['a.py', 'src/b.py', 'c.yaml', 'constructor.py'];

function randomRound(state: RunState, random: Random): RunState {
  const problems = PATHS.filter(() => random.chance(0.4)).map((path) =>
    aProblem(path, { symbol: `s${random.below(3)}` }),
  );
  if (random.chance(0.15)) return afterInspection(state, problems);
  const results = random
    .shuffled(PATHS)
    .slice(0, 1 + random.below(PATHS.length))
    .map((path) => (random.chance(0.3) ? refused(path) : written(path, `${random.below(1000)}`)));
  const rolledBack = results
    .filter(({ kind, path }) => kind === 'written' && state.tree[path] && random.chance(0.3))
    .map(({ path }) => path);
  const notes = Object.entries(state.memory)
    .filter(() => random.chance(0.5))
    .map(([path, { file }]) => ({ path, file, text: random.chance(0.8) ? refTo('note') : null }));
  return afterRound(state, results, { problems, rolledBack, notes });
}

function assertKept(before: RunState, after: RunState): void {
  assert.equal(after.commits, before.commits + 1);
  for (const path of Object.keys(before.tree)) assert.ok(after.tree[path], `${path} was lost`);
  for (const path of PATHS) {
    const [old, now] = [progressOf(before, path), progressOf(after, path)];
    assert.ok(now.repairs >= old.repairs && now.repairs <= old.repairs + 1);
    assert.equal(
      after.tree[path] !== undefined,
      now.revision > 0,
      `${path} has a content and a revision`,
    );
    assert.equal(now.revision > old.revision, now.revision === old.revision + 1);
    if (now.revision === old.revision) assert.deepEqual(after.tree[path], before.tree[path]);
    const status = statusOf(after, path, DEFAULT_LIMITS);
    const isOpen = openBlocking(after, path).length > 0;
    if (status === 'broken') assert.ok(isOpen && now.repairs >= staticRepairs);
    if (status === 'planned') assert.equal(after.tree[path], undefined);
    const entry = after.memory[path];
    assert.deepEqual(entry?.file, after.tree[path], `memory describes ${path} as it is`);
    // A refused file is a finding from the first refusal on.
    const isMissing = openBlocking(after, path).some(({ kind }) => kind === 'missing');
    assert.equal(isMissing, now.refusals.length > 0 && after.tree[path] === undefined);
  }
  const ids = after.findings.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length);
  for (const { id } of before.findings) assert.ok(ids.includes(id), 'no finding is forgotten');
}
