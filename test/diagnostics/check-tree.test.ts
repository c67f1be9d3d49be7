import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

function check(texts: Texts, planned: readonly string[] = []): Problem[] {
  const entries = Object.entries(texts);
  return checkTree({
    files: new Map(entries.map(([path, text]) => [path, parser.parse(path, text)])),
    planned,
  });
}

/** A repository without faults, to which each case adds one. */
const SOUND: Texts = {
  'requirements.txt': 'torch>=2.0\nnumpy\n',
  'train.py':
    'import torch\nfrom models import build_model\nfrom models.net import Net\nimport data.loader as loader\n\ndef main():\n    model = build_model(Net)\n    return loader.load(torch.zeros(1), model)\n\nif __name__ == "__main__":\n    main()\n',
  'models/__init__.py': 'from .net import Net, build_model\n',
  'models/net.py':
    'import torch.nn as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x\n\ndef build_model(kind):\n    return kind()\n',
  'data/__init__.py': '',
  'data/loader.py': 'import numpy as np\n\ndef load(x, model):\n    return np.asarray(model(x))\n',
};

const CLEAN: Readonly<Record<string, { readonly texts: Texts; readonly planned?: string[] }>> = {
  'packages at the top': { texts: SOUND },
  'a src layout with pyproject.toml and aliases of packages': {
    texts: {
      'pyproject.toml':
        '[project]\nname = "repro"\ndependencies = ["pyyaml>=6", "scikit-learn", "Pillow", "opencv_python"]\n\n[project.optional-dependencies]\ndev = ["pytest"]\n',
      'src/repro/__init__.py': '"""The package."""\n\n__version__ = "1"\n',
      'src/repro/config.py':
        'from __future__ import annotations\nimport yaml\nfrom repro import __version__\nfrom . import metrics\n\ndef read(path):\n    return yaml.safe_load(path), metrics.score, __version__\n',
      'src/repro/metrics/__init__.py': 'from .basic import *\n',
      'src/repro/metrics/basic.py':
        'import sklearn.metrics as sk\nimport cv2\nfrom PIL import Image\n\n__all__ = ["score"]\n\ndef score(a, b):\n    return sk.f1_score(a, b), cv2, Image\n',
      'tests/test_config.py':
        'import pytest\nfrom repro.config import read\nfrom repro.metrics import score\n\ndef test_read():\n    assert read and score and pytest\n',
    },
  },
  'a package that loads its own modules by their whole names': {
    texts: {
      'engine/__init__.py': 'from engine.hooks import Hook\nfrom engine import loop\n',
      'engine/hooks.py': 'class Hook:\n    every = 10\n',
      'engine/loop.py': 'STEPS = 5\n',
      'run.py': 'from engine import Hook, loop\n\nprint(Hook.every, loop.STEPS)\n',
    },
  },
  'scripts that import their neighbours, and optional packages': {
    texts: {
      'requirements.txt': '-r other.txt\ntqdm  # progress\n',
      'scripts/run.py':
        'from common import start\nimport tqdm\ntry:\n    import wandb\nexcept ImportError:\n    wandb = None\n\nif __name__ == "__main__":\n    start(tqdm, wandb)\n',
      'scripts/common.py':
        'def start(*parts):\n    import matplotlib.pyplot as plt\n    return plt, parts\n',
    },
  },
  'modules whose names are not decidable': {
    texts: {
      'lazy.py': 'def __getattr__(name):\n    return name\n',
      'table.py': 'for name in "ab":\n    globals()[name] = name\n',
      'settings.py': 'DEVICE = "cpu"\n',
      'main.py':
        'import settings\nfrom lazy import anything\nfrom table import a, b\nimport typing\nif typing.TYPE_CHECKING:\n    from nowhere import Thing\n\nsettings.SEED = 1\n\ndef run(x):\n    if hasattr(settings, "EXTRA"):\n        x = settings.EXTRA\n    return settings.SEED, settings.__name__, anything, a, b, x\n\ndef other(settings):\n    return settings.whatever\n',
    },
  },
  'a tree in which much is still planned': {
    texts: {
      'train.py':
        'import torch\nfrom models.net import Net\nfrom models import losses, Anything\nimport models.losses\n\ndef main():\n    return Net, losses.kl(Anything), models.losses.kl, torch\n',
      'base.py': 'class Explainer:\n    def explain(self, x):\n        raise NotImplementedError\n',
    },
    planned: ['requirements.txt', 'models/__init__.py', 'models/net.py', 'models/losses.py'],
  },
  'a base class that another file makes concrete': {
    texts: {
      'base.py': 'class Explainer:\n    def explain(self, x):\n        raise NotImplementedError\n',
      'mask.py':
        'from base import Explainer\n\nclass Mask(Explainer):\n    def explain(self, x):\n        return x\n',
    },
  },
  'a cycle of star imports and a conditional binding': {
    texts: {
      'a.py': 'from b import *\nx = 1\n',
      'b.py': 'from a import *\ntry:\n    from fast import y\nexcept ImportError:\n    y = 2\n',
      'c.py': 'from a import x, y\nprint(x, y)\n',
    },
  },
};

