import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';

type Texts = Readonly<Record<string, string>>;
type Commands = readonly { readonly experiment: string; readonly command: string }[];

const parser = await createParser();

function check(texts: Texts, commands: Commands = [], planned: readonly string[] = []): Problem[] {
  const files = Object.entries(texts).map(([path, text]) => parser.parse(path, text));
  return checkTree({
    files: new Map(files.map((file) => [file.path, file])),
    planned,
    experiments: commands.map(({ experiment, command }) => ({
      ...{ id: experiment, command, title: '', question: '' },
      ...{ axes: [], measures: [] },
    })),
  });
}

function idsOf(problems: readonly Problem[]): string[] {
  return problems.map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);
}

const REQUIREMENTS = { 'requirements.txt': 'torch\nnumpy\n' };
const MODELS: Texts = {
  ...REQUIREMENTS,
  'models/__init__.py': 'from .net import Net, build as make\nfrom .config import *\n',
  'models/net.py': [
    'import torch.nn as nn',
    'from models.layers import Block',
    '',
    'class Net(nn.Module):',
    '    def __init__(self, width, *, depth=2):',
    '        super().__init__()',
    '        self.block = Block(width)',
    '        self.depth = depth',
    '        self.register_buffer("mask", None)',
    '    def forward(self, x, mask=None):',
    '        return self.encode(self.block(x), self.mask)',
    '    def encode(self, x, mask):',
    '        return x if mask is None else x * mask',
    '    @staticmethod',
    '    def scale(x):',
    '        return x',
    '    @property',
    '    def size(self):',
    '        return self.depth',
    '',
    'def build(width, depth=3, **options):',
    '    return Net(width, depth=depth)',
    '',
  ].join('\n'),
  'models/layers.py': [
    'import torch.nn as nn',
    '',
    'class Block(nn.Module):',
    '    def __init__(self, width):',
    '        super().__init__()',
    '        self.width = width',
    '    def forward(self, x):',
    '        return x * self.width',
    '',
  ].join('\n'),
  'models/config.py': [
    'from dataclasses import dataclass, field',
    'from typing import ClassVar, NamedTuple',
    '',
    '@dataclass',
    'class Config:',
    '    name: str',
    '    rate: float = 0.1',
    '    seeds: list = field(default_factory=list)',
    '    kind: ClassVar[str] = "a"',
    '    made: int = field(init=False, default=0)',
    '',
    '@dataclass(frozen=True)',
    'class LongConfig(Config):',
    '    steps: int = 3',
    '',
    'class Point(NamedTuple):',
    '    x: float',
    '    y: float = 0.0',
    '',
  ].join('\n'),
};

