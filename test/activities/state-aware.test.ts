import assert from 'node:assert/strict';
import { ContextTooLong } from '../../src/domain/errors.ts';
import { Blueprint } from '../../src/domain/blueprint.ts';
import type { ModelRequest } from '../../src/models/model.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';
import { createActivities } from '../../src/activities/create-activities.ts';
import { reproducePaper } from '../../src/workflows/loop.ts';
import { directSteps } from '../bench/direct-steps.ts';
import { aPlan, moduleText, type PlannedFile } from '../fakes/plan-scenario.ts';
import { aProduct, type RunWish } from '../fakes/product.ts';
import { scriptedModel } from '../fakes/scripted-model.ts';
import { dutiful, writtenRun } from './written-run.ts';

/** requirements.txt, configs/default.yaml, reproduce.sh, README.md; part_01, part_02 on it, part_03. */
const PLAN = aPlan({ files: 7, depth: 2 });
const ESSENTIALS = PLAN.slice(0, 4).map(({ path }) => path);
const [ONE, TWO, THREE] = ['src/part_01.py', 'src/part_02.py', 'src/part_03.py'];

/** An answer of the planner: its targets, and records besides. */
function subplan(targets: readonly string[], ...records: readonly string[]): string {
  const named = targets.map((path) => `@target ${path}\nreason: because of the test`);
  return [
    '@round',
    'rationale: As the test says.',
    'wrong: none',
    ...named,
    ...records,
    '@done',
  ].join('\n');
}

function write(path: string, content: string): string {
  return `@write ${path}\n\`\`\`\`python\n${content}\n\`\`\`\`\n@met\nnone\n@doubts\nnone\n@done`;
}

interface Case {
  /** The planner's answers by round; what is left out is a whole round's work. */
  readonly plans?: Readonly<Record<number, string>>;
  /** Contents by `round path`, or by path for every round; what is left out is as planned. */
  readonly files?: Readonly<Record<string, string>>;
  readonly judge?: (request: ModelRequest) => string | undefined;
  readonly plan?: readonly PlannedFile[];
  readonly wish?: RunWish;
}

function answerOf({ plans = {}, files = {}, judge, plan = PLAN }: Case) {
  return (request: ModelRequest): string | undefined => {
    const { label } = request;
    const planned = /^r(\d+)\/plan\//.exec(label);
    if (planned) return plans[Number(planned[1])] ?? dutiful(request, plan);
    if (label.includes('/judge/')) return judge?.(request);
    const [, round = '', path = ''] = /^r(\d+)\/write\/(.+)\/t\d/.exec(label) ?? [];
    const content = files[`${round} ${path}`] ?? files[path];
    return content === undefined ? undefined : write(path, content);
  };
}

async function play(given: Case) {
  const plan = given.plan ?? PLAN;
  const run = await writtenRun(plan, answerOf(given), { mode: 'deepplan', ...given.wish });
  /** What the planner was shown of the state before a round. */
  const shown = (round: number): string =>
    run.requests.find(({ label }) => label.startsWith(`r${round}/plan/`))?.messages.at(-1)
      ?.content ?? '';
  const asked = (round: number, path: string): string =>
    run.requests.find(({ label }) => label.startsWith(`r${round}/write/${path}/`))?.messages.at(-1)
      ?.content ?? '';
  return { ...run, shown, asked };
}

function sectionOf(prompt: string, heading: string): string {
  return prompt.split(`## ${heading}`)[1]?.split('\n## ')[0] ?? '';
}

