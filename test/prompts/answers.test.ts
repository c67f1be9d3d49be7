import assert from 'node:assert/strict';
import { amendBlueprint } from '../../src/prompts/amend-blueprint.ts';
import { analyseConcepts } from '../../src/prompts/analyse-concepts.ts';
import { attackBlueprint } from '../../src/prompts/attack-blueprint.ts';
import { renderBlueprint, renderValue, valueLine } from '../../src/prompts/blueprint-text.ts';
import { requirementIds } from '../../src/prompts/blueprint-records.ts';
import { draftFiles } from '../../src/prompts/draft-files.ts';
import { draftSetup } from '../../src/prompts/draft-setup.ts';
import { extractRequirements } from '../../src/prompts/extract-requirements.ts';
import type { DraftInput } from '../../src/prompts/planning-messages.ts';
import type { Prompt } from '../../src/prompts/prompt.ts';
import { remember } from '../../src/prompts/remember.ts';
import { aBlueprint, aFile, aPaper } from '../fakes/builders.ts';

const evidence = { schemaVersion: 1, markdown: '' } as const;
const setup = { ...aBlueprint(), same: [] };
const input: DraftInput = {
  paper: aPaper(),
  userRequests: [],
  figures: { ...evidence, seen: false },
  concepts: evidence,
  algorithms: evidence,
  requirements: [],
  blueprint: aBlueprint(),
  audit: [],
  passedOver: [],
};

function answerOf<Answer>(prompt: Prompt<Answer>, reply: string): Answer {
  const reading = prompt.read(reply);
  if (reading.kind === 'problems') assert.fail(reading.problems.join('\n'));
  return reading.answer;
}

function problemsOf(prompt: Prompt<unknown>, reply: string): string {
  const reading = prompt.read(reply);
  assert.equal(reading.kind, 'problems');
  return reading.problems.join('\n');
}

