import assert from 'node:assert/strict';
import { checkTargets } from '../../src/domain/check-subplan.ts';
import { statusOf } from '../../src/domain/progress.ts';
import type { At, RoundPlan, RoundRecord } from '../../src/domain/round.ts';
import { DEFAULT_LIMITS, type Limits } from '../../src/domain/run-settings.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import type { NamedTarget } from '../../src/domain/subplan-answer.ts';
import { isWorthPlanning } from '../../src/domain/target-standing.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';
import { deferred } from '../fakes/deferred.ts';
import { randomFrom, type Random } from '../fakes/random.ts';
import { aProblem, refTo, written } from '../fakes/states.ts';
import { play } from './play-script.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { acceptedAt, scriptedSteps, type Script, notesOf } from './scripted-steps.ts';

const [A, B, C] = ['a.py', 'b.py', 'c.py'].map((path) => aFile({ path })) as [
  ReturnType<typeof aFile>,
  ReturnType<typeof aFile>,
  ReturnType<typeof aFile>,
];
const THREE = aBlueprint({ files: [A, B, C] });
const DEEP = { blueprint: THREE, mode: 'deepplan' } as const;

const GO_ON = {
  kind: 'go-on' as const,
  conversation: refTo('more'),
  reasons: ['It was hollow.'],
  lastAttempt: refTo('hollow'),
};

function aPlan(paths: readonly string[], round: number, isJudged = false): RoundPlan {
  return {
    subplan: refTo(`plan ${round}: ${paths.join(' ')}`),
    targets: paths.map((path) => ({ path, needs: [] })),
    blueprint: null,
    ...(isJudged && { isJudged: true }),
  };
}

/** All that is planned at once; nothing else. */
function allAtOnce({ tree, round }: RunState): RoundPlan {
  const left = THREE.files.map(({ path }) => path).filter((path) => !tree[path]);
  return aPlan(left, round, true);
}

