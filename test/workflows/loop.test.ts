import assert from 'node:assert/strict';
import type { At } from '../../src/domain/round.ts';
import { all } from '../../src/workflows/all.ts';
import { reproducePaper, type Steps } from '../../src/workflows/loop.ts';
import { aBlueprint, aFile } from '../fakes/builders.ts';
import { deferred } from '../fakes/deferred.ts';
import { randomFrom } from '../fakes/random.ts';
import { aProblem, refTo } from '../fakes/states.ts';
import { play } from './play-script.ts';
import { acceptedAt, scriptedSteps, notesOf } from './scripted-steps.ts';

const CHAIN = aBlueprint({
  files: [
    aFile({ path: 'a.py' }),
    aFile({ path: 'b.py', needs: ['a.py'] }),
    aFile({ path: 'c.py', needs: ['b.py'] }),
    aFile({ path: 'd.py' }),
  ],
});

const GO_ON = {
  kind: 'go-on' as const,
  conversation: refTo('more'),
  reasons: ['It was hollow.'],
  lastAttempt: refTo('hollow'),
};

describe('the loop', () => {
  it('reads, plans, writes in the order of needs, inspects and reports', async () => {
    const { outcome, steps, state } = await play({ blueprint: CHAIN });
    assert.equal(outcome, 'complete');
    assert.deepEqual(Object.keys(state.tree).sort(), ['a.py', 'b.py', 'c.py', 'd.py']);
    const kinds = steps.records.map(({ kind }) => kind);
    assert.deepEqual(kinds, ['round', 'round', 'round', 'inspection']);
    const begun = steps.log.filter((line) => line.startsWith('+'));
    assert.deepEqual(begun.slice(0, 7), [
      '+read',
      '+figures',
      '+concepts',
      '+algorithms',
      '+requirements',
      '+draft',
      '+approve',
    ]);
    assert.equal(begun.at(-1), '+report');
  });

  it('starts all four readings of the paper before any has ended', async () => {
    const { steps } = await play({ blueprint: CHAIN });
    const firstEnd = steps.log.findIndex((line) =>
      /^-(figures|concepts|algorithms|requirements)$/.test(line),
    );
    assert.ok(firstEnd > steps.log.indexOf('+requirements'));
  });

  it('writes independent targets side by side', async () => {
    const { steps } = await play({ blueprint: CHAIN });
    assert.ok(steps.log.indexOf('+write d.py 1') < steps.log.indexOf('-write a.py 1'));
  });

  it('starts a target as soon as those it needs are written, not when the others are', async () => {
    const slow = deferred();
    const targets = [
      { path: 'slow.py', needs: [] },
      { path: 'a.py', needs: [] },
      { path: 'b.py', needs: ['a.py'] },
    ];
    let hasPlan = true;
    const { steps } = await play({
      blueprint: aBlueprint({ files: targets.map(({ path }) => aFile({ path })) }),
      plan: () => {
        const plan = { subplan: refTo('plan'), targets: hasPlan ? targets : [], blueprint: null };
        hasPlan = false;
        return plan;
      },
      before: (step) => {
        if (step === 'apply b.py 1') slow.resolve();
        return step === 'write slow.py 1' ? slow.promise : undefined;
      },
    });
    const begun = (name: string) => steps.log.indexOf(name);
    assert.ok(begun('+write b.py 1') > begun('-apply a.py 1'));
    assert.ok(begun('+write b.py 1') < begun('-write slow.py 1'));
  });

  it('hands a target the files of its round that it needs', async () => {
    const targets = [
      { path: 'a.py', needs: [] },
      { path: 'b.py', needs: ['a.py'] },
    ];
    const needed: unknown[] = [];
    await play({
      blueprint: aBlueprint({ files: targets.map(({ path }) => aFile({ path })) }),
      plan: ({ tree }) => ({
        subplan: refTo('plan'),
        targets: tree['a.py'] ? [] : targets,
        blueprint: null,
      }),
      turn: (turn) => {
        if (turn.target.path === 'b.py') needed.push(...turn.needed);
        return { kind: 'accepted', file: acceptedAt(turn) };
      },
    });
    assert.deepEqual(needed, [
      { kind: 'written', path: 'a.py', file: refTo('a.py in round 1, turn 1') },
    ]);
  });

  it('lets the siblings of a step that fails end before it fails itself', async () => {
    const steps = scriptedSteps({
      blueprint: CHAIN,
      before: async (step) => {
        if (step === 'write a.py 1') throw new Error('a.py fails');
        if (step.includes('d.py')) for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      },
    });
    await assert.rejects(reproducePaper(steps), /a\.py fails/);
    assert.ok(steps.log.includes('-apply d.py 1'));
    assert.ok(!steps.log.includes('+commit round'));
  });

  it('refuses a file after its turns are used up, and repairs it in a later round', async () => {
    const { outcome, steps, state } = await play({
      blueprint: CHAIN,
      turn: (turn) =>
        turn.target.path === 'a.py' && turn.at.view.round === 0
          ? GO_ON
          : { kind: 'accepted', file: acceptedAt(turn) },
    });
    assert.equal(outcome, 'complete');
    const turns = steps.log.filter((line) => line.startsWith('+write a.py'));
    assert.deepEqual(turns, ['+write a.py 1', '+write a.py 2', '+write a.py 3', '+write a.py 1']);
    assert.equal(state.progress['a.py']?.repairs, 2);
  });

  it('spares a file the step that carries out a reply where the write is accepted at once', async () => {
    const steps = scriptedSteps({ blueprint: CHAIN });
    const taken: Steps['takeTurn'] = async (turn) => ({
      ...(await steps.takeTurn(turn)),
      accepted: acceptedAt(turn),
    });
    assert.equal(await reproducePaper({ ...steps, takeTurn: taken }), 'complete');
    assert.deepEqual(
      steps.log.filter((line) => line.includes('apply')),
      [],
    );
  });

  it('goes on with the conversation of the turn before', async () => {
    const seen: unknown[] = [];
    await play({
      blueprint: aBlueprint({ files: [aFile({ path: 'a.py' })] }),
      turn: (turn) => {
        seen.push(turn.conversation);
        return turn.turn === 1 ? GO_ON : { kind: 'accepted', file: acceptedAt(turn) };
      },
    });
    assert.deepEqual(seen, [null, refTo('more')]);
  });

  it('gives back the turns that brought more of a long file, within a bound', async () => {
    const turnsOf = async (until: number) => {
      const { steps, outcome } = await play({
        blueprint: aBlueprint({ files: [aFile({ path: 'a.py' })] }),
        limits: { staticRepairs: 1 },
        turn: (turn) =>
          turn.turn < until
            ? { ...GO_ON, hasGrown: true }
            : { kind: 'accepted', file: acceptedAt(turn) },
      });
      const turns = steps.log.filter((line) => line.startsWith('+write a.py'));
      return [turns.length, outcome];
    };
    assert.deepEqual(await turnsOf(6), [6, 'complete']);
    assert.deepEqual(await turnsOf(1000), [11, 'complete-with-gaps']);
  });

  it('ends with gaps when a file is never accepted, and writes all the others', async () => {
    const { outcome, state } = await play({
      blueprint: CHAIN,
      turn: (turn) =>
        turn.target.path === 'a.py' ? GO_ON : { kind: 'accepted', file: acceptedAt(turn) },
    });
    assert.equal(outcome, 'complete-with-gaps');
    assert.deepEqual(Object.keys(state.tree).sort(), ['b.py', 'c.py', 'd.py']);
    assert.deepEqual(
      state.findings.map(({ kind, path }) => [kind, path]),
      [['missing', 'a.py']],
    );
  });

  it('repairs what an inspection finds', async () => {
    const { outcome, steps } = await play({
      blueprint: CHAIN,
      problems: ({ progress }, results) =>
        results.length === 0 && progress['d.py']?.revision === 1 ? [aProblem('d.py')] : [],
    });
    assert.equal(outcome, 'complete');
    assert.deepEqual(
      steps.records.map(({ kind }) => kind),
      ['round', 'round', 'round', 'inspection', 'round', 'inspection'],
    );
  });

  it('ends after the round when a person stops it', async () => {
    const { outcome, state } = await play({
      blueprint: CHAIN,
      mayGoOn: ({ view }) => view.round < 2,
    });
    assert.equal(outcome, 'stopped');
    assert.equal(state.round, 2);
  });
});