describe('a repository without faults', () => {
  for (const [title, { texts, planned }] of Object.entries(CLEAN))
    it(`is clean with ${title}`, () => {
      assert.deepEqual(check(texts, planned), []);
    });
});

/** Title, what is added to the sound repository, and the one problem that follows: kind, path, symbol. */
const FAULTS: readonly (readonly [string, Texts, readonly [string, string, string]])[] = [
  [
    'a module that does not exist',
    { 'a.py': 'from models.nett import Net\n' },
    ['unresolved-import', 'a.py', 'models.nett'],
  ],
  [
    'a module that does not exist, imported whole',
    { 'a.py': 'import models.encoder\n' },
    ['unresolved-import', 'a.py', 'models.encoder'],
  ],
  [
    'a module of a name that repositories give their own',
    { 'a.py': 'from utils.seed import set_seed\n' },
    ['unresolved-import', 'a.py', 'utils.seed'],
  ],
  [
    'a package to be installed that is not there',
    { 'pyproject.toml': '[tool.setuptools]\npackages = ["models", "modls"]\n' },
    ['package-layout', 'pyproject.toml', 'modls'],
  ],
  [
    'a constant that a cycle asks for too early',
    {
      'a.py': 'from b import g\nN = 1\n\ndef f():\n    return g\n',
      'b.py': 'from a import N\n\ndef g():\n    return N\n',
    },
    ['unresolved-import', 'b.py', 'N from a.py'],
  ],
  [
    'a name that only type checkers have, through a star',
    {
      'kit/__init__.py': 'from .hooks import *\n',
      'kit/hooks.py':
        'from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from models.net import Net\n\nEVERY = 1\n',
      'a.py': 'from kit import EVERY, Net\n\nprint(EVERY, Net)\n',
    },
    ['unresolved-name', 'a.py', 'Net from kit'],
  ],
  [
    'a relative import of nothing',
    { 'models/a.py': 'from .layers import Layer\n' },
    ['unresolved-import', 'models/a.py', '.layers'],
  ],
  [
    'a relative import above the package',
    { 'models/a.py': 'from ..data.loader import load\n' },
    ['unresolved-import', 'models/a.py', '..data.loader'],
  ],
  [
    'a relative import outside a package',
    { 'a.py': 'from .models import Net\n' },
    ['unresolved-import', 'a.py', '.models'],
  ],
  [
    'a missing module in a function',
    {
      'a.py':
        'class T:\n    def fit(self):\n        from models.opt import Adam\n        return Adam\n',
    },
    ['unresolved-import', 'a.py', 'T.fit: models.opt'],
  ],
  [
    'a neighbour imported as if it were at the top',
    { 'models/a.py': 'from net import Net\n' },
    ['unresolved-import', 'models/a.py', 'net'],
  ],
  [
    'a misspelt package',
    { 'a.py': 'from model.net import Net\n' },
    ['unresolved-import', 'a.py', 'model.net'],
  ],
  [
    'a module inside a module',
    { 'a.py': 'import models.net.layers\n' },
    ['unresolved-import', 'a.py', 'models.net.layers'],
  ],
  [
    'a name that a module lacks',
    { 'a.py': 'from models.net import build_mdl\n' },
    ['unresolved-name', 'a.py', 'build_mdl from models.net'],
  ],
  [
    'a name that a package lacks',
    { 'a.py': 'from models import Encoder\n' },
    ['unresolved-name', 'a.py', 'Encoder from models'],
  ],
  [
    'a name that is only local over there',
    { 'b.py': 'def f():\n    inner = 1\n    return inner\n', 'a.py': 'from b import inner\n' },
    ['unresolved-name', 'a.py', 'inner from b'],
  ],
  [
    'a name imported relatively',
    { 'models/a.py': 'from .net import Network\n' },
    ['unresolved-name', 'models/a.py', 'Network from models.net'],
  ],
  [
    'a sub-module that is not there',
    { 'models/a.py': 'from . import layers\n' },
    ['unresolved-name', 'models/a.py', 'layers from models'],
  ],
  [
    'a package that imports itself',
    { 'data/__init__.py': 'from . import augment\n' },
    ['unresolved-name', 'data/__init__.py', 'augment from data'],
  ],
  [
    'a name that a package takes from a module of its own',
    { 'data/__init__.py': 'from data.loader import save\n' },
    ['unresolved-name', 'data/__init__.py', 'save from data.loader'],
  ],
  [
    'an attribute that a module lacks',
    { 'a.py': 'import models.net as net\nprint(net.Encoder())\n' },
    ['unresolved-name', 'a.py', 'Encoder from models.net'],
  ],
  [
    'an attribute by its full path',
    { 'a.py': 'import models.net\nprint(models.net.depth)\n' },
    ['unresolved-name', 'a.py', 'depth from models.net'],
  ],
  [
    'an attribute of a sub-module',
    { 'a.py': 'from data import loader\n\ndef f():\n    return loader.load_all()\n' },
    ['unresolved-name', 'a.py', 'load_all from data.loader'],
  ],
  [
    'a name behind a star',
    { 'b.py': 'from data.loader import *\n', 'a.py': 'from b import load, save\n' },
    ['unresolved-name', 'a.py', 'save from b'],
  ],
  [
    'a name that the star leaves out',
    { 'b.py': '_hidden = 1\n', 'c.py': 'from b import *\n', 'a.py': 'from c import _hidden\n' },
    ['unresolved-name', 'a.py', '_hidden from c'],
  ],
  [
    'a package that is not declared',
    { 'a.py': 'import scipy.stats\n', 'b.py': 'import scipy\n' },
    ['undeclared-package', 'requirements.txt', 'scipy'],
  ],
  [
    'a package of another name that is not declared',
    { 'a.py': 'from sklearn.svm import SVC\n' },
    ['undeclared-package', 'requirements.txt', 'scikit-learn'],
  ],
  [
    'a folder that is no package of an installed repository',
    {
      'pyproject.toml': '[project]\nname = "toy"\n',
      'envs/maze.py': 'SIZE = 3\n',
      'a.py': 'from envs.maze import SIZE\n',
    },
    ['package-layout', 'envs/__init__.py', ''],
  ],
  [
    "a module with the name of one of Python's",
    { 'random.py': 'SEED = 1\n' },
    ['shadowed-module', 'random.py', 'random'],
  ],
  [
    'a file that does not parse, and nothing about its importers',
    { 'b.py': 'def f(:\n    return 1\n', 'a.py': 'from b import g\n' },
    ['does-not-parse', 'b.py', ''],
  ],
  ['a file that is cut off', { 'b.py': 'def f():\n    return g(\n' }, ['cut-off', 'b.py', '']],
  ['an empty file', { 'b.py': '' }, ['empty', 'b.py', '']],
  [
    'a hollow method',
    { 'b.py': 'class A:\n    def fit(self):\n        pass\n' },
    ['hollow', 'b.py', 'A.fit'],
  ],
  [
    'an abstract method that nobody overrides',
    { 'b.py': 'class A:\n    def fit(self):\n        raise NotImplementedError\n' },
    ['hollow', 'b.py', 'A.fit'],
  ],
];

