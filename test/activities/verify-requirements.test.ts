import assert from 'node:assert/strict';
import { createActivities } from '../../src/activities/create-activities.ts';
import { Blueprint } from '../../src/domain/blueprint.ts';
import { ContextTooLong } from '../../src/domain/errors.ts';
import type { TargetResult } from '../../src/domain/round.ts';
import type { RunState } from '../../src/domain/run-state.ts';
import { Verification } from '../../src/domain/verification.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { directSteps, inContext } from '../bench/direct-steps.ts';
import { aRequirement } from '../fakes/builders.ts';
import { aPlan, moduleText } from '../fakes/plan-scenario.ts';
import { aProduct } from '../fakes/product.ts';
import { scriptedModel, type ScriptedAnswer } from '../fakes/scripted-model.ts';
import { dutiful } from './written-run.ts';

/** requirements.txt, configs/default.yaml, reproduce.sh, README.md; part_01, part_02 on it, part_03. */
const PLAN = aPlan({ files: 7, depth: 2 });
const [ONE, TWO, THREE] = ['src/part_01.py', 'src/part_02.py', 'src/part_03.py'] as const;
const CODE = 'return x';

/** A record on one requirement, as the verifier writes it. */
function record(id: string, changes: Readonly<Record<string, string>> = {}): string {
  const fields = {
    ...{ expected: 'a sum', found: 'a sum', where: `${ONE}:4 | ${CODE}` },
    ...{ reached: 'toy', verdict: 'met', ...changes },
  };
  const lines = Object.entries(fields).map(([key, value]) => `${key}: ${value}`);
  return [`@verdict ${id}`, ...lines].join('\n');
}

const done = (...records: readonly string[]): string => [...records, '@done'].join('\n');

interface Case {
  readonly answer: (request: ModelRequest) => ScriptedAnswer;
  readonly scope?: 'round' | 'gate';
  readonly results?: (state: RunState) => readonly TargetResult[];
  readonly change?: (state: RunState) => RunState;
  readonly checks?: readonly string[];
  /** Who owns R1, R2, …; by default part_01 owns R1 and part_03 R2. */
  readonly owns?: Readonly<Record<string, string[]>>;
}

/** Verifies a repository that was written dutifully. */
async function verified({ answer, scope = 'gate', results, change, checks = [], owns }: Case) {
  const asked: ModelRequest[] = [];
  const model = scriptedModel((request) => {
    if (!request.label.includes('/verify')) return dutiful(request, PLAN);
    asked.push(request);
    return answer(request);
  });
  const product = await aProduct(model);
  try {
    const { deps } = product;
    const run = await product.createRun({ name: 'verified' });
    const activities = createActivities(deps);
    await reproducePaper(directSteps(activities, run));
    const written = await product.stateOf(run.name);
    const owners = owns ?? { [ONE]: ['R1'], [THREE]: ['R2'] };
    const blueprint = await getJson(deps.store, Blueprint, written.blueprint);
    const ids = Object.values(owners).flat();
    const amended = await putJson(deps.store, {
      ...blueprint,
      files: blueprint.files.map((file) => ({ ...file, owns: owners[file.path] ?? [] })),
      requirements: ids.map((id) => aRequirement({ id, place: 'sec-1' })),
    });
    const state = change?.(written) ?? written;
    const guidance = {
      ...{ rationale: '', assignments: {}, amendments: [], corrections: [] },
      acceptanceChecks: checks.map((text) => ({ path: ONE, text, decidedBy: 'model' })),
    };
    const input = {
      ...{ schemaVersion: 1 as const, run: run.name, incarnation: 1, settings: run.settings },
      ...{ allowance: 0, blueprint: amended, round: 2, scope },
      stateRef: await putJson(deps.store, state),
      results: [...(results?.(state) ?? [])],
      subplan: await putJson(deps.store, { schemaVersion: 1, round: 2, targets: [], guidance }),
    };
    const verify = async () => {
      const { verification } = await inContext(() => activities.verifyRequirements(input));
      return getJson(deps.store, Verification, verification);
    };
    const found = await verify();
    const refused = asked.filter((request) => typeof answer(request) !== 'string').length;
    const first = [...asked];
    const calls = asked.length + refused;
    assert.deepEqual(await verify(), found, 'A second run of the activity says something else.');
    assert.equal(
      asked.length,
      calls,
      'A second run of the activity asked again for what was answered.',
    );
    const events = await deps.folders.events(run.name);
    const notices = events.filter(({ kind }) => kind === 'notice').map(({ text }) => text);
    return { state, found, asked: first, notices };
  } finally {
    await product.end();
  }
}

const textOf = ({ messages }: ModelRequest): string =>
  messages.map(({ content }) => content).join('\n');