describe('the next subplan', () => {
  it('sees the interface that was written, not the planned one', async () => {
    const real = 'def part_01(x: float, scale: float) -> float:\n    return x * scale';
    const calls =
      'from src.part_01 import part_01\n\n\ndef part_02(x: float) -> float:\n    return part_01(x, 2.0)';
    const run = await play({
      plans: { 1: subplan([ONE]) },
      files: { [ONE]: real, [TWO]: calls },
    });
    assert.match(
      sectionOf(run.shown(2), 'Where code and plan differ'),
      /src\/part_01\.py has `def part_01\(x: float, scale: float\) -> float` where `def part_01\(x: float\) -> float` is planned\./,
    );
    const signatures = run.shown(2).split('# Memory: the signatures')[1]?.split('\n# ')[0] ?? '';
    assert.match(signatures, /def part_01\(x: float, scale: float\) -> float/);
    assert.match(sectionOf(run.shown(2), 'Memory'), /notes: Pure; returns a float\./);
    assert.match(run.shown(2), /- src\/part_01\.py: written$/m);
    assert.equal(run.outcome, 'complete');
  });

  it('sees an import that was not planned, and a planned one that is not there', async () => {
    const run = await play({
      plans: { 1: subplan([ONE, TWO, THREE]) },
      files: {
        [TWO]: 'def part_02(x: float) -> float:\n    return x + 1.0',
        [THREE]: moduleText(THREE, [ONE]),
      },
    });
    const differences = sectionOf(run.shown(2), 'Where code and plan differ');
    assert.match(differences, /part_03\.py imports src\/part_01\.py, which is not planned/);
    assert.match(differences, /part_02\.py does not import src\/part_01\.py, which is planned/);
    assert.match(run.shown(2), /part_01\.py: written; .*imported by src\/part_03\.py/);
  });

  it('sees what the writers of the last round doubted, also where they went on after saying so', async () => {
    const doubting = (path: string, doubts: string, more = '') =>
      write(path, moduleText(path, [])).replace('@doubts\nnone\n', `@doubts\n${doubts}\n${more}`);
    const said: Readonly<Record<string, string>> = {
      [`r1/write/${ONE}/t1`]: doubting(ONE, '- whether x is scaled', '@check\n'),
      [`r1/write/${ONE}/t2`]: '@done',
      [`r1/write/${TWO}/t1`]: doubting(TWO, '- None.'),
      [`r1/write/${THREE}/t1`]: doubting(THREE, '- whether it is pure'),
    };
    const plans = { 1: subplan([ONE, TWO, THREE]), 2: subplan(ESSENTIALS) };
    const run = await writtenRun(PLAN, (asked) => said[asked.label] ?? answerOf({ plans })(asked), {
      mode: 'deepplan',
    });
    const shown = (round: number): string =>
      run.requests.find(({ label }) => label.startsWith(`r${round}/plan/`))?.messages.at(-1)
        ?.content ?? '';
    assert.match(
      sectionOf(shown(2), 'Memory: of files'),
      /### src\/part_01\.py\n(?:notes: .*\n)?its writer doubts:\n- whether x is scaled$/m,
    );
    assert.match(shown(2), /### src\/part_03\.py\nits writer doubts:\n- whether it is pure$/m);
    assert.equal(shown(2).split('its writer doubts').length, 3);
    assert.doesNotMatch(shown(3), /its writer doubts/);
  });

  it('tells each file which others its round has written, and which it is writing', async () => {
    const run = await play({ plans: { 1: subplan([ONE, TWO, THREE]) } });
    const state = (path: string): string =>
      /^# State of the files, by number\n(.*)$/m.exec(run.asked(1, path))?.[1] ?? '';
    assert.equal(state(ONE), 'being written 5-7; planned 1-4');
    assert.equal(state(TWO), 'written 5; being written 6-7; planned 1-4');
  });

  it('may retire a written file that is not needed, whose requirement moves', async () => {
    const run = await play({
      plans: {
        1: subplan([TWO, ONE, THREE]),
        2: subplan(
          ESSENTIALS,
          `@retire ${THREE}`,
          'because: nothing calls it',
          `@own R1 ${TWO}`,
          'because: it has it now',
        ),
      },
    });
    assert.equal(run.outcome, 'complete');
    assert.equal(run.state.tree[THREE], undefined);
    assert.equal(run.state.memory[THREE], undefined);
    assert.equal(run.state.progress[THREE]?.retired, true);
    assert.match(run.shown(3), /Retired src\/part_03\.py: nothing calls it\./);
    assert.doesNotMatch(sectionOf(run.shown(3), 'Files'), /part_03/);
  });

  it('is told that a retired file leaves a gap, and the run is not complete', async () => {
    const run = await play({
      plans: { 1: subplan(ESSENTIALS, `@retire ${THREE}`, 'because: it is not needed') },
    });
    assert.match(sectionOf(run.shown(2), 'Requirements that no'), /nobody owns: R1/);
    assert.match(run.notices.join('\n'), /R1 lost its owner/);
    assert.equal(run.outcome, 'complete-with-gaps');
  });

  it('keeps a file that written code imports', async () => {
    const run = await play({
      plans: {
        1: subplan([ONE, TWO]),
        2: subplan([THREE], `@retire ${ONE}`, 'because: too small'),
      },
    });
    assert.ok(run.state.tree[ONE]);
    assert.match(run.notices.join('\n'), /src\/part_02\.py imports it and is no target/);
    assert.equal(run.outcome, 'complete');
  });

  it('sees keys that two files spell differently as findings, and repairs the one that is wrong', async () => {
    const reads = (key: string) =>
      `import yaml\n\n\ndef part_01(x: float) -> float:\n    with open("configs/default.yaml") as file:\n        config = yaml.safe_load(file)\n    return x + config["${key}"]`;
    const run = await play({
      files: { [`1 ${ONE}`]: reads('sead'), [`2 ${ONE}`]: reads('seed') },
    });
    assert.match(
      sectionOf(run.shown(2), 'Open findings'),
      /part_01\.py: blocking, undefined-key.*sead/,
    );
    assert.match(sectionOf(run.shown(2), 'Memory'), /reads keys: sead/);
    assert.match(run.texts.get(ONE) ?? '', /"seed"/);
    assert.equal(run.outcome, 'complete');
  });

  it('learns that a repair broke three callers, and moves them together', async () => {
    const plan = [
      ...PLAN.slice(0, 4),
      { path: ONE, needs: [] },
      ...[2, 3, 4].map((number) => ({ path: `src/part_0${number}.py`, needs: [ONE] })),
    ];
    const callers = plan.slice(5).map(({ path }) => path);
    const changed =
      '"""One part."""\n\n\ndef part_01(x: float, scale: float) -> float:\n    """Scaled."""\n    return x * scale';
    const adapted = (path: string) =>
      moduleText(path, [ONE]).replace('part_01(x)', 'part_01(x, 2.0)');
    const run = await play({
      plan,
      plans: { 2: subplan([ONE]), 3: subplan([ONE, ...callers]) },
      files: {
        [`2 ${ONE}`]: changed,
        [`3 ${ONE}`]: changed,
        ...Object.fromEntries(callers.map((path) => [`3 ${path}`, adapted(path)])),
        // Something must be open for a second round.
        '1 README.md': '# A toy',
      },
      wish: { limits: { maxTargets: 8 } },
    });
    assert.match(
      run.shown(3),
      /src\/part_01\.py was refused or undone, so that its old content stays: It brought a new fault/,
    );
    assert.match(
      sectionOf(run.shown(3), 'Files'),
      /part_01\.py: written; .*imported by src\/part_02\.py, src\/part_03\.py, src\/part_04\.py/,
    );
    assert.match(run.texts.get(ONE) ?? '', /scale/);
    for (const path of callers) assert.match(run.texts.get(path) ?? '', /part_01\(x, 2\.0\)/);
    assert.equal(run.outcome, 'complete');
  });

  it('sees a refused file as refused', async () => {
    const run = await play({
      files: { [`1 ${TWO}`]: 'def part_02(x: float) -> float:\n    pass' },
    });
    assert.match(run.shown(2), /- src\/part_02\.py: planned, never accepted; .*repairs left: 1/);
    assert.match(run.shown(2), /part_02\.py was refused, so that it is not there: /);
    assert.match(sectionOf(run.shown(2), 'Open findings'), /part_02\.py: blocking, missing/);
    assert.equal(run.outcome, 'complete');
  });

  it('cannot add files beyond the bound', async () => {
    const run = await play({
      plans: { 1: subplan([ONE], '@file src/extra.py', 'purpose: more', 'because: it is missing') },
      wish: { limits: { maxFiles: PLAN.length } },
    });
    assert.match(run.shown(1), /No file can be added\./);
    assert.match(run.notices.join('\n'), /src\/extra\.py: the plan may have 7 files at most/);
    assert.equal(run.texts.has('src/extra.py'), false);
    assert.equal(run.outcome, 'complete');
  });

  it('may add a file and have it written in the same round', async () => {
    const run = await play({
      plans: {
        1: subplan(
          [ONE, 'src/extra.py'],
          '@file src/extra.py',
          'purpose: more',
          `needs: ${ONE}`,
          'because: it is missing',
        ),
      },
      files: { 'src/extra.py': moduleText('src/extra.py', [ONE]) },
    });
    assert.match(run.asked(1, 'src/extra.py'), /def part_01/);
    assert.equal(run.state.memory['src/extra.py']?.notes.kind, 'noted');
    assert.match(run.shown(2), /- src\/extra\.py: written$/m);
    assert.equal(run.outcome, 'complete');
  });

  for (const [what, answer] of [
    ['is empty', subplan([])],
    ['cannot be read', 'I would rather not.'],
  ] as const)
    it(`is computed where the answer ${what}`, async () => {
      const run = await play({ plans: { 1: answer } });
      assert.match(run.notices.join('\n'), /the computed choice was taken/);
      assert.match(run.shown(2), /the computed choice was taken/);
      assert.equal(run.outcome, 'complete');
    });

  it('puts a file behind what it needs, whatever order was named', async () => {
    const run = await play({ plans: { 1: subplan([TWO, ONE]) } });
    assert.match(run.asked(1, TWO), /def part_01/);
    assert.match(run.notices.join('\n'), /The order was changed from src\/part_01\.py on/);
    assert.equal(run.outcome, 'complete');
  });

  it('learns that a good file was broken by its repair, which was undone', async () => {
    const run = await play({
      plans: { 1: subplan([ONE]), 2: subplan([ONE, TWO]) },
      files: {
        [`2 ${ONE}`]:
          'from src.nowhere import gone\n\n\ndef part_01(x: float) -> float:\n    return gone(x)',
      },
    });
    assert.match(run.asked(2, ONE), /Why now: because of the test/);
    assert.match(run.asked(2, ONE), /# This is a repair\nDo what this round asks/);
    assert.match(run.shown(3), /part_01\.py was refused or undone, .*It brought a new fault/);
    assert.match(run.shown(3), /part_01\.py: written; repairs left: 1/);
    assert.equal(run.texts.get(ONE)?.trimEnd(), moduleText(ONE, []));
    assert.equal(run.outcome, 'complete');
  });

  it('sees both attempts at a finding that stayed, and may mend it elsewhere', async () => {
    const wrong = (step: number) =>
      `"""Step ${step}."""\nfrom src.nowhere import gone\n\n\ndef part_02(x: float) -> float:\n    return gone(x) + ${step}`;
    const run = await play({
      plans: {
        4: subplan(
          ['src/nowhere.py'],
          '@file src/nowhere.py',
          'purpose: what part_02 needs',
          'signatures: def gone(x: float) -> float',
          'because: two repairs did not close it',
        ),
      },
      files: {
        ...Object.fromEntries([1, 2, 3].map((round) => [`${round} ${TWO}`, wrong(round)])),
        'src/nowhere.py': 'def gone(x: float) -> float:\n    return x + 1.0',
      },
    });
    const tried = sectionOf(run.shown(4), 'Repairs that were tried');
    assert.match(tried, /part_02\.py in round 2 \(kept, but the finding stayed\)[^]*\+"""Step 2/);
    assert.match(tried, /part_02\.py in round 3[^]*\+"""Step 3/);
    assert.match(run.shown(4), /- src\/part_02\.py: broken; .*no repairs left/);
    assert.match(sectionOf(run.shown(4), 'Open findings'), /the cause may be in another file/);
    assert.equal(run.outcome, 'complete');
  });

  it('has checks judged in one call that sees all files of the round', async () => {
    const check = 'check: model | it says what it is for';
    const run = await play({ plans: { 1: subplan([ONE, TWO, THREE], check) } });
    const asked = run.requests.filter(({ label }) => label.startsWith('r1/judge/'));
    assert.deepEqual(
      asked.map(({ label }) => label),
      ['r1/judge/try1'],
    );
    const text = asked[0]?.messages.at(-1)?.content ?? '';
    for (const path of [ONE, TWO, THREE]) assert.match(text, new RegExp(`^# ${path}$`, 'm'));
    assert.equal(text.split('\nChecks:\n').length, 2);
  });

  it('has checks judged in several calls where one cannot hold all files, and says what none can', async () => {
    const targets = [ONE, TWO, THREE].map((path) => `@target ${path}\ncheck: model | it is pure`);
    const plan = ['@round', 'rationale: All.', 'wrong: none', ...targets, '@done'].join('\n');
    const long = `${moduleText(TWO, [])}\n\n\nLONG = "${'long '.repeat(2_000)}"`;
    const judged: string[] = [];
    const answer = answerOf({ plans: { 1: plan }, files: { [TWO]: long } });
    const run = await writtenRun(
      PLAN,
      (request) => {
        const text = request.messages.map(({ content }) => content).join('\n');
        if (!request.label.startsWith('r1/judge/')) return answer(request);
        if (text.length > 8_000) return new ContextTooLong('The request is too long.');
        judged.push(request.label);
        const [number = ''] = /^\d+(?=\. it is pure)/m.exec(text) ?? [];
        return `@check ${number}\nverdict: met\n@done`;
      },
      { mode: 'deepplan' },
    );
    assert.deepEqual(judged, ['r1/judge/1/1/try1', 'r1/judge/2/try1']);
    assert.match(
      run.notices.join('\n'),
      /checks of round 1 on src\/part_02\.py were not decided: The request is too long\./,
    );
    assert.equal(run.outcome, 'complete');
  });

  it('sees an unmet check, and no longer once a repair meets it', async () => {
    const check = 'check: model | it says what it is for';
    const run = await play({
      plans: { 1: subplan([...ESSENTIALS, ONE, TWO, THREE], check), 2: subplan([THREE]) },
      files: { [`2 ${THREE}`]: `${moduleText(THREE, [])}\n\n\nPURPOSE = "to be tested"` },
      judge: ({ label }) =>
        label.startsWith('r1/') ? '@check 1\nverdict: unmet\nwhy: it does not.\n@done' : undefined,
    });
    assert.match(
      sectionOf(run.shown(2), 'Open findings'),
      /part_03\.py: warning, unmet-check: .*it does not\./,
    );
    const [finding] = run.state.findings.filter(({ kind }) => kind === 'unmet-check');
    assert.equal(finding?.resolvedInRound, 2);
    assert.equal(run.outcome, 'complete');
  });

  it('is made from the blueprint that a person amended', async () => {
    const model = scriptedModel((request) => answerOf({})(request) ?? dutiful(request, PLAN));
    const product = await aProduct(model);
    try {
      const record = await product.createRun({ name: 'amended', mode: 'deepplan' });
      const activities = createActivities(product.deps);
      const { store } = product.deps;
      const steps = directSteps(activities, record);
      const outcome = await reproducePaper({
        ...steps,
        async approveBlueprint(ref) {
          const drafted = await getJson(store, Blueprint, ref);
          const files = drafted.files.filter(({ path }) => path !== TWO);
          return putJson(store, { ...drafted, files });
        },
      });
      const [first] = model.requests.filter(({ label }) => label.startsWith('r1/plan'));
      assert.doesNotMatch(first?.messages.at(-1)?.content ?? TWO, /part_02/);
      assert.equal((await product.stateOf('amended')).tree[TWO], undefined);
      assert.equal(outcome, 'complete');
    } finally {
      await product.end();
    }
  });
});