/** Code that works, or whose failure can't be known: nothing is said about it. */
const SILENT: Readonly<Record<string, Texts>> = {
  'calls of every right form': {
    'a.py':
      'import models\nfrom models import Config, LongConfig, Net, Point, make\nimport models.net as net\n\ndef run(values, options):\n    model = Net(3, depth=1).to("cpu")\n    model(1, mask=None)\n    model.encode(1, mask=2)\n    Net.scale(1)\n    Net.encode(model, 1, 2)\n    make(1, 2, extra=3)\n    net.build(*values)\n    models.make(**options)\n    LongConfig("a", 1, [], 2).steps\n    return Config("a", seeds=[1]).rate, Point(1).x, model.size, model.training\n',
  },
  'names that are bound more than once': {
    'a.py':
      'try:\n    from fast import go\nexcept ImportError:\n    def go(a):\n        return a\n\ndef run(flag):\n    model = 1\n    if flag:\n        model = go(1, 2, 3)\n    return model.anything\n',
  },
  'decorators and metaclasses that change what is called': {
    'a.py':
      'import functools\n\ndef wrap(f):\n    return lambda: f(1)\n\n@wrap\ndef one(a):\n    return a\n\nclass Meta(type):\n    def __call__(cls, *args):\n        return 1\n\nclass Made(metaclass=Meta):\n    def __init__(self):\n        self.x = 1\n\n@functools.partial\ndef two(a):\n    return a\n\none()\nMade(1, 2)\ntwo()\n',
  },
  monkeypatching: {
    'b.py': 'def go(a):\n    return a\n',
    'a.py': 'import b\nb.go = lambda: 1\nb.go()\n',
  },
  'bases that are not known': {
    'a.py':
      'import gym\n\nclass Env(gym.Env):\n    def step(self):\n        return self.anything + self.helper(1, 2)\n',
    'requirements.txt': 'gym\ntorch\n',
  },
  'a mixin whose heirs have what it uses, and abstract methods with other parameters': {
    'a.py':
      'class Logs:\n    def log(self):\n        return self.name\n    def loss(self, x):\n        raise NotImplementedError\n    def fit(self):\n        return self.loss(1, 2)\n\nclass Run(Logs):\n    def __init__(self):\n        self.name = "a"\n    def loss(self, x, y):\n        return x + y\n',
  },
  'attributes that are set from outside, by name, or asked for first': {
    'a.py':
      'class A:\n    def __init__(self, **options):\n        for key, value in options.items():\n            setattr(self, key, value)\n    def go(self):\n        return self.rate\n',
    'b.py':
      'class B:\n    def go(self):\n        return self.device if hasattr(self, "extra") and self.extra else None\n\ndef run(b: B):\n    b.device = 1\n',
  },
  'scopes that Python has and others have not': {
    'a.py':
      'from __future__ import annotations\nimport typing\nif typing.TYPE_CHECKING:\n    from b import Later\n\nclass A:\n    size = 3\n    table = [size for _ in range(size)]\n    def go(self, x: Missing) -> Later:\n        y: Other = [n for row in x for n in row if (z := n)]\n        match y:\n            case {"a": first, **rest} | [first, *rest] if first:\n                return first, rest, z, __class__\n            case str() as word:\n                return word\n        try:\n            return __file__, lambda a, *b, c=1, **d: (a, b, c, d)\n        except OSError as error:\n            print(f"{error!r:>{self.size}}")\n\ndef outer():\n    count = 0\n    def inner():\n        nonlocal count\n        global shared\n        count += 1\n        shared = count\n    inner()\n    return count, shared\n',
    'b.py': 'class Later:\n    x = 1\n',
  },
  'a module of a package with the name of a library': {
    'ops/__init__.py': '',
    'ops/numpy.py': 'import numpy\n\nX = numpy.zeros(3)\n',
    'ops/run.py':
      'import numpy as np\nfrom ops.numpy import X\n\nif __name__ == "__main__":\n    print(np.ones(3), X)\n',
  },
  'calls that tests expect to fail': {
    'test_a.py':
      'import unittest\nfrom b import go\n\nclass T(unittest.TestCase):\n    def test(self):\n        with self.assertRaises(TypeError):\n            go()\n        self.assertRaises(TypeError, lambda: go(1, 2, 3))\n        try:\n            go(x=1)\n        except TypeError:\n            self.skipTest("")\n',
    'b.py': 'def go(a):\n    return a\n',
  },
  'modules that import each other and work': {
    'a.py': 'import b\n\ndef f():\n    return b.g()\n',
    'b.py': 'import a\n\ndef g():\n    from a import f\n    return f\n',
    'pkg/__init__.py': 'from .x import X\n',
    'pkg/x.py': 'from . import y\n\nclass X:\n    y = y\n',
    'pkg/y.py': 'import pkg\n\ndef z():\n    return pkg.X\n',
  },
  "names of Python's modules where they do no harm": {
    'pkg/__init__.py': '',
    'pkg/types.py': 'X = 1\n',
    'pkg/logging.py': 'Y = 1\n',
    'parser.py': 'Z = 1\n',
    'main.py': 'from pkg.types import X\n\nif __name__ == "__main__":\n    print(X)\n',
  },
  'commands that start what is there': {
    'train.py':
      'import argparse\nfrom options import add_common_arguments\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--dataset", choices=["toy", "real"], required=True)\n    parser.add_argument("--fast", action=argparse.BooleanOptionalAction)\n    add_common_arguments(parser)\n    args = parser.parse_args()\n    return args.dataset, args.seed, args.fast\n\nif __name__ == "__main__":\n    main()\n',
    'options.py':
      'def add_common_arguments(parser):\n    parser.add_argument("--seed", "-s", type=int)\n',
    'pkg/__init__.py': '',
    'pkg/__main__.py': 'import sys\nprint(sys.argv)\n',
    'tool.py': 'import fire\n\ndef run():\n    print(1)\n\nfire.Fire(run)\n',
    'requirements.txt': 'fire\ntorch\n',
    'scripts/all.sh':
      '#!/bin/bash\nset -e\ncd "$(dirname "$0")/.."\nfor seed in 1 2; do\n  CUDA_VISIBLE_DEVICES=0 python -u train.py --dataset "$1" \\\n    --seed=$seed -s 3 > log_$seed.txt 2>&1\ndone\npython -m pkg --anything\npython -m pip install x\n$PYTHON train.py $ARGS\n',
    'README.md':
      '# Run\n\n```bash\ngit clone https://example.org/other\npip install -r requirements.txt\npython train.py --data toy --no-fast  # abbreviated\npython tool.py --whatever\npython other/setup.py --x\nbash scripts/all.sh toy\ncd scripts && ./all.sh\n```\n\n```\ntrain.py   the program\npython train.py --dataset real\n```\n\n```python\nimport nothing\n```\n',
    'pyproject.toml':
      '[project]\nname = "x"\ndependencies = ["fire"]\n\n[project.scripts]\ntrain = "train:main"\n',
  },
};

