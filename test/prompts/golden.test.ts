import assert from 'node:assert/strict';
import { EMPTY_DESK, type Desk } from '../../src/domain/desk.ts';
import { buildFileContext, type FileContext } from '../../src/domain/file-context.ts';
import { amendBlueprint } from '../../src/prompts/amend-blueprint.ts';
import { analyseAlgorithms } from '../../src/prompts/analyse-algorithms.ts';
import { analyseConcepts } from '../../src/prompts/analyse-concepts.ts';
import { analyseFigures } from '../../src/prompts/analyse-figures.ts';
import { askAgain } from '../../src/prompts/ask-again.ts';
import { attackBlueprint } from '../../src/prompts/attack-blueprint.ts';
import { continueWrite } from '../../src/prompts/continue-write.ts';
import { draftFiles } from '../../src/prompts/draft-files.ts';
import { draftSetup } from '../../src/prompts/draft-setup.ts';
import { extractRequirements, LENSES } from '../../src/prompts/extract-requirements.ts';
import type { DraftInput } from '../../src/prompts/planning-messages.ts';
import { judgeRound } from '../../src/prompts/judge-round.ts';
import { planRound } from '../../src/prompts/plan-round.ts';
import type { Prompt } from '../../src/prompts/prompt.ts';
import { remember } from '../../src/prompts/remember.ts';
import { verifyRequirements } from '../../src/prompts/verify-requirements.ts';
import { closingWords, resultMessages, type Closing } from '../../src/prompts/turn-messages.ts';
import { writeAgain } from '../../src/prompts/write-again.ts';
import { writeFile } from '../../src/prompts/write-file.ts';
import { writeWithTools } from '../../src/prompts/write-with-tools.ts';
import { writePart } from '../../src/prompts/write-parts.ts';
import { aBlueprint, aFile, aFinding, aPaper, aValue, someParts } from '../fakes/builders.ts';
import { aSubplanContext } from '../fakes/a-subplan-context.ts';
import { refTo } from '../fakes/states.ts';
import { assertGolden } from './golden.ts';

const requests = ['Use PyTorch.'];

function planningInput(): DraftInput {
  const blueprint = aBlueprint();
  return {
    paper: aPaper(),
    userRequests: requests,
    figures: { schemaVersion: 1, markdown: 'fig-1: gated, plain.', seen: false },
    concepts: { schemaVersion: 1, markdown: 'E1: two tasks.' },
    algorithms: { schemaVersion: 1, markdown: 'eq-1: a sum.' },
    requirements: blueprint.requirements,
    blueprint,
    audit: ['R9 has no file that owns it.'],
    passedOver: ['sec-1 Method', 'fig-1 Validation error'],
  };
}

function contextOf(changes: Parameters<typeof someParts>[0] = {}): FileContext {
  const context = buildFileContext(someParts(changes));
  assert.ok(context);
  return context;
}

type Asked = Pick<Prompt<unknown>, 'schemaId' | 'messages'>;

function allPrompts(): [string, Asked][] {
  const input = planningInput();
  return [
    ['analyse-figures', analyseFigures(aPaper(), requests)],
    ['analyse-concepts', analyseConcepts(aPaper(), requests)],
    ['analyse-algorithms', analyseAlgorithms(aPaper(), requests)],
    ...LENSES.map((lens): [string, Asked] => [
      `extract-requirements-${lens}`,
      extractRequirements(aPaper(), requests, lens),
    ]),
    ['draft-files', draftFiles(input, { ...aBlueprint(), same: [{ stays: 'R1', goes: ['R2'] }] })],
    ['draft-setup', draftSetup(input)],
    ['attack-blueprint', attackBlueprint(input)],
    [
      'amend-blueprint',
      amendBlueprint(input, [{ severity: 'blocking', what: 'No seeds.', remedy: 'Add them.' }]),
    ],
    ['write-file', writeFile(contextOf())],
    [
      'write-file-repair',
      writeFile(
        contextOf({
          texts: new Map([...someParts().texts, ['run_tasks.py', 'main = build_sum\n']]),
          findings: [aFinding({ triedInRounds: [2] })],
          lastAttempt: 'main = None\n',
          lastReasons: ['It lost `main`, which its planned signatures name.'],
        }),
      ),
    ],
    ['plan-round', planRound(aSubplanContext())],
    [
      'judge-round',
      judgeRound([
        {
          path: 'run_tasks.py',
          text: 'def main(): ...\n',
          requirements: aBlueprint().requirements.slice(3),
          checks: [{ number: 1, text: 'The error is logged every 50 steps.' }],
        },
      ]),
    ],
    [
      'verify-requirements',
      verifyRequirements({
        paper: aPaper(),
        userRequests: requests,
        isPaperShown: true,
        spans: [],
        files: [
          { path: 'src/gated_sum.py', text: 'class GatedSum: ...\n' },
          { path: 'run_tasks.py', text: 'def main(): ...\n' },
        ],
        others: ['README.md'],
        unwritten: [aFile({ path: 'make_tables.py', purpose: 'Tables of E1' })],
        commands: ['E1: python run_tasks.py --method {method} --task {task}'],
        requirements: aBlueprint().requirements.map((requirement, index) => ({
          requirement,
          deviations:
            requirement.id === 'R2'
              ? [aValue({ key: 'train.lr', value: '1e-3', requirements: ['R2'], deviates: true })]
              : [],
          earlier: index === 3 ? 'What main calls was not shown.' : '',
        })),
        checks: [{ number: 1, path: 'run_tasks.py', text: 'The error is logged every 50 steps.' }],
      }),
    ],
    [
      'write-file-assigned',
      writeFile(
        contextOf({
          texts: new Map([...someParts().texts, ['run_tasks.py', 'main = build_sum\n']]),
          assignment: {
            reason: 'It calls what is not there.',
            instructions: 'Call GatedSum.',
            integrationNotes: 'SUMS holds gated and plain.',
            checks: [{ text: 'main takes argv.', decidedBy: 'static' }],
          },
        }),
      ),
    ],
    ['write-with-tools', writeWithTools(contextOf())],
    ['remember', remember(aFile(), 'def run(x):\n    return x\n')],
  ];
}