describe('answers', () => {
  it('read back a blueprint from the records that show it', () => {
    const blueprint = aBlueprint();
    const text = `${renderBlueprint(blueprint)}\n@done`;
    const { plan, files, experiments, configuration } = answerOf(draftFiles(input, setup), text);
    const { same, ...half } = answerOf(draftSetup(input), text);
    assert.deepEqual(same, []);
    assert.deepEqual(configuration, blueprint.configuration);
    assert.deepEqual({ ...blueprint, ...plan, files, experiments, ...half }, blueprint);
    const amended = answerOf(amendBlueprint(input, []), text);
    assert.deepEqual(amended.files, blueprint.files);
    assert.deepEqual(amended.environment, blueprint.environment);
  });

  it('are problems at every cut', () => {
    const text = `${renderBlueprint(aBlueprint())}\n@done`;
    for (let length = 0; length < text.length; length += 7)
      assert.equal(draftFiles(input, setup).read(text.slice(0, length)).kind, 'problems');
  });

  it('take amendments of single fields, owners and retirements, or none', () => {
    const prompt = amendBlueprint(input, []);
    const text =
      '@file run_tasks.py\nlines: 90\n@own R7, R9-R10 `src/a.py`\n@retire src/b.py\n@experiment E1\ncommand: `python x.py`\n@done';
    const amendments = answerOf(prompt, text);
    assert.deepEqual(amendments.files, [{ path: 'run_tasks.py', expectedLines: 90 }]);
    assert.deepEqual(
      amendments.owners.map(({ requirement, path }) => `${requirement} ${path}`),
      ['R7 src/a.py', 'R9 src/a.py', 'R10 src/a.py'],
    );
    assert.deepEqual(amendments.retired, ['src/b.py']);
    assert.deepEqual(amendments.experiments, [{ id: 'E1', command: 'python x.py' }]);
    assert.deepEqual(answerOf(prompt, 'Nothing to change.\n@done').files, []);
    const more = '@file a.py\nadd-instructions:\n  One.\n  Two.\nadd-signatures: def f()\n@done';
    assert.deepEqual(answerOf(prompt, more).files, [
      { path: 'a.py', moreInstructions: 'One.\nTwo.', moreSignatures: 'def f()' },
    ]);
  });

  it('take values that several requirements state, and those that deviate from them', () => {
    const text =
      '@value a\nvalue: 1\nrequirement: R2, R7-R8, R2\nreason: the standard deviation from tab-1\n' +
      '@value b\nvalue: 2\nrequirement: R3\nreason: departs from the paper, which diverges\n' +
      '@value c\nvalue: 3\nrequirement: R4\ndeviates: yes\nreason: too old\n' +
      '@value d\nvalue: 4\ndeviates: yes\nreason: inferred\n@environment\npython: 3.11\n@done';
    const { configuration } = answerOf(draftSetup(input), text);
    assert.deepEqual(
      configuration.map(({ requirements, deviates }) => [requirements.join(' '), deviates]),
      [
        ['R2 R7 R8', false],
        ['R3', true],
        ['R4', true],
        ['', false],
      ],
    );
  });

  it('add demands that the ledger lacks, with an owner', () => {
    const text =
      '@requirement\nkind: metric\ndemand: Accuracy is logged.\nplace: sec-1\nowner: `src/a.py`\n@done';
    const [added] = answerOf(amendBlueprint(input, []), text).requirements;
    assert.equal(added?.owner, 'src/a.py');
    assert.equal(added.found.kind, 'metric');
  });

  it('name what cannot be used', () => {
    assert.match(problemsOf(draftFiles(input, setup), '@plan\ntitle: x\n@done'), /plans no file/);
    assert.match(
      problemsOf(draftFiles(input, setup), '@file ../x.py\npurpose: p\n@done'),
      /line 1\): the path/,
    );
    assert.match(
      problemsOf(
        draftFiles(input, setup),
        '@file x.py\n@experiment E1\naxis: method = a, b\n@done',
      ),
      /axis "method = a, b" must read/,
    );
    assert.match(problemsOf(draftSetup(input), '@value a\nvalue: 1\n@done'), /no @environment/);
  });

  it('say which values a key may take, and show them to whoever reads it', () => {
    const text = '@value eval.spread\nvalue: sd\nlegal: sd, se\n@environment\npython: 3.11\n@done';
    const [value] = answerOf(draftSetup(input), text).configuration;
    assert.deepEqual(value?.legal, ['sd', 'se']);
    assert.match(renderValue(value), /^legal: sd, se$/m);
    assert.equal(valueLine(value), 'eval.spread = sd of sd, se  (inferred)');
  });

  it('name the rows of the ledger that say one demand', () => {
    const { same } = answerOf(
      draftSetup(input),
      '@same R12\nwith: R40, R77\n@same R3\n@environment\npython: 3.11\n@done',
    );
    assert.deepEqual(same, [{ stays: 'R12', goes: ['R40', 'R77'] }]);
  });

  it('take objections, and none', () => {
    const prompt = attackBlueprint(input);
    assert.deepEqual(answerOf(prompt, '@objection\nseverity: Blocking\nwhat: no seeds\n@done'), [
      { severity: 'blocking', what: 'no seeds', remedy: '' },
    ]);
    assert.deepEqual(answerOf(prompt, '@done'), []);
  });

  it('take requirements with small slips mended', () => {
    const prompt = extractRequirements(aPaper(), [], 'method');
    const text =
      '@requirement\nkind: Loss\ndemand: A penalty on $|w|_1$.\nquote: "plus $\\lambda \\lVert w \\rVert_1$"\nplace: [[sec-1]], tab-2, sec-1\nvalues: lambda=0.01; p=1\nscope: main\n' +
      '@requirement\nkind: odd\ndemand: Seeds.\nvalues: none\nscope: appendix only\n@done';
    assert.deepEqual(answerOf(prompt, text), [
      {
        kind: 'loss',
        demand: 'A penalty on $|w|_1$.',
        quote: 'plus $\\lambda \\lVert w \\rVert_1$',
        place: 'sec-1',
        otherPlaces: ['tab-2'],
        values: ['lambda=0.01', 'p=1'],
        scope: 'main',
      },
      {
        kind: 'setting',
        demand: 'Seeds.',
        quote: '',
        place: '',
        otherPlaces: [],
        values: [],
        scope: 'appendix',
      },
    ]);
    assert.match(problemsOf(prompt, '@requirement\nkind: loss\n@done'), /1 of 1/);
  });

  it('in prose are problems when empty or cut, and lose a fence around them', () => {
    const prompt = analyseConcepts(aPaper(), []);
    assert.match(problemsOf(prompt, '\n@done'), /nothing before/);
    assert.match(problemsOf(prompt, '# Problem'), /cut off/);
    assert.equal(answerOf(prompt, '```markdown\n# A\n```\n@done').markdown, '# A');
    assert.equal(answerOf(prompt, '```markdown\n# A\n@done\n```').markdown, '# A');
  });

  it('of the memory agent may be twice as long as asked, and say where they are cut', () => {
    const line = `${'word '.repeat(20).trim()}\n`;
    for (const [lines, words] of [
      [1, 60],
      [200, 120],
      [5000, 250],
    ] as const) {
      const prompt = remember(aFile(), 'x = 1\n'.repeat(lines));
      const asked = / in at most (\d+) words\.$/.exec(prompt.messages[1]?.content ?? '')?.[1];
      assert.equal(asked, `${words}`);
      const kept = line.repeat((words * 2) / 20);
      assert.equal(answerOf(prompt, `${kept}@done`).notes, kept.trim());
      const cut = answerOf(prompt, `${kept}${line}@done`).notes;
      assert.equal(cut, `${kept}(the note was longer: cut here)`);
    }
  });

  it('name requirements one by one and in ranges', () => {
    assert.deepEqual(requirementIds('R3, R7-R9; R12–14, SR5'), [
      'R3',
      'R7',
      'R8',
      'R9',
      'R12',
      'R13',
      'R14',
    ]);
  });
});
