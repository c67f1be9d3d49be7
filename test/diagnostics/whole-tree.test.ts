import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import { type Ledger, NO_LEDGER } from '../../src/diagnostics/ledger.ts';
import type { Experiment } from '../../src/domain/experiment.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

const KINDS =
  /^(hard-coded|changed-value|crossed-name|unreached|same-split|ignored-input|silent-fallback|unused-key)$/;

interface Plan {
  readonly ledger?: Ledger;
  readonly experiments?: readonly Experiment[];
}

function check(texts: Texts, plan: Plan = {}): string[] {
  const files = Object.entries(texts).map(
    ([path, text]) => [path, parser.parse(path, text)] as const,
  );
  for (const [path, { problems }] of files) assert.deepEqual(problems, [], path);
  const { ledger = NO_LEDGER, experiments = [] } = plan;
  return checkTree({ files: new Map(files), planned: [], ledger, experiments })
    .filter(({ kind }) => KINDS.test(kind))
    .map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);
}

const RUN = 'from net import fit\n\nif __name__ == "__main__":\n    fit(3, 0.1)\n';

describe('inputs that never reach a use', () => {
  const found: readonly [string, Texts, string][] = [
    [
      'a parameter that is handed on and then not used',
      {
        'run.py': RUN,
        'net.py':
          'from steps import step\n\ndef fit(width, rate):\n    return width * step(width, rate)\n',
        'steps.py': 'def step(width, rate):\n    return width + 1\n',
      },
      'ignored-input steps.py step: rate',
    ],
    [
      'a parameter that a method never reads',
      {
        'run.py': 'from net import Net\n\nprint(Net(3).loss(1, 2))\n',
        'net.py':
          'class Net:\n    def __init__(self, width):\n        self.width = width\n\n    def loss(self, x, weight):\n        return self.width * x\n',
      },
      'ignored-input net.py Net.loss: weight',
    ],
    [
      'a parameter that is stored and read in no file',
      {
        'run.py': 'from net import Net\n\nprint(Net(3, 0.5).width)\n',
        'net.py':
          'class Net:\n    def __init__(self, width, dropout):\n        self.width = width\n        self.dropout = dropout\n',
      },
      'ignored-input net.py Net.__init__: dropout',
    ],
    [
      'a parameter that only goes around in a recursion',
      {
        'run.py': RUN,
        'net.py':
          'def fit(depth, rate):\n    if depth == 0:\n        return 1\n    return fit(depth - 1, rate)\n',
      },
      'ignored-input net.py fit: rate',
    ],
    [
      'a flag whose name is an attribute of a module',
      {
        'run.py':
          'import argparse\nimport numpy as np\nfrom net import fit\n\ndef parse():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--seed", type=int)\n    parser.add_argument("--rate", type=float)\n    return parser.parse_args()\n\nif __name__ == "__main__":\n    np.random.seed(0)\n    args = parse()\n    fit(args.rate, 2 ** 3)\n',
        'net.py': 'def fit(rate, width):\n    return rate * width\n',
      },
      'unused-key run.py --seed',
    ],
    [
      'an option of click that the command does not read',
      {
        'run.py':
          'import click\n\n@click.command()\n@click.option("--rate", type=float)\n@click.option("--batch-size", default=3)\ndef main(rate, batch_size):\n    print(rate)\n\nif __name__ == "__main__":\n    main()\n',
      },
      'ignored-input run.py main: batch_size',
    ],
  ];
  for (const [what, texts, finding] of found)
    it(`finds ${what}`, () => assert.deepEqual(check(texts), [finding]));

  const sound: readonly [string, Texts][] = [
    [
      'a method that another class has too',
      {
        'net.py':
          'class A:\n    def loss(self, x, weight):\n        return x\n\nclass B:\n    def loss(self, x, weight):\n        return x * weight\n',
      },
    ],
    [
      'an attribute that another file reads',
      {
        'run.py': 'from net import Net\n\nprint(Net(3).width)\n',
        'net.py': 'class Net:\n    def __init__(self, width):\n        self.width = width\n',
      },
    ],
    [
      'an attribute of a class whose attributes are read all at once',
      {
        'net.py':
          'class Net:\n    def __init__(self, width):\n        self.width = width\n\n    def all(self):\n        return dict(self.__dict__)\n',
      },
    ],
    [
      'a method that is handed on',
      {
        'run.py': 'from net import Net\n\nsorted([1], key=Net().loss)\n',
        'net.py': 'class Net:\n    def loss(self, x, weight=1):\n        return x\n',
      },
    ],
    [
      'a parameter that reaches its use two files on',
      {
        'run.py': RUN,
        'net.py': 'from steps import step\n\ndef fit(width, rate):\n    return step(rate, width)\n',
        'steps.py': 'def step(rate, width):\n    return rate * width\n',
      },
    ],
    [
      'a parameter that is handed to what is not of the repository',
      {
        'run.py': RUN,
        'net.py': 'import other\n\ndef fit(width, rate):\n    return other.go(width, rate)\n',
      },
    ],
    [
      'flags that are taken all at once',
      {
        'run.py':
          'import argparse\n\ndef parse():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--seed", type=int)\n    return parser.parse_args()\n\nif __name__ == "__main__":\n    print(vars(parse()))\n',
      },
    ],
  ];
  for (const [what, texts] of sound)
    it(`says nothing of ${what}`, () => assert.deepEqual(check(texts), []));
});