describe('a planted fault', () => {
  for (const [title, added, [kind, path, symbol]] of FAULTS)
    it(`is found: ${title}`, () => {
      const found = check({ ...SOUND, ...added });
      const ids = found.map((problem) => [problem.kind, problem.path, problem.symbol]);
      assert.deepEqual(ids, [[kind, path, symbol]]);
    });

  it('is told with its lines, why it matters and what to do', () => {
    const text =
      'from models.net import build_mdl\n\ndef f():\n    from models.net import build_mdl\n';
    const [problem] = check({ ...SOUND, 'a.py': text });
    assert.equal(
      problem?.message,
      'a.py takes `build_mdl` from `models.net` (lines 1 and 4), but models/net.py defines no such name, so it fails when it runs.',
    );
    assert.match(problem.remedy, /^Use `build_model`, which it has, or define `build_mdl`/);
  });

  it('is reported on the importer when no file declares packages', () => {
    const [problem] = check({ 'a.py': 'import torch\n' });
    assert.deepEqual(
      [problem?.kind, problem?.path, problem?.symbol],
      ['undeclared-package', 'a.py', 'torch'],
    );
  });

  it('is the same, in the same order, whatever order the files come in', () => {
    const added = FAULTS.slice(0, 12).flatMap(([, texts], i) => Object.entries(prefixed(texts, i)));
    const texts: Texts = { ...SOUND, ...Object.fromEntries(added) };
    const reversed = Object.fromEntries(Object.entries(texts).reverse());
    assert.deepEqual(check(reversed), check(texts));
  });
});

function prefixed(texts: Texts, index: number): Texts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      path.replace(/(\w+)\.py$/, `$1_${index}.py`),
      text,
    ]),
  );
}

describe('what a repository declares', () => {
  const CASES: readonly (readonly [string, string])[] = [
    ['requirements.txt', 'Torch_Geometric == 2.0 ; python_version > "3.8"\n'],
    ['requirements/base.txt', '--index-url x\ntorch-geometric[full]\n'],
    ['requirements-dev.txt', 'git+https://example.org/team/torch_geometric.git@main\n'],
    ['environment.yml', 'dependencies:\n  - python=3.10\n  - pip:\n      - torch-geometric==2\n'],
    ['environment.yaml', 'dependencies:\n  - conda-forge::torch-geometric=2\n'],
    ['pyproject.toml', '[tool.poetry.dependencies]\npython = "^3.10"\ntorch-geometric = "^2"\n'],
    ['pyproject.toml', '[project]\ndependencies = [\n  "x[y]>1", # why\n  "torch-geometric",\n]\n'],
    ['pyproject.toml', '[dependency-groups]\ngraph = ["torch-geometric"]\n'],
    ['setup.py', 'from setuptools import setup\nsetup(install_requires=["torch-geometric>=2"],)\n'],
  ];
  for (const [path, text] of CASES)
    it(`is read from ${path}: ${JSON.stringify(text.slice(0, 40))}`, () => {
      assert.deepEqual(check({ [path]: text, 'main.py': 'import torch_geometric.nn\n' }), []);
    });
});