describe('the verifier', () => {
  it('judges at the gate all that is in scope, on paper and whole files, and nothing besides', async () => {
    const { found, asked, state } = await verified({
      answer: () =>
        done(
          record('R1'),
          record('R2', {
            ...{ verdict: 'missing', where: '', found: 'nothing', reached: 'nothing' },
            ...{ fix: 'Add the term.', 'fix-in': THREE },
          }),
        ),
    });
    assert.deepEqual(
      asked.map(({ label }) => label),
      ['r2/verify-gate/1/try1'],
    );
    const prompt = textOf(asked[0] ?? assert.fail());
    assert.match(prompt, /# Paper: A toy paper/);
    assert.ok(prompt.includes(moduleText(ONE, [])));
    assert.doesNotMatch(prompt, /doubts|Pure; returns a float/);
    assert.deepEqual(
      found.requirements.map(({ id, verdict, where, fixIn }) => [id, verdict, where, fixIn]),
      [
        ['R1', 'met', [{ path: ONE, line: 6 }], null],
        ['R2', 'missing', [], THREE],
      ],
    );
    for (const { read } of found.requirements)
      for (const { path, file } of read) assert.deepEqual(file, state.tree[path]);
    assert.deepEqual([found.checks, found.undecided], [[], []]);
  });

  it('asks nothing of what a standing verdict decides, and again when what was read has changed', async () => {
    const verdictOn = (state: RunState, id: string, path: string, isOld: boolean) => ({
      ...{ id, verdict: 'met' as const, expected: '', found: '', where: [], reachedBy: 'toy' },
      ...{ fix: '', fixIn: null },
      read: [{ path, file: (isOld ? state.tree[TWO] : state.tree[path]) ?? assert.fail() }],
    });
    const { found } = await verified({
      change: (state) => ({
        ...state,
        requirementVerdicts: [
          verdictOn(state, 'R1', ONE, false),
          verdictOn(state, 'R2', THREE, true),
        ],
      }),
      answer: () => done(record('R2', { where: `${THREE}:6 | ${CODE}` })),
    });
    assert.deepEqual(
      found.requirements.map(({ id }) => id),
      ['R2'],
    );
  });

  it('judges after a round what its files help to decide, with the checks of the round', async () => {
    const { found, asked } = await verified({
      scope: 'round',
      checks: ['It returns a float.', 'It adds nothing.'],
      results: ({ tree }) => [{ kind: 'written', path: ONE, file: tree[ONE] ?? assert.fail() }],
      answer: () =>
        done(record('R1'), '@check 1\nverdict: met', '@check 2\nverdict: unmet\nwhy: It does.'),
    });
    assert.equal(asked.length, 1);
    assert.deepEqual(
      found.requirements.map(({ id }) => id),
      ['R1'],
    );
    assert.deepEqual(
      found.checks.map(({ text, isMet, why }) => [text, isMet, why]),
      [
        ['It returns a float.', true, ''],
        ['It adds nothing.', false, 'It does.'],
      ],
    );
  });

  it('makes no call where there is nothing to judge', async () => {
    const { found, asked } = await verified({ scope: 'round', answer: () => assert.fail() });
    assert.deepEqual([asked.length, found.requirements], [0, []]);
  });

  it('asks once more, with the files that were missed, and tells what stays open', async () => {
    const { found, asked, notices } = await verified({
      answer: ({ label }) =>
        label.includes('again')
          ? done(record('R1', { where: `${TWO}:7 | return x + part_01(x)` }))
          : done(
              record('R1', { verdict: 'undecided', why: 'Who calls it?', needs: 'part_02.py' }),
              record('R2', { where: `${THREE}:99 | made up` }),
            ),
    });
    assert.deepEqual(
      asked.map(({ label }) => label),
      ['r2/verify-gate/1/try1', 'r2/verify-gate/again/1/try1'],
    );
    const again = textOf(asked[1] ?? assert.fail());
    assert.match(again, /Who calls it\?/);
    assert.match(again, /does not hold the code that was quoted/);
    assert.ok(again.includes(moduleText(TWO, [ONE])));
    assert.deepEqual(
      found.requirements.map(({ id }) => id),
      ['R1'],
    );
    assert.deepEqual(found.undecided, ['R2']);
    assert.ok(
      notices.some((text) => text.includes('did not decide R2')),
      notices.join('\n'),
    );
  });

  it('leaves all undecided where nothing can be read, without asking all over again', async () => {
    const { found, asked } = await verified({ answer: () => 'I think it is fine.' });
    assert.deepEqual(found.undecided, ['R1', 'R2']);
    assert.deepEqual(
      asked.map(({ label }) => label.slice(-4)),
      ['try1', 'try2', 'try3'],
    );
  });

  it('asks in smaller parts where a window is too small', async () => {
    const { found, asked } = await verified({
      answer: (request) => {
        const text = textOf(request);
        if (/^R1 /m.test(text) && /^R2 /m.test(text))
          return new ContextTooLong('The request is too long.');
        return /^R1 /m.test(text)
          ? done(record('R1'))
          : done(record('R2', { where: `${THREE}:6 | ${CODE}` }));
      },
    });
    assert.deepEqual(
      asked.map(({ label }) => label),
      [
        'r2/verify-gate/1/try1',
        'r2/verify-gate/1/1/try1',
        'r2/verify-gate/1/1/1/try1',
        'r2/verify-gate/1/1/2/try1',
      ],
    );
    assert.doesNotMatch(textOf(asked[1] ?? assert.fail()), /# Paper: /);
    assert.deepEqual(
      found.requirements.map(({ id }) => id),
      ['R1', 'R2'],
    );
  });

  it('tells of a requirement of which no owner is written, and asks nothing of it', async () => {
    const { found, asked } = await verified({
      owns: { [ONE]: ['R1'], [THREE]: ['R2'] },
      change: (state) => ({
        ...state,
        tree: Object.fromEntries(Object.entries(state.tree).filter(([path]) => path !== THREE)),
      }),
      answer: () => done(record('R1')),
    });
    assert.doesNotMatch(textOf(asked[0] ?? assert.fail()), /^R2 /m);
    assert.deepEqual(found.undecided, ['R2']);
  });
});