const LOAD =
  'import yaml\n\ndef load_config(path="config.yaml"):\n    with open(path) as handle:\n        return yaml.safe_load(handle)\n';

function ledger(value = '0.0003', changes: Partial<Ledger> = {}): Ledger {
  return {
    files: [
      { path: 'net.py', owns: ['R1'] },
      { path: 'run.py', owns: [] },
    ],
    requirements: [
      { id: 'R1', demand: 'Train with Adam.', quote: '', values: [`learning rate = ${value}`] },
    ],
    configuration: [{ key: 'train.lr', value, requirements: ['R1'], reason: '', deviates: false }],
    ...changes,
  };
}

function settings(yaml: string, use: string): Texts {
  return {
    'config.yaml': yaml,
    'loading.py': LOAD,
    'net.py': use,
    'run.py':
      'from loading import load_config\nfrom net import fit\n\nif __name__ == "__main__":\n    fit(load_config())\n',
  };
}

describe('values that are promised', () => {
  const found: readonly [string, Texts, string][] = [
    [
      'a literal in place of a setting that nothing reads',
      settings(
        'train:\n  lr: 3e-4\n  epochs: 30\n',
        'def step(weights, lr):\n    return weights * lr\n\ndef fit(cfg):\n    return step(cfg["train"]["epochs"], lr=3e-4)\n',
      ),
      'hard-coded net.py fit: lr',
    ],
    [
      'another literal passed in its place',
      settings(
        'train:\n  lr: 3e-4\n  epochs: 30\n',
        'def step(weights, lr):\n    return weights * lr\n\ndef fit(cfg):\n    return step(cfg["train"]["epochs"], lr=0.01)\n',
      ),
      'changed-value net.py fit: lr',
    ],
    [
      'a settings file with another value than the paper',
      settings('train:\n  lr: 1e-3\n', 'def fit(cfg):\n    return cfg["train"]["lr"] * 2\n'),
      'changed-value config.yaml train.lr',
    ],
    [
      'a value that is replaced after it was read',
      settings(
        'train:\n  lr: 3e-4\n',
        'def fit(cfg):\n    lr = cfg["train"]["lr"]\n    lr = 0.01\n    return lr * 2\n',
      ),
      'changed-value net.py fit: lr',
    ],
    [
      'a setting that code sets itself',
      settings(
        'train:\n  lr: 3e-4\n',
        'def fit(cfg):\n    cfg["train"]["lr"] = 0.01\n    return cfg["train"]["lr"] * 2\n',
      ),
      'changed-value net.py fit: lr',
    ],
    [
      'a number of the plan that is nowhere',
      { 'net.py': 'def fit(cfg):\n    return cfg * 2\n' },
      'changed-value net.py train.lr',
    ],
  ];
  for (const [what, texts, finding] of found)
    it(`finds ${what}`, () => assert.deepEqual(check(texts, { ledger: ledger() }), [finding]));

  const sound: readonly [string, Texts, Ledger?][] = [
    [
      'a setting that is read, beside a default of its name',
      settings(
        'train:\n  lr: 3e-4\n',
        'def step(x, lr=3e-4):\n    return x * lr\n\ndef fit(cfg):\n    return step(2, lr=cfg["train"]["lr"])\n',
      ),
    ],
    [
      'a setting that is read by its dotted key, beside a default of its name',
      settings(
        'train:\n  lr: 3e-4\n',
        'def step(x, lr=3e-4):\n    return x * lr\n\ndef fit(cfg):\n    return step(2, lr=cfg.take("train.lr"))\n',
      ),
    ],
    [
      'a section that is handed on whole',
      settings(
        'train:\n  lr: 3e-4\n',
        'def step(lr=3e-4):\n    return 2 * lr\n\ndef fit(cfg):\n    return step(**cfg["train"])\n',
      ),
    ],
    [
      'a value that is replaced for a smoke run',
      settings(
        'train:\n  lr: 3e-4\n',
        'def fit(cfg, smoke=False):\n    lr = cfg["train"]["lr"]\n    if smoke:\n        lr = 0.01\n    return lr * 2\n',
      ),
    ],
    [
      'a variant beside the settings of the paper',
      {
        ...settings('train:\n  lr: 3e-4\n', 'def fit(cfg):\n    return cfg["train"]["lr"] * 2\n'),
        'config_large.yaml': 'train:\n  lr: 1e-3\n',
      },
    ],
    [
      'a value from which the plan knowingly departs',
      settings('train:\n  lr: 1e-3\n', 'def fit(cfg):\n    return cfg["train"]["lr"] * 2\n'),
      ledger('0.0003', {
        configuration: [
          { key: 'train.lr', value: '0.002', requirements: ['R1'], reason: 'x', deviates: true },
        ],
      }),
    ],
    ['a number under another name', { 'net.py': 'def fit(cfg):\n    return cfg * 0.0003\n' }],
    [
      'a name with a number that is computed',
      { 'net.py': 'def fit(cfg):\n    learning_rate = cfg / 7\n    return learning_rate\n' },
    ],
  ];
  for (const [what, texts, promised = ledger()] of sound)
    it(`says nothing of ${what}`, () => assert.deepEqual(check(texts, { ledger: promised }), []));
});