describe('golden prompts', () => {
  for (const [name, prompt] of allPrompts()) {
    it(`asks ${name} as its golden file says`, () => {
      assertGolden(name, prompt.messages);
    });
  }

  it('asks again as its golden files say', () => {
    assertGolden('write-again', [writeAgain('run_tasks.py', ['It does not parse: line 3.'])]);
    const text = 'import math\n\n\ndef run(x):\n    return math.exp(x)\n';
    assertGolden('continue-write', continueWrite('run_tasks.py', text, ['It was cut.']));
    assertGolden('write-part', [
      ...writePart('run_tasks.py', { text, rest: null }, []),
      ...writePart('run_tasks.py', { text, rest: ['def main', 'the end'] }, ['It was cut.']),
    ]);
    assertGolden('ask-again', [askAgain(['It does not end with the line @done.'])]);
  });

  it('closes a turn of an executor with tools as its golden file says', () => {
    const desk = { ...EMPTY_DESK, file: refTo('x'), reasons: ['It does not parse: line 3.'] };
    const results = [
      { action: { callId: null, said: '@read src/gated_sum.py 3' }, result: 'Lines 3 to 3.' },
      { action: { callId: null, said: '@check' }, result: 'Nothing is found wrong with it.' },
    ];
    const wishes: [Desk, Closing][] = [
      [EMPTY_DESK, { remarks: [], isNews: false, left: 11 }],
      [desk, { remarks: ['It calls nothing.'], isNews: true, left: 1 }],
      [desk, { remarks: [], isNews: false, left: 5 }],
      [
        { ...desk, reasons: [] },
        { remarks: ['It calls nothing.'], isNews: true, left: 5 },
      ],
      [
        { ...desk, reasons: [] },
        { remarks: [], isNews: false, left: 5 },
      ],
    ];
    assertGolden(
      'turn-results',
      wishes.flatMap(([on, closing]) =>
        resultMessages(results, closingWords('run_tasks.py', on, closing)),
      ),
    );
  });

  it('begins every call that sees the paper with the same bytes', () => {
    const openings = allPrompts()
      .filter(([name]) => !['remember', 'judge-round'].includes(name))
      .map(([, { messages }]) => JSON.stringify(messages.slice(0, 2)));
    assert.equal(new Set(openings).size, 1);
  });

  it('begins every call of the planner with the same three messages', () => {
    const openings = allPrompts()
      .filter(([name]) => /blueprint|draft/.test(name))
      .map(([, { messages }]) => JSON.stringify(messages.slice(0, 3)));
    assert.equal(openings.length, 4);
    assert.equal(new Set(openings).size, 1);
  });

  it('shows supplements before the paper, and no references', () => {
    const paper = analyseFigures(aPaper(), []).messages[1]?.content ?? '';
    assert.ok(paper.indexOf('# Supplement 1') < paper.indexOf('# Paper'));
    assert.match(paper, /\$\$ y =/);
    assert.match(paper, /## Appendix\n\nOn Sorting/);
    assert.doesNotMatch(paper, /Nobody|sec-3/);
  });

  it('has a schema id of its own for each kind of answer', () => {
    const ids = allPrompts().map(([, { schemaId }]) => schemaId);
    // Three lenses ask alike, and three kinds of writing.
    assert.equal(new Set(ids).size, allPrompts().length - (LENSES.length - 1) - 2);
    for (const id of ids) assert.match(id, /^[a-z-]+\/\d+$/);
  });
});