describe('code that may work', () => {
  for (const [title, texts] of Object.entries(SILENT))
    it(`is left alone: ${title}`, () => {
      const commands = [{ experiment: 'E1', command: 'python train.py --dataset {dataset}' }];
      const told = title.startsWith('commands') ? commands : [];
      assert.deepEqual(check({ ...MODELS, ...texts }, told), []);
    });

  it('is left alone where files are still to be written', () => {
    const texts = {
      'README.md': '```bash\npython run.py --x 1\npython main.py --x 1\n```\n',
      'main.py': 'from later import add\n\nif __name__ == "__main__":\n    add()\n',
    };
    assert.deepEqual(check(texts, [], ['run.py', 'later.py']), []);
  });
});

/** Title, the text of `a.py`, and the finding. */
const FAULTS: readonly (readonly [string, string, string])[] = [
  [
    'an unknown keyword',
    'from models.net import build, Net\nNet(3, dpth=1)\n',
    'wrong-call a.py Net',
  ],
  ['a missing argument', 'from models import make\nmake(depth=1)\n', 'wrong-call a.py make'],
  [
    'a missing argument where a test waits for another error',
    'import unittest\nfrom models import make\n\nclass T(unittest.TestCase):\n    def test(self):\n        with self.assertRaisesRegex(ValueError, "depth"):\n            make(depth=1)\n',
    'wrong-call a.py T.test: make',
  ],
  [
    'too many arguments',
    'import models.net\nmodels.net.Net(1, 2)\n',
    'wrong-call a.py models.net.Net',
  ],
  [
    'an argument given twice',
    'from models import make\nmake(1, width=2)\n',
    'wrong-call a.py make',
  ],
  ['an unknown field', 'from models import Config\nConfig("a", lr=1)\n', 'wrong-call a.py Config'],
  [
    'a missing field of a base',
    'from models import LongConfig\nLongConfig(steps=1)\n',
    'wrong-call a.py LongConfig',
  ],
  [
    'a field that is no parameter',
    'from models import Config\nConfig("a", made=1)\n',
    'wrong-call a.py Config',
  ],
  [
    'too many fields of a tuple',
    'from models import Point\nPoint(1, 2, 3)\n',
    'wrong-call a.py Point',
  ],
  [
    'a method of a new object',
    'from models import Net\n\ndef f():\n    net = Net(1)\n    return net.encode(1)\n',
    'wrong-call a.py f: net.encode',
  ],
  [
    'a module called with too much',
    'from models import Net\n\ndef f(x):\n    net = Net(1).to("cpu")\n    return net(x, 1, 2)\n',
    'wrong-call a.py f: net',
  ],
  [
    'a method of the object itself',
    'class A:\n    def f(self):\n        return self.g(1)\n    def g(self):\n        return 1\n',
    'wrong-call a.py A.f: self.g',
  ],
  [
    'a base constructor',
    'from models.net import Net\n\nclass Deep(Net):\n    def __init__(self):\n        super().__init__()\n',
    'wrong-call a.py Deep.__init__: super().__init__',
  ],
  ['a constructor without parameters', 'class A:\n    x = 1\n\nA(1)\n', 'wrong-call a.py A'],
  [
    'a nested function',
    'def f():\n    def g(a):\n        return a\n    return g()\n',
    'wrong-call a.py f: g',
  ],
  [
    'an attribute never set in a module',
    'import torch.nn as nn\n\nclass A(nn.Module):\n    def forward(self, x):\n        return self.norm2(x)\n',
    'unresolved-name a.py A.forward: A.norm2',
  ],
  [
    'an attribute that no base has',
    'from models.net import Net\n\nclass Deep(Net):\n    def more(self):\n        return self.dept\n',
    'unresolved-name a.py Deep.more: Deep.dept',
  ],
  [
    'a method that a new object lacks',
    'from models import Net\n\ndef f():\n    net = Net(1)\n    return net.decode(1)\n',
    'unresolved-name a.py f: Net.decode',
  ],
  [
    'a field that a dataclass lacks',
    'from models import Config\n\ndef f(config: Config):\n    return config.lr\n',
    'unresolved-name a.py f: Config.lr',
  ],
  ['a name never imported', 'def f():\n    return np.zeros(3)\n', 'unresolved-name a.py f: np'],
  [
    'an annotation never imported',
    'def f(x: Optional[int]):\n    return x\n',
    'unresolved-name a.py Optional',
  ],
  [
    'a name of another function',
    'def f():\n    total = 1\n    return total\n\ndef g():\n    return total\n',
    'unresolved-name a.py g: total',
  ],
];