describe('the loop in deepplan', () => {
  it('starts each note with its file, and waits for all before it commits', async () => {
    const [slow, note] = [deferred(), deferred()];
    const { steps, state } = await play({
      ...DEEP,
      plan: allAtOnce,
      before: (step) => {
        // The slow file goes on only when another's note has begun, and that note ends only when all is written.
        if (step === 'remember a.py') slow.resolve();
        if (step === 'remember c.py') note.resolve();
        if (step === 'remember a.py') return note.promise;
        return step === 'write c.py 1' ? slow.promise : undefined;
      },
    });
    const at = (line: string) => steps.log.indexOf(line);
    assert.ok(at('+remember a.py') < at('-write c.py 1'));
    assert.ok(at('-remember a.py') < at('+commit round'));
    assert.ok(at('-remember c.py') < at('+commit round'));
    assert.deepEqual(
      notesOf(steps.records[0]).map(({ path }) => path),
      ['a.py', 'b.py', 'c.py'],
    );
    assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
  });

  it('asks the judge beside the notes and the diagnosis, when all is written', async () => {
    const judged = deferred();
    const { steps } = await play({
      ...DEEP,
      plan: allAtOnce,
      before: (step) => {
        if (step === 'judge') judged.resolve();
        return step === 'remember a.py' || step === 'diagnose' ? judged.promise : undefined;
      },
    });
    const at = (line: string) => steps.log.indexOf(line);
    assert.ok(at('-apply c.py 1') < at('+judge'));
    assert.ok(at('+judge') < at('-remember a.py'));
    assert.ok(at('-judge') < at('+commit round'));
    const [round] = steps.records;
    assert.ok(round?.kind === 'round' && round.judgement);
  });

  it('asks no judge where no check is a model’s', async () => {
    const { steps } = await play({
      ...DEEP,
      plan: (state) =>
        aPlan(
          allAtOnce(state).targets.map(({ path }) => path),
          1,
        ),
    });
    assert.ok(!steps.log.includes('+judge'));
    assert.ok(!Object.keys(steps.records[0] ?? {}).includes('judgement'));
  });

  it('asks the planner again for the same round when an inspection has opened it', async () => {
    const rounds: number[] = [];
    const { outcome, steps } = await play({
      ...DEEP,
      plan: (state) => {
        rounds.push(state.round + 1);
        const open = state.findings.filter(({ resolvedInRound }) => resolvedInRound === null);
        return state.round === 0
          ? allAtOnce(state)
          : aPlan(
              open.map(({ path }) => path),
              2,
            );
      },
      problems: ({ progress }, results) =>
        results.length === 0 && progress['b.py']?.revision === 1 ? [aProblem('b.py')] : [],
    });
    assert.equal(outcome, 'complete');
    assert.deepEqual(rounds, [1, 2, 2, 3]);
    assert.deepEqual(
      steps.records.map(({ kind }) => kind),
      ['round', 'inspection', 'round', 'inspection'],
    );
  });

  it('makes no call where nothing is planned or open', async () => {
    const { steps } = await play(DEEP);
    assert.equal(steps.log.filter((line) => line === '+plan').length, 1);
  });

  it('takes the notes that an interrupted run left out before it plans', async () => {
    const steps = scriptedSteps(DEEP);
    const begun = await steps.begin(refTo('paper'), refTo('blueprint'));
    const results = [written('a.py')];
    const diagnosis = await steps.diagnoseRound(begun, aPlan(['a.py'], 1), results);
    const record: RoundRecord = {
      kind: 'round',
      subplan: refTo('plan'),
      results,
      diagnosis,
      notes: [],
    };
    const from = await steps.commitRound(begun, record);
    assert.equal(from.view.withoutNotes.length, 1);
    assert.equal(await reproducePaper(steps, from), 'complete');
    const at = (line: string) => steps.log.indexOf(line);
    assert.ok(at('-remember a.py') < at('+commit notes'));
    assert.ok(at('-commit notes') < at('+plan') && at('-commit notes') > 0);
  });

  for (const where of ['write b.py 1', 'apply b.py 1', 'remember b.py', 'judge', 'diagnose'])
    it(`stands at the last whole round when it is cancelled at "${where}" of the next`, async () => {
      const ats: At[] = [];
      let round = 0;
      const cancelled = play(
        {
          ...DEEP,
          plan: ({ round: done, tree }) => {
            round = done + 1;
            const left = ['a.py', 'b.py', 'c.py'].filter((path) => !tree[path]);
            return aPlan(round === 1 ? ['a.py'] : left, round, round === 2);
          },
          before: (step) => {
            if (round === 2 && step === where) throw new Error('cancelled');
          },
        },
        undefined,
        ats,
      );
      await assert.rejects(cancelled, /^Error: cancelled$/);
      assert.deepEqual(
        ats.map(({ view }) => [view.round, view.files.written]),
        [
          [0, 0],
          [1, 1],
        ],
      );
      assert.deepEqual(ats.at(-1)?.view.withoutNotes, []);
    });
});

describe('the quality gate', () => {
  for (const mode of ['fast', 'deepplan'] as const)
    it(`opens at most six repair rounds in ${mode}, though findings shrink`, async () => {
      const files = Array.from({ length: 28 }, (_, index) => aFile({ path: `f${index}.py` }));
      const { outcome, steps, state } = await play({
        blueprint: aBlueprint({ files }),
        mode,
        // Each look finds one fault less, in files that were not looked at before.
        problems: ({ gate }, results) => {
          if (results.length > 0) return [];
          const start = Array.from({ length: gate.rounds }, (_, look) => 7 - look).reduce(
            (sum, count) => sum + count,
            0,
          );
          return files.slice(start, start + 7 - gate.rounds).map(({ path }) => aProblem(path));
        },
      });
      assert.equal(outcome, 'complete-with-gaps');
      assert.equal(state.gate.rounds, DEFAULT_LIMITS.gateRounds);
      const kinds = steps.records.map(({ kind }) => kind);
      assert.equal(kinds.filter((kind) => kind === 'inspection').length, 7);
      assert.equal(kinds.filter((kind) => kind === 'round').length, 7);
    });
});