describe('notes', () => {
  it('of a round are folded by the next round’s commit, those of the last by the inspection', async () => {
    const { steps, state } = await play({ blueprint: CHAIN });
    const folded = steps.records.map((record) =>
      notesOf(record)
        .map(({ path }) => path)
        .sort(),
    );
    assert.deepEqual(folded, [[], ['a.py', 'd.py'], ['b.py'], ['c.py']]);
    assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
  });

  it('do not hold up the round that they are about', async () => {
    const held = deferred();
    const { steps } = await play({
      blueprint: CHAIN,
      before: (step) => {
        // The next round's files are being written: the first round has been committed.
        if (step === 'write b.py 1') held.resolve();
        return step === 'remember a.py' ? held.promise : undefined;
      },
    });
    assert.ok(steps.log.indexOf('-commit round') < steps.log.indexOf('-remember a.py'));
  });

  it('start after the writes of their round, and leave nothing under way between two rounds', async () => {
    const { steps } = await play({ blueprint: CHAIN });
    assert.ok(steps.log.indexOf('+write b.py 1') < steps.log.indexOf('+remember a.py'));
    const commit = steps.log.lastIndexOf('-commit round');
    assert.ok(steps.log.indexOf('-remember b.py') < commit);
  });

  it('are waited for when a person stops the run, and committed', async () => {
    const { steps, state } = await play({
      blueprint: CHAIN,
      mayGoOn: ({ view }) => view.round < 1,
    });
    assert.equal(steps.records.at(-1)?.kind, 'notes');
    assert.ok(Object.values(state.memory).every(({ notes }) => notes.kind === 'noted'));
  });

  it('that are missing in the state that a run starts from are taken', async () => {
    let from: At | undefined;
    const first = scriptedSteps({ blueprint: CHAIN });
    const never = new Promise<boolean>(() => undefined);
    const stopped = deferred();
    void reproducePaper({
      ...first,
      mayGoOn: (at) => {
        if (at.view.round < 1) return Promise.resolve(true);
        from = at;
        stopped.resolve();
        return never;
      },
    });
    await stopped.promise;
    assert.ok(from);
    assert.deepEqual(
      from.view.withoutNotes.map(({ path }) => path),
      ['a.py', 'd.py'],
    );
    const outcome = await reproducePaper(first, from);
    assert.equal(outcome, 'complete');
    assert.equal(first.log.filter((line) => line === '+remember a.py').length, 1);
    const record = first.records.at(-1);
    assert.equal(record?.kind, 'inspection');
  });
});