describe('a fault of the code', () => {
  for (const [title, text, id] of FAULTS)
    it(`is found: ${title}`, () => {
      assert.deepEqual(idsOf(check({ ...MODELS, 'a.py': text })), [id]);
    });

  it('is told with what is wrong, where it is defined, and what to do', () => {
    const [problem] = check({ ...MODELS, 'a.py': 'from models import Net\n\nNet(1, dept=2)\n' });
    assert.equal(
      problem?.message,
      'a.py (line 3) gives `Net` the argument `dept=`, which it does not take (defined in models/net.py), so the call fails.',
    );
    assert.equal(
      problem.remedy,
      'Pass `depth=`, or leave `dept` out, or add it to the parameters.',
    );
  });

  it('is told once where a file does not parse', () => {
    const texts = {
      'b.py': 'def f(a:\n    return 1\n',
      'a.py': 'from b import f\nf()\n',
      'README.md': '```bash\npython b.py --x\n```\n',
    };
    assert.deepEqual(idsOf(check(texts)), ['does-not-parse b.py ']);
  });
});

describe('an import cycle', () => {
  const TEXTS = {
    'a.py': 'from b import g\n\ndef f():\n    return g\n',
    'b.py': 'from a import f\n\ndef g():\n    return f\n',
  };
  it('is blocking where it fails from every side', () => {
    assert.deepEqual(idsOf(check(TEXTS)), ['unresolved-import b.py f from a.py']);
  });

  it('is a warning where it fails from one side only', () => {
    const texts = { ...TEXTS, 'b.py': 'def g():\n    return f\n\nfrom a import f\n' };
    assert.deepEqual(idsOf(check(texts)), ['import-cycle b.py f from a.py']);
  });

  it('is blocking where a script meets it', () => {
    const texts = {
      ...TEXTS,
      'b.py': 'def g():\n    return f\n\nfrom a import f\n',
      'main.py': 'import a\n\nif __name__ == "__main__":\n    a.f()\n',
    };
    assert.deepEqual(idsOf(check(texts)), ['unresolved-import b.py f from a.py']);
  });
});

const TRAIN =
  'import argparse\n\ndef main():\n    parser = argparse.ArgumentParser()\n    parser.add_argument("--dataset", choices=["toy", "real"], required=True)\n    args = parser.parse_args()\n    return args.dataset\n\nif __name__ == "__main__":\n    main()\n';

