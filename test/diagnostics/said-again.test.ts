import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import { type Ledger, NO_LEDGER } from '../../src/diagnostics/ledger.ts';
import { aValue } from '../fakes/builders.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

const KINDS =
  /^(hard-coded|changed-value|same-split|undefined-key|unused-key|unresolved-name|crossed-name)$/;

/** What is said of a tree whose plan has these values. */
function check(texts: Texts, values: Readonly<Record<string, string>> = {}): string[] {
  const files = Object.entries(texts).map(
    ([path, text]) => [path, parser.parse(path, text)] as const,
  );
  for (const [path, { problems }] of files) assert.deepEqual(problems, [], path);
  const configuration = Object.entries(values).map(([key, value]) => aValue({ key, value }));
  const ledger: Ledger = {
    ...NO_LEDGER,
    files: Object.keys(texts).map((path) => ({ path, owns: [] })),
    configuration,
  };
  return checkTree({ files: new Map(files), planned: [], ledger })
    .filter(({ kind }) => KINDS.test(kind))
    .map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);
}

const CONFIG = 'train:\n  epochs: 40\n  lr: 0.01\n';

/** A runner whose one line about epochs is this. */
function runner(line: string): Texts {
  return {
    'config.yaml': CONFIG,
    'run.py': `import argparse\nfrom dataclasses import replace\nimport yaml\n\nparser = argparse.ArgumentParser()\nparser.add_argument("--smoke", action="store_true")\nargs = parser.parse_args()\nwith open("config.yaml") as handle:\n    cfg = yaml.safe_load(handle)\nepochs = cfg["train"]["epochs"]\n${line}\nprint(epochs, cfg["train"]["lr"], replace)\n`,
  };
}

const PLAN = { 'train.epochs': '40', 'train.lr': '0.01' };

describe('numbers that are put in the place of settings', () => {
  const found: readonly [string, string][] = [
    ['a bound that cuts the value of the plan off', 'epochs = min(cfg["train"]["epochs"], 10)'],
    ['a bound from below', 'epochs = max(100, int(epochs))'],
    ['a bound in all but smoke runs', 'epochs = 1 if args.smoke else min(epochs, 10)'],
    ['an entry beside all others', 'settings = {**cfg["train"], "epochs": 5}'],
    ['a copy with another value', 'settings = replace(args, epochs=5); print(args.smoke)'],
  ];
  for (const [what, line] of found)
    it(`are found: ${what}`, () => {
      assert.deepEqual(check(runner(line), PLAN), ['changed-value run.py epochs']);
    });

  const fine: readonly [string, string][] = [
    ['a bound above the value', 'epochs = min(epochs, 100)'],
    ['a bound in smoke runs', 'epochs = min(epochs, 2) if args.smoke else epochs'],
    ['a bound that an option asks for', 'if args.smoke:\n    epochs = min(epochs, 2)'],
    ['a bound of something else', 'workers = min(args.smoke, 4)'],
    ['a bound of what a setting is turned into', 'every = min(epochs, 10)'],
    ['the same value again', 'settings = {**cfg["train"], "epochs": 40}'],
    ['a table of variants', 'variants = {"short": {**cfg["train"], "epochs": 5}}'],
  ];
  for (const [what, line] of fine)
    it(`are none: ${what}`, () => {
      assert.deepEqual(check(runner(line), PLAN), []);
    });
});

describe('numbers of the plan that code says again', () => {
  const options = 'DEFAULTS = {"mix": 0.8}\n';
  const mixer = (formula: string): Texts => ({
    'options.py': options,
    'mix.py': `from options import DEFAULTS\n\nclass Mixer:\n    wants = ("mix",)\n\n    def __init__(self, given=DEFAULTS):\n        for name in self.wants:\n            setattr(self, name, given[name])\n\n    def __call__(self, a, b):\n        return ${formula}\n\nif __name__ == "__main__":\n    print(Mixer()(1, 2))\n`,
  });

  it('are found in a formula whose setting nothing reads', () => {
    assert.deepEqual(check(mixer('0.8 * a + 0.2 * b'), { mix: '0.8' }), [
      'hard-coded mix.py Mixer.__call__: mix',
    ]);
  });

  it('are none in a formula beside a setting that is read', () => {
    assert.deepEqual(check(mixer('self.mix * a + 0.8 * b'), { mix: '0.8' }), []);
  });

  const warm = (line: string): Texts => ({
    'run.py': `import argparse\n\ndef factor(epoch, args):\n    ${line}\n    return min(1.0, epoch / warmup)\n\nif __name__ == "__main__":\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--warmup_epochs", type=int, default=15)\n    args = parser.parse_args()\n    print(factor(1, args), args.warmup_epochs)\n`,
  });

  it('are found in a variable that is called like the setting without its unit', () => {
    assert.deepEqual(check(warm('warmup = 15'), { warmup_epochs: '15' }), [
      'hard-coded run.py factor: warmup',
    ]);
    assert.deepEqual(check(warm('warmup = args.warmup_epochs'), { warmup_epochs: '15' }), []);
  });

  const constant = (use: string): Texts => ({
    'config.yaml': 'window:\n  history: 168\n',
    'run.py': `import yaml\n\nHISTORY = 168\n\ndef windows(values, history):\n    return values[:history]\n\ndef load():\n    with open("config.yaml") as handle:\n        return yaml.safe_load(handle)\n\ndef main():\n    cfg = load()\n    print(windows([1], ${use}), cfg["window"]["history"])\n\nif __name__ == "__main__":\n    main()\n`,
  });

  it('are found in a constant that stands beside a settings file, unless it is a default', () => {
    const plan = { 'window.history': '168' };
    assert.deepEqual(check(constant('HISTORY'), plan), ['hard-coded run.py HISTORY']);
    assert.deepEqual(check(constant('cfg["window"].get("history", HISTORY)'), plan), []);
  });
});

