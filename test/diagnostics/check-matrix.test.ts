import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Experiment } from '../../src/domain/experiment.ts';
import type { Problem } from '../../src/domain/finding.ts';
import { SETTINGS_STYLES } from './settings-styles.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();
const FLAGS: Texts = SETTINGS_STYLES['flags alone'];

const EXPERIMENT: Experiment = {
  id: 'E1',
  title: 'Comparison',
  question: 'Is ours better?',
  axes: [
    { name: 'method', values: ['ours', 'no-gate'] },
    { name: 'dataset', values: ['MNIST', 'cifar10'] },
    { name: 'seed', values: ['0', '1'] },
  ],
  measures: [
    {
      name: 'validation error',
      when: 'each epoch',
      unit: '',
      file: 'results/{dataset}/{method}.csv',
    },
  ],
  command: 'python train.py --method {method} --dataset {dataset} --seed {seed}',
};

function check(
  changes: Partial<Experiment>,
  edit: (text: string) => string = (text) => text,
  planned: readonly string[] = [],
  added: Texts = {},
): Problem[] {
  const texts: Texts = { ...FLAGS, 'train.py': edit(FLAGS['train.py'] ?? ''), ...added };
  const files = Object.entries(texts).map(
    ([path, text]) => [path, parser.parse(path, text)] as const,
  );
  const problems = checkTree({
    files: new Map(files),
    planned,
    experiments: [{ ...EXPERIMENT, ...changes }],
  });
  // The flags of these commands are another check's concern.
  return problems.filter(({ kind }) => kind !== 'undefined-flag');
}

const told = (problems: readonly Problem[]): string[] =>
  problems.map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);

describe('the experiment matrix', () => {
  it('is carried out by code that knows its names, in the spellings that it accepts', () => {
    assert.deepEqual(check({}), []);
  });

  it('lacks a method that the registry does not hold', () => {
    const problems = check({}, (text) => text.replace('"no-gate": no_gate', '"nogate": no_gate'));
    assert.deepEqual(told(problems), ['unoffered-name train.py method: no-gate']);
    assert.equal(
      problems[0]?.message,
      'Experiment E1 runs method `no-gate`, but `METHODS` in train.py (line 11) offers only `ours`, `nogate`.',
    );
    assert.match(problems[0]?.remedy ?? '', /^Offer `no-gate` in `METHODS`.*if `nogate` is meant/);
  });

  it('lacks a dataset that a comparison excludes', () => {
    const problems = check({}, (text) => text.replace('"cifar10")', '"cifar100")'));
    assert.deepEqual(told(problems), ['unoffered-name train.py dataset: cifar10']);
  });

  it('lacks what the flag does not accept, whatever else the code knows', () => {
    const problems = check({}, (text) =>
      text.replace('choices=sorted(METHODS)', 'choices=["ours"]'),
    );
    assert.deepEqual(told(problems), ['unoffered-name train.py method: no-gate']);
  });

  it('says nothing of values that no place chooses between', () => {
    const axes = [{ name: 'model', values: ['gpt2-medium', 'org/model', '7b', 'off'] }];
    assert.deepEqual(check({ axes, command: 'python train.py --model {model}' }), []);
    assert.deepEqual(
      check({ axes: [{ name: 'method', values: ['ours', 'gone'] }], command: 'python train.py' }),
      [],
    );
  });

  it('is not judged while code is planned', () => {
    const axes = [{ name: 'method', values: ['ours', 'gone'] }];
    assert.equal(check({ axes }).length, 1);
    assert.deepEqual(
      check({ axes }, (text) => text, ['more.py']),
      [],
    );
  });
});

describe('a measure', () => {
  it('is written when a program makes its file and something in it has its name', () => {
    const files = ['results/{dataset}/{method}.csv', 'results/mnist/ours.csv', ''];
    for (const file of files)
      assert.deepEqual(
        check({ measures: [{ name: 'validation error (best)', when: '', unit: '', file }] }),
        [],
      );
  });

  it('is a warning when nothing is named like it, or nothing makes its file', () => {
    const measures = [
      { name: 'peak memory', when: 'at the end', unit: '', file: 'results/{method}.csv' },
      { name: 'val_error', when: '', unit: '', file: 'summary.json' },
    ];
    const problems = check({ measures });
    assert.deepEqual(told(problems), [
      'unwritten-measure train.py E1: peak memory',
      'unwritten-measure train.py E1: val_error',
    ]);
    assert.match(problems[0]?.message ?? '', /nothing that is written is named like it/);
    assert.match(problems[1]?.message ?? '', /no program that can be started writes summary.json/);
  });

  it('is not named by a variable, a sentence or a flag', () => {
    const measures = [{ name: 'val_error', when: '', unit: '', file: 'results/{method}.csv' }];
    const forget = (text: string): string =>
      text
        .replace('"epoch": epoch, "val_error": ', '"epoch": ')
        .replace(', "val_error"]', ']')
        .replace('rows = []', '"""Looks at the error on other data."""\n    error = rows = []');
    assert.deepEqual(told(check({ measures }, forget)), [
      'unwritten-measure train.py E1: val_error',
    ]);
  });

  it('may be written by the shell', () => {
    const measures = [{ name: 'val_error', when: '', unit: '', file: 'logs/{method}.log' }];
    const same = (text: string): string => text;
    assert.equal(check({ measures }).length, 1);
    const texts = { 'run.sh': 'python train.py --method ours | tee "logs/$method.log"\n' };
    assert.deepEqual(check({ measures }, same, [], texts), []);
  });

  it('is not written by a program that nothing starts', () => {
    const measures = [{ name: 'epoch', when: '', unit: '', file: 'late.json' }];
    const writer =
      'import json\n\ndef save(rows):\n    json.dump({"epoch": rows}, open("late.json", "w"))\n';
    const texts: Texts = { ...FLAGS, 'late.py': writer };
    const tree = (all: Texts): Problem[] =>
      checkTree({
        files: new Map(Object.entries(all).map(([path, text]) => [path, parser.parse(path, text)])),
        planned: [],
        experiments: [{ ...EXPERIMENT, measures }],
      }).filter(({ kind }) => kind !== 'undefined-flag');
    assert.deepEqual(told(tree(texts)), ['unwritten-measure train.py E1: epoch']);
    assert.deepEqual(
      tree({ ...texts, 'train.py': `from late import save\n${FLAGS['train.py'] ?? ''}` }),
      [],
    );
  });
});