const CELLS: readonly Experiment[] = [
  {
    ...{ id: 'E1', title: 'A comparison', question: '' },
    axes: [{ name: 'method', values: ['ours', 'ppo', 'sac'] }],
    measures: [],
    command: 'python run.py --method {method}',
  },
];

function registry(table: string): Texts {
  return {
    'run.py': `from net import Ppo, Sac, Sgd, Adam, AdamStep, SgdStep\n\n${table}\n\nif __name__ == "__main__":\n    print(METHODS)\n`,
    'net.py':
      'class Ppo:\n    x = 1\n\nclass Sac:\n    x = 2\n\nclass Sgd:\n    x = 3\n\nclass Adam:\n    x = 4\n\nclass AdamStep:\n    x = 5\n\nclass SgdStep:\n    x = 6\n',
  };
}

describe('tables of names', () => {
  const found: readonly [string, string, string][] = [
    ['another name’s class', 'METHODS = {"adam": Sgd, "sgd": Sgd}', 'METHODS: adam'],
    ['two that are exchanged', 'METHODS = {"adam": Sgd, "sgd": Adam}', 'METHODS: adam'],
    [
      'two that are exchanged and carry another word',
      'METHODS = {"sgd": AdamStep, "adam": SgdStep}',
      'METHODS: sgd',
    ],
    [
      'branches that give another name’s class',
      'def METHODS(name):\n    if name == "ppo":\n        return Sac()\n    elif name == "sac":\n        return Sac()\n    raise KeyError(name)',
      'name: ppo',
    ],
    [
      'two methods of the matrix that are the same',
      'METHODS = {"ours": Ppo, "ppo": Ppo, "sac": Sac}',
      'METHODS: ppo',
    ],
  ];
  for (const [what, table, symbol] of found)
    it(`finds ${what}`, () =>
      assert.deepEqual(check(registry(table), { experiments: CELLS }), [
        `crossed-name run.py ${symbol}`,
      ]));

  const sound: readonly [string, string][] = [
    ['each name with its own', 'METHODS = {"ours": Adam, "ppo": Ppo, "sac": Sac}'],
    [
      'one class with other arguments',
      'METHODS = {"momentum": lambda: Sgd(0.9), "sgd": lambda: Sgd(0)}',
    ],
    ['values that are no classes', 'sgd = 1\nMETHODS = {"adam": sgd, "sgd": sgd}'],
    [
      'a method that is told apart elsewhere',
      'METHODS = {"ours": Ppo, "ppo": Ppo, "sac": Sac}\n\ndef bonus(method):\n    if method == "ours":\n        return 1\n    if method == "sac":\n        return 2\n    return 0\n\nprint(bonus("ours"))',
    ],
    ['aliases that are no methods of the matrix', 'METHODS = {"sgdm": Sgd, "sgd": Sgd}'],
  ];
  for (const [what, table] of sound)
    it(`says nothing of ${what}`, () =>
      assert.deepEqual(check(registry(table), { experiments: CELLS }), []));
});