/** A planner that names what it likes: files that are not planned, that are written, twice, in any order, or nothing. */
function namedAtRandom(random: Random, paths: readonly string[]): NamedTarget[] {
  return random.shuffled([...paths, ...paths, 'unplanned.py']).flatMap((path) =>
    random.chance(0.4)
      ? [
          {
            path,
            reason: random.chance(0.5) ? 'because' : '',
            instructions: '',
            integrationNotes: '',
            after: random.chance(0.2) ? [paths[random.below(paths.length)] ?? ''] : [],
            checks: [],
          },
        ]
      : [],
  );
}

describe('a deepplan loop over random steps', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    it(`ends within its bounds and loses no accepted file (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const files = Array.from({ length: 3 + random.below(8) }, (_, index) =>
        aFile({
          path: `f${index}.py`,
          needs: Array.from({ length: random.below(3) }, () => `f${random.below(10)}.py`),
        }),
      );
      const limits: Limits = {
        ...DEFAULT_LIMITS,
        maxTargets: 1 + random.below(4),
        maxRounds: 40,
      };
      const { outcome, steps, ats } = await play(
        randomScript(random, aBlueprint({ files }), limits),
      );
      assert.ok(['complete', 'complete-with-gaps', 'stalled'].includes(outcome));
      assert.ok(steps.records.length < 60, `${steps.records.length} commits`);
      const states = ats.map(({ stateRef }) => steps.stateAt(stateRef));
      states.forEach((state, index) => {
        for (const path of Object.keys(states[index - 1]?.tree ?? {}))
          assert.ok(state.tree[path], `${path} was lost`);
        for (const [path, { repairs }] of Object.entries(state.progress))
          assert.ok(repairs <= limits.staticRepairs, `${path}: ${repairs} repairs`);
        assert.ok(state.gate.rounds <= limits.gateRounds);
      });
      const last = ats.at(-1);
      const state = states.at(-1);
      assert.ok(last && state);
      const isWhole = files.every(
        ({ path }) => state.tree[path] && statusOf(state, path, limits) === 'written',
      );
      const isClean = isWhole && last.view.openBlockingCount === 0;
      assert.equal(outcome === 'complete', isClean && last.view.stop === 'inspected');
      assert.deepEqual(last.view.withoutNotes, []);
    });
  }
});

function randomScript(random: Random, blueprint: Script['blueprint'], limits: Limits): Script {
  const paths = blueprint.files.map(({ path }) => path);
  return {
    ...{ blueprint, limits, mode: 'deepplan' },
    before: async () => {
      for (let wait = random.below(5); wait > 0; wait -= 1) await Promise.resolve();
    },
    plan: (state) => {
      if (!isWorthPlanning(state, blueprint, limits)) return null;
      const named = namedAtRandom(random, paths);
      const { targets } = checkTargets(named, { state, blueprint, limits, imports: new Map() });
      const plan = aPlan([], state.round, random.chance(0.5));
      return { ...plan, targets: [...targets] };
    },
    verdicts: (results) =>
      results.flatMap((result) =>
        result.kind === 'written'
          ? [
              {
                ...{ path: result.path, file: result.file, text: 'it is so' },
                ...{ isMet: random.chance(0.5), why: '' },
              },
            ]
          : [],
      ),
    turn: (turn) => (random.chance(0.35) ? GO_ON : { kind: 'accepted', file: acceptedAt(turn) }),
    problems: ({ tree }, results) =>
      [
        ...Object.keys(tree),
        ...results.flatMap((result) => (result.kind === 'written' ? [result.path] : [])),
      ]
        .filter(() => random.chance(0.15))
        .map((path) => aProblem(path)),
  };
}