/** Title, what is added to a program `train.py`, the command of an experiment, and the finding. */
const COMMANDS: readonly (readonly [string, Texts, string, string])[] = [
  [
    'a script that is not there',
    { 'README.md': '```bash\npython trian.py --dataset toy\n```\n' },
    '',
    'missing-entry-point README.md trian.py',
  ],
  ['a script of a plan', {}, 'python eval.py', 'missing-entry-point eval.py eval.py'],
  [
    'a shell script',
    { 'README.md': '```sh\nbash scripts/all.sh\n```\n' },
    '',
    'missing-entry-point README.md scripts/all.sh',
  ],
  [
    'a package without __main__',
    { 'pkg/__init__.py': '', 'run.sh': 'python -m pkg\n' },
    '',
    'missing-entry-point run.sh the module pkg',
  ],
  [
    'a script that does nothing',
    {
      'run.sh': 'python go.py\n',
      'go.py':
        'import logging\nlogger = logging.getLogger(__name__)\n\ndef main():\n    print(1)\n',
    },
    '',
    'missing-entry-point go.py __main__',
  ],
  [
    'an installed command',
    { 'pyproject.toml': '[project.scripts]\ntrain = "train:run"\n' },
    '',
    'missing-entry-point pyproject.toml train',
  ],
  [
    'a flag that is not defined',
    { 'run.sh': 'python train.py --dataset toy --epochs=3\n' },
    '',
    'undefined-flag run.sh train.py: --epochs',
  ],
  [
    'a flag of an experiment',
    {},
    'python train.py --dataset {dataset} --method {method}',
    'undefined-flag train.py train.py: --method',
  ],
  [
    'a required flag',
    { 'run.sh': 'python train.py\n' },
    '',
    'undefined-flag run.sh train.py: --dataset missing',
  ],
  [
    'a value that is not offered',
    { 'README.md': '```console\n$ python train.py --dataset tiny\n```\n' },
    '',
    'undefined-flag README.md train.py: --dataset tiny',
  ],
  [
    'an option of click',
    {
      'requirements.txt': 'click\n',
      'run.sh': 'python tool.py --size 3 --no-fast --depth 2\n',
      'tool.py':
        'import click\n\n@click.command()\n@click.option("--size", "-s")\n@click.option("--fast/--no-fast")\ndef run(size, fast):\n    print(size, fast)\n\nrun()\n',
    },
    '',
    'undefined-flag run.sh tool.py: --depth',
  ],
  [
    'a flag of another sub-command',
    {
      'run.sh': 'python tool.py fit --data a --rate 1\npython tool.py show --data a --rate 1\n',
      'tool.py':
        'import argparse\ncommon = argparse.ArgumentParser(add_help=False)\ncommon.add_argument("--data")\nparser = argparse.ArgumentParser()\ncommands = parser.add_subparsers()\nfit = commands.add_parser("fit", parents=[common])\nfit.add_argument("--rate")\nshow = commands.add_parser("show", parents=[common])\nargs = parser.parse_args()\nprint(args.data, args.rate)\n',
    },
    '',
    'undefined-flag run.sh tool.py: --rate',
  ],
  [
    'a flag where none are read',
    { 'run.sh': 'python go.py --x 1\n', 'go.py': 'print(1)\n' },
    '',
    'undefined-flag run.sh go.py: --x',
  ],
  [
    'a flag that nothing reads',
    {
      'b.py':
        'import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument("--depth")\nprint(parser.parse_args())\n',
    },
    '',
    'unused-key b.py --depth',
  ],
  [
    "a module in place of Python's",
    { 'queue.py': 'SIZE = 1\n' },
    '',
    'shadowed-module queue.py queue',
  ],
];

describe('a command that readers are told to run', () => {
  for (const [title, added, command, id] of COMMANDS)
    it(`is checked: ${title}`, () => {
      const commands = command === '' ? [] : [{ experiment: 'E1', command }];
      assert.deepEqual(idsOf(check({ 'train.py': TRAIN, ...added }, commands)), [id]);
    });
});

describe('a linter’s mark', () => {
  const text =
    'def f():\n    "%d %s" % (1,)\n    assert (1, "x")\n\ndef g(a, b):\n    return a + b\n';
  const kindsOf = (source: string): string[] =>
    check({ 'a.py': source }).map(({ kind, symbol }) => `${kind} ${symbol.split(':')[0] ?? ''}`);

  it('is blocking where it is certain and a warning elsewhere', () => {
    assert.deepEqual(kindsOf(text).sort(), ['lint F631', 'wrong-call F507']);
  });

  it('is the only one where Python refuses the file', () => {
    assert.deepEqual(kindsOf(text.replaceAll('b', 'a')), ['does-not-parse ']);
  });
});