describe('code that nothing leads to', () => {
  const main = (body: string): Texts => ({
    'run.py': `from net import fit\n\nif __name__ == "__main__":\n    fit(1)\n`,
    'net.py': `def fit(x):\n    return x\n\n${body}`,
  });
  it('finds an experiment that is never called, and not what only it calls', () =>
    assert.deepEqual(
      check(main('def ablate(x):\n    return part(x)\n\ndef part(x):\n    return x\n'), {
        ledger: ledger('1'),
      }),
      ['unreached net.py ablate'],
    ));
  it('finds a function that only calls itself', () =>
    assert.deepEqual(
      check(main('def ablate(x):\n    return ablate(x - 1)\n'), { ledger: ledger('1') }),
      ['unreached net.py ablate'],
    ));

  const sound: readonly [string, Texts][] = [
    ['what is registered', main('@register("x")\ndef ablate(x):\n    return x\n')],
    [
      'what stands in a table',
      main('TABLE = {"a": fit}\n\ndef ablate(x):\n    return x\n\nTABLE["b"] = ablate\n'),
    ],
    [
      'what `__all__` offers',
      main('__all__ = ["fit", "ablate"]\n\ndef ablate(x):\n    return x\n'),
    ],
    [
      'what is looked up by name',
      {
        ...main('def ablate(x):\n    return x\n'),
        'more.py': 'import net\n\ndef get(name):\n    return getattr(net, name)\n',
      },
    ],
    [
      'what a test calls',
      {
        ...main('def ablate(x):\n    return x\n'),
        'tests/test_net.py':
          'from net import ablate\n\ndef test_it():\n    assert ablate(1) == 1\n',
      },
    ],
    [
      'what settings name',
      { ...main('def ablate(x):\n    return x\n'), 'config.yaml': 'run: net.ablate\n' },
    ],
  ];
  for (const [what, texts] of sound)
    it(`says nothing of ${what}`, () =>
      assert.deepEqual(
        check(texts, { ledger: ledger('1') }).filter((one) => one.startsWith('unreached')),
        [],
      ));
});

