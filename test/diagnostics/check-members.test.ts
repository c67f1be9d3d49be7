import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

/** What is said of attributes; imports of packages are none of this file's business. */
function check(texts: Texts): Problem[] {
  const files = Object.entries(texts).map(([path, text]) => parser.parse(path, text));
  const problems = checkTree({
    files: new Map(files.map((file) => [file.path, file])),
    planned: [],
  });
  return problems.filter(({ kind }) => kind === 'unresolved-name' || kind === 'wrong-call');
}

const NET = 'import torch.nn as nn\n\nclass Net(nn.Module):\n';
const INIT = '    def __init__(self, width):\n        super().__init__()\n';

/** Title, the text of `a.py`, the symbol of the one finding, and other files. */
const FAULTS: readonly (readonly [string, string, string, Texts?])[] = [
  [
    'a layer under another name',
    `${NET}${INIT}        self.encoder = nn.Linear(width, 1)\n    def forward(self, x):\n        return self.encode(x)\n`,
    'Net.forward: Net.encode',
  ],
  [
    'the device that a PyTorch module does not have',
    `${NET}${INIT}        self.width = width\n    def forward(self, x):\n        return x.to(self.device)\n`,
    'Net.forward: Net.device',
  ],
  [
    'a counter that is only added to',
    'class Log:\n    def add(self):\n        self.count += 1\n',
    'Log.add: Log.count',
  ],
  [
    'an attribute that is only deleted',
    'class Log:\n    def close(self):\n        del self.handle\n    def read(self):\n        return self.handle\n',
    'Log.read: Log.handle',
  ],
  [
    'a read in a nested function',
    'class A:\n    def run(self):\n        def inner(x):\n            return x + self.bias\n        return inner(1)\n',
    'A.run.inner: A.bias',
  ],
  [
    'a read in a lambda and a comprehension',
    'class A:\n    def run(self, xs):\n        return sorted([x * self.scale for x in xs], key=lambda x: x + self.scale)\n',
    'A.run: A.scale',
  ],
  [
    'a read in an f-string',
    'class A:\n    def run(self):\n        return f"{self.name!r}"\n',
    'A.run: A.name',
  ],
  [
    'a data set that keeps its items elsewhere',
    'from torch.utils.data import Dataset\n\nclass Rows(Dataset[int]):\n    def __init__(self, rows):\n        self.rows = rows\n    def __len__(self):\n        return len(self.row)\n',
    'Rows.__len__: Rows.row',
  ],
  [
    'a Lightning module that logs under a wrong name',
    'import pytorch_lightning as pl\n\nclass Task(pl.LightningModule):\n    def training_step(self, batch, index):\n        self.log("loss", self.hparams.rate)\n        return self.criterion(batch)\n',
    'Task.training_step: Task.criterion',
  ],
  [
    'an error without the field that its text shows',
    'class BadShape(ValueError):\n    def __str__(self):\n        return f"{self.args} {self.shape}"\n',
    'BadShape.__str__: BadShape.shape',
  ],
  [
    'a protocol that does not declare what it uses',
    'from typing import Protocol\n\nclass Sized(Protocol):\n    size: int\n    def half(self):\n        return self.length // 2\n',
    'Sized.half: Sized.length',
  ],
  [
    'an enum that has values and no weight',
    'from enum import Enum\n\nclass Kind(Enum):\n    A = 1\n    def show(self):\n        return self.value, self.name, self.weight\n',
    'Kind.show: Kind.weight',
  ],
  [
    'a field that a NamedTuple lacks',
    'from typing import NamedTuple\n\nclass Point(NamedTuple):\n    x: float\n    def norm(self):\n        return self.x + self.y + self.count(1)\n',
    'Point.norm: Point.y',
  ],
  [
    'a field that a class of attrs lacks',
    'import attr\n\n@attr.s(auto_attribs=True)\nclass Config:\n    rate: float = 0.1\n    def show(self):\n        return self.rate, self.lr\n',
    'Config.show: Config.lr',
  ],
  [
    'an abstract class whose only heir lacks it as well',
    'from abc import ABC\n\nclass Base(ABC):\n    def run(self):\n        return self.step_size\n\nclass Heir(Base):\n    def __init__(self):\n        self.stepsize = 1\n',
    'Base.run: Base.step_size',
  ],
  [
    'a mixin whose host lacks what it uses',
    'class Logs:\n    def log(self):\n        return self.title\n\nclass Host(Logs):\n    def __init__(self):\n        self.name = 1\n',
    'Logs.log: Logs.title',
  ],
  [
    'an attribute of a new object',
    'from b import Store\n\ndef run():\n    store = Store()\n    return store.items_seen\n',
    'run: Store.items_seen',
    { 'b.py': 'class Store:\n    def __init__(self):\n        self.items = []\n' },
  ],
  [
    'an attribute of an object that is held',
    'from b import Store\n\nclass A:\n    def __init__(self):\n        self.store = Store()\n    def run(self):\n        return self.store.size\n',
    'A.run: Store.size',
    { 'b.py': 'class Store:\n    def __init__(self):\n        self.items = []\n' },
  ],
  [
    'a class that a local registry takes up',
    'from registry import MODELS\n\n@MODELS.register("a")\nclass A:\n    def run(self):\n        return self.width\n',
    'A.run: A.width',
    {
      'registry.py':
        'class Registry:\n    def __init__(self):\n        self.known = {}\n    def register(self, name):\n        def take(cls):\n            self.known[name] = cls\n            return cls\n        return take\n\nMODELS = Registry()\n',
    },
  ],
  [
    'a class that a local decorator takes up',
    'KNOWN = {}\n\ndef register(cls):\n    KNOWN[cls.__name__] = cls\n    return cls\n\n@register\nclass A:\n    def run(self):\n        return self.width\n',
    'A.run: A.width',
  ],
  [
    'a class attribute that a class method reads',
    'class A:\n    names = ()\n    @classmethod\n    def of(cls):\n        return cls.name_list\n',
    'A.of: A.name_list',
  ],
  [
    'a class beside options that somebody sets by name',
    'class A:\n    def run(self):\n        return self.width\n\ndef parse(parser, overrides):\n    args = parser.parse_args()\n    for key, value in overrides.items():\n        setattr(args, key, value)\n    return args\n',
    'A.run: A.width',
  ],
  [
    'a class beside what is set by names, of which its own is none',
    'class A:\n    def run(self):\n        return self.width\n\ndef fill(target, values):\n    for key, value in values.items():\n        setattr(target, key, value)\n\nfill(print, {"rate": 1})\n',
    'A.run: A.width',
  ],
  [
    'a class beside another whose fields are set by name',
    'from dataclasses import dataclass\n\n@dataclass\nclass Config:\n    rate: float = 0.1\n\ndef load(values):\n    config = Config()\n    for key, value in values.items():\n        setattr(config, key, value)\n    return config\n\nclass A:\n    def run(self):\n        return self.width\n',
    'A.run: A.width',
  ],
  [
    'a class beside a sequence of modules with computed names',
    `${NET}${INIT}        self.features = nn.Sequential()\n        for i in range(width):\n            self.features.add_module(f"conv{i}", nn.ReLU())\n    def forward(self, x):\n        return self.classifier(self.features(x))\n`,
    'Net.forward: Net.classifier',
  ],
  [
    'a class that shows what it holds',
    'class A:\n    def __init__(self):\n        self.x = 1\n    def __repr__(self):\n        return f"A({self.__dict__.items()}, {vars(self)})"\n    def run(self):\n        return self.y_value, dict(self.__dict__)\n',
    'A.run: A.y_value',
  ],
];