describe('keys of settings that cannot be followed', () => {
  const wrapped = (read: string): Texts => ({
    'conf/base.yaml': 'train:\n  lr: 0.1\n  steps: 10\n',
    'config.py':
      'import pathlib\nimport yaml\n\nclass Config(dict):\n    def __getattr__(self, name):\n        return self[name]\n\ndef wrap(value):\n    if isinstance(value, dict):\n        return Config({key: wrap(inner) for key, inner in value.items()})\n    return value\n\ndef load(names):\n    values = {}\n    for name in names:\n        values.update(yaml.safe_load(pathlib.Path("conf", name).read_text()))\n    return wrap(values)\n',
    'run.py': `import sys\nfrom config import load\n\ndef main(cfg):\n    print(cfg.train.lr, cfg.train.steps)\n    ${read}\n\nif __name__ == "__main__":\n    main(load(sys.argv[1:]))\n`,
  });

  it('are found missing where their section is known and nothing is called so', () => {
    assert.deepEqual(check(wrapped('print(cfg.train.patience)')), [
      'undefined-key run.py main: train.patience',
    ]);
  });

  const fine = [
    'print(cfg.train.get("patience"))',
    'cfg.train.patience = 3; print(cfg.train.patience)',
    'print(cfg.train.patience if "patience" in cfg.train else 0)',
    'print(cfg.model.patience)',
    'print(cfg.train.lr.real)',
  ];
  for (const read of fine)
    it(`are not held against ${read}`, () => {
      assert.deepEqual(check(wrapped(read)), []);
    });
});

describe('sections that a function gives by their names', () => {
  const sections = (read: string): Texts => ({
    'settings.yaml': 'probe:\n  penalty: 1.5\ncodes:\n  size: 16\n',
    'common.py':
      'import pathlib\nimport yaml\n\ndef settings(section):\n    return yaml.safe_load(pathlib.Path("settings.yaml").read_text())[section]\n',
    'run.py': `from common import settings\n\nif __name__ == "__main__":\n    print(settings("codes")["size"])\n    print(${read})\n`,
  });

  it('are followed to the keys that are read', () => {
    assert.deepEqual(check(sections('settings("probe")["penalty"]')), []);
    assert.deepEqual(check(sections('settings("probe")["decay"]')), [
      'undefined-key run.py probe.decay',
      'unused-key settings.yaml probe.penalty',
    ]);
    assert.deepEqual(check(sections('1.0')), ['unused-key settings.yaml probe']);
  });

  it('may be any where the name is computed', () => {
    assert.deepEqual(check(sections('[settings(name) for name in ("probe", "codes")]')), []);
  });
});

describe('keys that are put together from a name and an ending', () => {
  const table = (call: string, written = 'f"{name}_mean"'): Texts => ({
    'rows.py': `def row(values):\n    return {${written}: sum(values[name]) for name in values}\n\ndef cell(row, name):\n    return row[f"{name}_mean"]\n`,
    'run.py': `from rows import cell, row\n\nif __name__ == "__main__":\n    summary = row({"loss": [1, 2]})\n    print(${call})\n`,
  });

  it('are found where the caller adds the ending that the callee adds', () => {
    assert.deepEqual(check(table('cell(summary, "loss_mean")')), [
      'undefined-key run.py loss_mean',
    ]);
    assert.deepEqual(check(table('[cell(summary, f"{name}_mean") for name in ("loss",)]')), [
      'undefined-key run.py {}_mean',
    ]);
    assert.deepEqual(check(table('cell(summary, "loss")')), []);
  });

  it('are found where another ending is written', () => {
    assert.deepEqual(check(table('cell(summary, "loss")', 'f"{name}_avg"')), [
      'undefined-key rows.py cell: {}_mean',
    ]);
  });
});

describe('parts of the data that hold other parts', () => {
  const masks = (line: string): Texts => ({
    'run.py': `import numpy as np\n\ndef masks(order):\n    train = np.zeros(9, dtype=bool)\n    val, test = np.zeros_like(train), np.zeros_like(train)\n    train[order[:3]] = True\n    val[order[3:6]] = True\n    ${line}\n    return train, val, test\n\nif __name__ == "__main__":\n    print(masks(np.arange(9)))\n`,
  });

  it('are found in a mask that is all but another held-out part', () => {
    assert.deepEqual(check(masks('test[~val] = True')), ['same-split run.py masks: test']);
    assert.deepEqual(check(masks('test[~(val | train)] = True')), []);
  });

  const probe = (x: string, y: string): Texts => ({
    'run.py': `import numpy as np\n\ndef run(probe, train_x, test_x, train_y, test_y, val_x, val_y):\n    x = ${x}\n    y = ${y}\n    probe.fit(x, y)\n    return probe.score(test_x, test_y)\n\nif __name__ == "__main__":\n    print(run)\n`,
  });

  it('are found in what is fitted to training and test data together', () => {
    const joined = probe('np.concatenate([train_x, test_x])', 'np.concatenate([train_y, test_y])');
    assert.deepEqual(check(joined), ['same-split run.py run: probe']);
    const refit = probe('np.concatenate([train_x, val_x])', 'np.concatenate([train_y, val_y])');
    assert.deepEqual(check(refit), []);
  });
});