describe('training data that are measured on', () => {
  const DATA = 'from torchvision.datasets import MNIST\n';
  const found: readonly [string, string, string][] = [
    [
      'held-out data that are those of training',
      `${DATA}\ndef load(root):\n    train_set = MNIST(root, train=True)\n    test_set = MNIST(root, train=True)\n    return train_set, test_set\n`,
      'load: test_set',
    ],
    [
      'an evaluation on training data alone',
      'from net import evaluate, make\n\ndef main(model):\n    train_loader = make("train")\n    model.train(train_loader)\n    print(evaluate(model, train_loader))\n\nif __name__ == "__main__":\n    main(1)\n',
      'main: evaluate',
    ],
    [
      'a score on what was fitted to',
      'def run(model, x, y):\n    model.fit(x, y)\n    return model.score(x, y)\n',
      'run: score',
    ],
  ];
  const owns: Ledger = {
    files: [{ path: 'run.py', owns: ['R1'] }],
    requirements: [{ id: 'R1', demand: 'Report test accuracy.', quote: '', values: [] }],
    configuration: [],
  };
  const net =
    'def make(part):\n    return [part]\n\ndef evaluate(model, data):\n    return model, data\n';
  for (const [what, text, symbol] of found)
    it(`finds ${what}`, () =>
      assert.deepEqual(
        check({ 'run.py': text, 'net.py': net }, { ledger: owns }).filter(
          (one) => !one.startsWith('unreached'),
        ),
        [`same-split run.py ${symbol}`],
      ));

  const sound: readonly [string, string][] = [
    [
      'parts of their own',
      `${DATA}\ndef load(root):\n    train_set = MNIST(root, train=True)\n    test_set = MNIST(root, train=False)\n    return train_set, test_set\n`,
    ],
    [
      'a part that is cut off later',
      `${DATA}\nfrom torch.utils.data import Subset\n\ndef load(root):\n    train_set = MNIST(root, train=True)\n    val_set = MNIST(root, train=True)\n    return Subset(train_set, [0]), Subset(val_set, [1])\n`,
    ],
    [
      'an evaluation on both',
      'from net import evaluate, make\n\ndef main(model):\n    train_loader = make("train")\n    test_loader = make("test")\n    print(evaluate(model, train_loader), evaluate(model, test_loader))\n\nif __name__ == "__main__":\n    main(1)\n',
    ],
    [
      'a score on other data',
      'from sklearn.model_selection import train_test_split\n\ndef run(model, x, y):\n    x, xt, y, yt = train_test_split(x, y)\n    model.fit(x, y)\n    return model.score(xt, yt)\n',
    ],
  ];
  for (const [what, text] of sound)
    it(`says nothing of ${what}`, () =>
      assert.deepEqual(
        check({ 'run.py': text, 'net.py': net }, { ledger: owns }).filter(
          (one) => !one.startsWith('unreached'),
        ),
        [],
      ));
});

describe('made-up data of another file', () => {
  const made = 'import numpy as np\n\ndef examples(n):\n    return np.random.rand(n)\n';
  const read = (body: string): Texts => ({
    'made.py': made,
    'data.py': `import os\nimport pandas as pd\nfrom made import examples\n\ndef load(path):\n${body}`,
  });
  it('finds them where loading fails', () =>
    assert.deepEqual(
      check(
        read(
          '    try:\n        return pd.read_csv(path)\n    except Exception:\n        return examples(3)\n',
        ),
      ),
      ['silent-fallback data.py load'],
    ));
  it('finds them where the file is not there', () =>
    assert.deepEqual(
      check(
        read(
          '    if not os.path.exists(path):\n        return examples(3)\n    return pd.read_csv(path)\n',
        ),
      ),
      ['silent-fallback data.py load'],
    ));
  it('says nothing where data are made once and kept', () =>
    assert.deepEqual(
      check(
        read(
          '    if not os.path.exists(path):\n        data = examples(3)\n        data.tofile(path)\n        pd.DataFrame(data).to_csv(path)\n    return pd.read_csv(path)\n',
        ),
      ),
      [],
    ));
  it('says nothing of another failure, or of what was asked for', () => {
    assert.deepEqual(
      check(
        read('    if path == "toy":\n        return examples(3)\n    return pd.read_csv(path)\n'),
      ),
      [],
    );
    assert.deepEqual(
      check(
        read(
          '    try:\n        return pd.read_csv(path)\n    except Exception as error:\n        raise ValueError(examples(3)) from error\n',
        ),
      ),
      [],
    );
  });
});