/** Code that works, or whose failure can't be known. */
const SILENT: Readonly<Record<string, Texts>> = {
  'what PyTorch takes up by name': {
    'a.py': `${NET}${INIT}        self.register_buffer("mask", None)\n        self.register_parameter(name="scale", param=None)\n        self.add_module("head", nn.Linear(1, 1))\n        self.register_module("tail", nn.Linear(1, 1))\n    def forward(self, x):\n        self._cache = self.training\n        return self.tail(self.head(x * self.mask * self.scale)), list(self.parameters()), self._forward_hooks\n`,
  },
  'what PyTorch takes up by a computed name': {
    'a.py': `${NET}${INIT}        for i in range(2):\n            self.add_module("conv" + str(i), nn.Linear(1, 1))\n    def forward(self, x):\n        return self.conv1(self.conv0(x))\n`,
    'b.py':
      'import torch.nn as nn\n\nclass B(nn.Module):\n    def __init__(self):\n        super().__init__()\n        for i in range(2):\n            self.register_buffer("step%d" % i, None)\n            self._modules[str(i)] = nn.Linear(1, 1)\n    def forward(self, x):\n        return self.step0\n',
  },
  'what another object registers': {
    'a.py': `${NET}    def forward(self, x):\n        return self.running\n\ndef watch(net):\n    net.register_buffer("running", None)\n`,
  },
  'what is set by computed names from outside': {
    'a.py': 'class A:\n    def run(self):\n        return self.rate\n',
    'b.py':
      'def fill(target, values):\n    for key, value in values.items():\n        setattr(target.inner, key, value)\n\nfill(print, {"rate": 1})\n',
  },
  'what is set by names that a settings file says': {
    'a.py': 'class A:\n    def run(self):\n        return self.rate\n',
    'settings.yaml': 'rate: 1\n',
    'b.py':
      'def fill(target, values):\n    for key, value in values.items():\n        setattr(target, key, value)\n',
  },
  'what is set by names that are put together': {
    'a.py': 'class A:\n    def run(self):\n        return self.layer_3, self.size_limit\n',
    'b.py':
      'def fill(target, names):\n    for i, name in enumerate(names):\n        key = f"layer_{i}"\n        setattr(target, key, i)\n        setattr(target, name + "_limit", i)\n',
  },
  'what is set by names of which the text holds nothing': {
    'a.py': 'class A:\n    def run(self):\n        return self.rate\n',
    'b.py': 'def fill(target, a, b):\n    setattr(target, f"{a}{b}", 1)\n',
  },
  'what is written into a dictionary from outside': {
    'a.py': 'class A:\n    def run(self):\n        return self.rate\n',
    'b.py': 'def fill(target, **values):\n    vars(target).update(values)\n\nfill(print, rate=1)\n',
  },
  'what an object that is held gets by computed names': {
    'a.py':
      'class Config:\n    def show(self):\n        return self.rate\n\nclass Run:\n    def __init__(self, **options):\n        self.config = Config()\n        for key, value in options.items():\n            setattr(self.config, key, value)\n    def go(self):\n        return self.config.depth\n',
  },
  'computed names of its own': {
    'a.py':
      'class A:\n    def __init__(self, **options):\n        self.__dict__.update(options)\n    def run(self):\n        return self.rate\n\nclass B:\n    def __init__(self, **options):\n        vars(self).update(options)\n    def run(self):\n        return self.rate\n\nclass C:\n    def __init__(self, names):\n        for name in names:\n            setattr(self, "is_" + name, True)\n    def run(self):\n        return self.is_new\n\nclass D:\n    def __init__(self, state):\n        for key in state:\n            object.__setattr__(self, key, 1)\n    def run(self):\n        return self.rate\n',
  },
  'all ways of setting': {
    'a.py':
      'class A:\n    def __init__(self, path, pairs):\n        self.a, (self.b, *self.c) = pairs\n        self.d = self.e = 1\n        self.f: int = 2\n        with open(path) as self.g, open(path) as (self.h, self.i):\n            pass\n        for self.j in pairs:\n            pass\n        for k, self.k in pairs:\n            pass\n        [self.l] = pairs\n        if (n := len(pairs)) > 1:\n            self.m = n\n        setattr(self, "n", 1)\n        object.__setattr__(self, "o", 1)\n        def later():\n            self.p = 1\n        later()\n        self.q = 0\n        self.q += 1\n    def run(self):\n        return [self.a, self.b, self.c, self.d, self.e, self.f, self.g, self.h, self.i, self.j, self.k, self.l, self.m, self.n, self.o, self.p, self.q]\n',
  },
  'what the class itself holds': {
    'a.py':
      'from functools import cached_property, partialmethod\n\nclass A:\n    __slots__ = ("left", "right")\n    limit: int\n    one = two = 3\n    if one:\n        three = 4\n    for four in range(2):\n        pass\n    class Inner:\n        x = 1\n    five = property(lambda self: 1)\n    @cached_property\n    def six(self):\n        return self.left\n    @six.setter\n    def six(self, value):\n        self._six = value\n    seven = partialmethod(six, 1)\n    def run(self):\n        return self.limit, self.one, self.two, self.three, self.four, self.Inner, self.five, self.six, self._six, self.seven, self.right, self.__class__.one, self.__doc__\n    @classmethod\n    def of(cls):\n        return cls.one, cls.mro(), cls.__name__, cls.run\n',
  },
  'made-up attributes': {
    'a.py':
      'class A:\n    def __getattr__(self, name):\n        return name\n    def run(self):\n        return self.anything\n\nclass B:\n    def __getattribute__(self, name):\n        return name\n    def run(self):\n        return self.anything\n\nclass C:\n    __getattr__ = A.__getattr__\n    def run(self):\n        return self.anything\n\nclass D(A):\n    def more(self):\n        return self.whatever\n',
  },
  'bases that are not known': {
    'a.py':
      'import sklearn.base\nfrom pydantic import BaseModel\nfrom collections import namedtuple\nfrom later import Thing\n\nclass A(sklearn.base.BaseEstimator):\n    def run(self):\n        return self.anything\n\nclass B(BaseModel):\n    rate: float\n    def run(self):\n        return self.rate, self.model_dump()\n\nclass C(namedtuple("C", ["x"])):\n    def run(self):\n        return self.x\n\nclass D(Thing):\n    def run(self):\n        return self.anything\n\nclass E(D):\n    def go(self):\n        return self.anything\n',
  },
  'mixins, whose hosts have it': {
    'a.py':
      'class Logs:\n    def log(self):\n        return self.name, self.rate\n\nclass Holds:\n    def __init__(self):\n        self.name = 1\n\nclass Host(Logs, Holds):\n    def __init__(self):\n        super().__init__()\n        self.rate = 1\n',
    'b.py':
      'import torch.nn as nn\nfrom a import Logs\n\nclass Other(Logs, nn.Module):\n    name = 1\n    def go(self):\n        return self.parameters()\n    rate = 2\n',
  },
  'a class whose heirs are made by functions': {
    'a.py':
      'class A:\n    def run(self):\n        return self.extra()\n\ndef extended(base):\n    class Extended(base):\n        def extra(self):\n            return 1\n    return Extended\n\nB = extended(A)\n\nclass C:\n    def run(self):\n        return self.more()\n\ndef more(self):\n    return 1\n\nC.more = more\n',
    'b.py':
      'class Base:\n    def run(self):\n        return self.made\n\nMade = type("Made", (Base,), {"made": 1})\n',
  },
  'attributes set from outside': {
    'a.py':
      'class A:\n    def run(self):\n        return self.logger, self.name, self.stop\n\nclass B:\n    def __new__(cls):\n        made = super().__new__(cls)\n        made.shape = 1\n        return made\n    def run(self):\n        return self.shape\n',
    'b.py':
      'from a import A\n\ndef run():\n    model = A()\n    model.logger = 1\n    for model.name in ("a", "b"):\n        pass\n    setattr(model, "stop", 1)\n    return model.run()\n',
  },
  'what is asked for first': {
    'a.py':
      'import contextlib\n\nclass A:\n    def run(self):\n        if hasattr(self, "one"):\n            return self.one\n        try:\n            return self.two\n        except AttributeError:\n            pass\n        with contextlib.suppress(AttributeError):\n            return self.three\n',
  },
  'Lightning’s own': {
    'a.py':
      'import lightning as L\nfrom pytorch_lightning import LightningDataModule, LightningModule\n\nclass Task(LightningModule):\n    def __init__(self, rate):\n        super().__init__()\n        self.save_hyperparameters()\n        self.automatic_optimization = False\n    def training_step(self, batch, index):\n        self.log("a", 1)\n        self.log_dict({})\n        self.print(self.device, self.dtype, self.current_epoch, self.global_step, self.global_rank, self.local_rank)\n        self.manual_backward(self.hparams.rate)\n        self.logger.log_metrics({})\n        self.lr_schedulers(), self.optimizers(), self.toggle_optimizer(1), self.untoggle_optimizer(1)\n        self.all_gather(1), self.clip_gradients(1), self.freeze(), self.unfreeze(), self.example_input_array, self.loggers\n        return self.trainer.datamodule, self.parameters(), self(batch), self.training\n\nclass Other(L.LightningModule):\n    def forward(self, x):\n        return self.trainer.world_size, self.hparams_initial, self.to_onnx, self.on_gpu\n\nclass Data(LightningDataModule):\n    def setup(self, stage):\n        return self.trainer, self.hparams, self.train_dataloader()\n\nTask(1)(2)\nOther()\nData(batch_size=3)\n',
  },
  'Python’s own': {
    'a.py':
      'import enum\nimport threading\nimport typing\nimport unittest\n\nclass Kind(str, enum.Enum):\n    A = "a"\n    def show(self):\n        return self.upper(), self.value, self._value_, self.A\n\nclass Point(typing.NamedTuple):\n    x: float\n    def moved(self):\n        return self._replace(x=1), self.index(1), self._asdict()\n\nclass Bad(OSError):\n    def show(self):\n        return self.errno, self.filename, self.args, self.with_traceback(None)\n\nclass Worse(Exception):\n    pass\n\nclass T(unittest.TestCase):\n    def setUp(self):\n        self.x = 1\n    def test(self):\n        self.assertEqual(self.x, 1)\n        with self.subTest(i=1), self.assertRaises(Worse):\n            raise Worse("a", 1)\n        self.fail(self.id())\n\nclass Work(threading.Thread):\n    def run(self):\n        return self.name, self.daemon, self.is_alive(), self._target\n\nclass Table(dict):\n    def first(self):\n        return self.keys(), self.get(1), self.setdefault(1, 2)\n\nWork(target=print)\nTable(a=1)\nKind("a")\n',
  },
  'dataclasses and classes of attrs': {
    'a.py':
      'from dataclasses import dataclass, field, InitVar\nimport attrs\n\n@dataclass\nclass Config:\n    rate: float\n    seeds: list = field(default_factory=list)\n    size: InitVar[int] = 1\n    def __post_init__(self, size):\n        self.total = size\n    def show(self):\n        return self.rate, self.seeds, self.total\n\n@attrs.define\nclass Other:\n    rate: float = attrs.field()\n    def show(self):\n        return self.rate, self.__attrs_attrs__\n\ndef run(config: Config):\n    if isinstance(config, Other):\n        return config.other\n    return config.total\n',
  },
  'decorators that add what the text does not show': {
    'a.py':
      'import marshmallow\nfrom somewhere import enriched\nfrom functools import wraps\n\n@enriched\nclass A:\n    def run(self):\n        return self.to_json()\n\ndef counting(cls):\n    cls.count = 0\n    return cls\n\n@counting\nclass B:\n    def run(self):\n        return self.count\n\ndef filled(cls):\n    for name in ("a", "b"):\n        setattr(cls, name, 1)\n    return cls\n\n@filled\nclass C:\n    def run(self):\n        return self.a\n',
  },
  'first parameters that are not the object': {
    'a.py':
      'class A:\n    def traced(function):\n        function.calls = 0\n        def inner(self):\n            return function(self), function.cached\n        return inner\n    @traced\n    def run(self):\n        return 1\n    @staticmethod\n    def scale(x):\n        return x.anything\n',
  },
  'a variable that a nested function replaces': {
    'a.py':
      'class A:\n    x = 1\n\nclass B:\n    y = 1\n\ndef run():\n    held = A()\n    def swap():\n        nonlocal held\n        held = B()\n    swap()\n    return held.y\n\nshared = A()\n\ndef change():\n    global shared\n    shared = B()\n\ndef read():\n    return shared.y\n',
  },
};

describe('an attribute that is used and never set', () => {
  for (const [title, text, symbol, others = {}] of FAULTS)
    it(`is found: ${title}`, () => {
      const found = check({ ...others, 'a.py': text });
      assert.deepEqual(
        found.map((one) => `${one.kind} ${one.path} ${one.symbol}`),
        [`unresolved-name a.py ${symbol}`],
      );
    });

  for (const [title, texts] of Object.entries(SILENT))
    it(`is not made up: ${title}`, () => {
      assert.deepEqual(check(texts), []);
    });

  it('is told with the class, the nearest name and what to do', () => {
    const text = `${NET}${INIT}        self.width = width\n    def forward(self, x):\n        return x * self.widht\n    def count(self):\n        return sum(self.paramters())\n`;
    const [first, second] = check({ 'a.py': text });
    assert.equal(
      first?.message,
      'a.py reads `widht` of a `Net` (line 8), but neither the class nor what it inherits from defines or sets it, so the access fails.',
    );
    assert.equal(first.remedy, 'Use `width`, which it has, or define `widht` in `Net`.');
    assert.equal(second?.remedy, 'Use `parameters`, which it has, or define `paramters` in `Net`.');
  });
});