describe('a loop over random steps', () => {
  for (let seed = 1; seed <= 40; seed += 1) {
    it(`ends within its bounds and loses no accepted file (seed ${seed})`, async () => {
      const random = randomFrom(seed);
      const files = Array.from({ length: 3 + random.below(8) }, (_, index) =>
        aFile({
          path: `f${index}.py`,
          needs: Array.from({ length: random.below(3) }, () => `f${random.below(10)}.py`),
        }),
      );
      const { outcome, steps, ats } = await play({
        blueprint: aBlueprint({ files }),
        limits: { maxTargets: 1 + random.below(4), maxRounds: 40 },
        before: async () => {
          for (let wait = random.below(5); wait > 0; wait -= 1) await Promise.resolve();
        },
        turn: (turn) =>
          random.chance(0.35) ? GO_ON : { kind: 'accepted', file: acceptedAt(turn) },
        problems: ({ tree }, results) =>
          [
            ...Object.keys(tree),
            ...results.flatMap((result) => (result.kind === 'written' ? [result.path] : [])),
          ]
            .filter(() => random.chance(0.15))
            .map((path) => aProblem(path)),
      });
      assert.ok(['complete', 'complete-with-gaps', 'stalled'].includes(outcome));
      assert.ok(steps.records.length < 60);
      const trees = ats.map(({ stateRef }) => Object.keys(steps.stateAt(stateRef).tree));
      trees.forEach((tree, index) => {
        for (const path of trees[index - 1] ?? [])
          assert.ok(tree.includes(path), `${path} was lost`);
      });
      const last = ats.at(-1);
      assert.ok(last);
      const isWhole = last.view.files.written === files.length && last.view.openBlockingCount === 0;
      assert.equal(outcome === 'complete', isWhole && last.view.stop === 'inspected');
      assert.deepEqual(last.view.withoutNotes, []);
    });
  }

  it('gives the same state whatever order the replies come in', async () => {
    const ends = await Promise.all(
      [1, 2, 3, 4].map(async (seed) => {
        const random = randomFrom(seed);
        const { ats } = await play({
          blueprint: CHAIN,
          before: async () => {
            for (let wait = random.below(30); wait > 0; wait -= 1) await Promise.resolve();
          },
          problems: ({ progress }) => (progress['a.py']?.revision === 1 ? [aProblem('a.py')] : []),
        });
        return ats.at(-1)?.stateRef.sha256;
      }),
    );
    assert.equal(new Set(ends).size, 1);
  });
});

describe('waiting for all', () => {
  it('throws the first failure in order, after every sibling has ended', async () => {
    const late = deferred();
    let isOver = false;
    const waiting = all([
      Promise.reject(new Error('first')),
      late.promise,
      Promise.reject(new Error('third')),
    ]);
    waiting.catch(() => (isOver = true));
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
    assert.equal(isOver, false);
    late.resolve();
    await assert.rejects(waiting, /first/);
  });
});
