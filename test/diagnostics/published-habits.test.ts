import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

function idsOf(texts: Texts): string[] {
  const files = Object.entries(texts).map(([path, text]) => parser.parse(path, text));
  const problems = checkTree({
    files: new Map(files.map((file) => [file.path, file])),
    planned: [],
  });
  return problems
    .filter(({ path }) => path !== 'big.py')
    .map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);
}

/** What sound packages hold, each once taken for a fault. */
const SILENT: Readonly<Record<string, Texts>> = {
  'three backticks within a line': {
    'README.md':
      'Install it:\n\n```pip install -U thing```\n\nand, from sources:\n\n```pip install -e .```\n\nThat is all.\n',
  },
  'a recipe that is a template of YAML': {
    '.conda/meta.yaml':
      '{% set data = load_setup_py_data() %}\n\npackage:\n  name: thing\n  version: {{ data["version"] }}\n',
  },
  'a program that the reader writes first': {
    'README.md':
      '# Thing\n\n```python\n# main.py\nimport os\n\nprint(os.name)\n```\n\nThen:\n\n```bash\npython main.py\n```\n',
  },
  'needs in lists of lists, added to, beside a project file of tools': {
    'pyproject.toml': '[tool.black]\nline-length = 100\n',
    'setup.py':
      'from setuptools import setup\n\ninstall_requires = [">=".join(["torch", "2.0"])]\ninstall_requires += ["scipy"]\nsetup(\n    name="thing",\n    install_requires=install_requires,\n    extras_require={\n        "extra": ["pandas", "rich"],\n        "dev": ["matplotlib"],\n    },\n)\n',
    'thing.py':
      'import matplotlib\nimport pandas\nimport rich\nimport scipy\nimport torch\n\nX = [matplotlib, pandas, rich, scipy, torch]\n',
  },
  'what only the documentation’s builder needs': {
    'requirements.txt': 'numpy\n',
    'docs/source/conf.py': 'import sphinx_rtd_theme\n\nhtml_theme = sphinx_rtd_theme.__name__\n',
    '.github/tool.py': 'import libcst\n\nprint(libcst)\n',
  },
  'a module that is compiled': {
    'setup.py':
      'from pybind11.setup_helpers import Pybind11Extension\nfrom setuptools import setup\n\nsetup(\n    name="thing",\n    ext_modules=[Pybind11Extension("thing._fast", ["ext/fast.cpp"])],\n    install_requires=["pybind11"],\n)\n',
    'src/thing/__init__.py': '',
    'src/thing/base.py':
      'from thing import _fast\nfrom thing._fast import go\n\nX = [_fast.run, go]\n',
  },
  'a package below src with the name of its distribution': {
    'src/lightning/__init__.py': 'from lightning.core import Trainer\n\n__all__ = ["Trainer"]\n',
    'src/lightning/core.py': 'class Trainer:\n    x = 1\n',
  },
  'a library with the name of a module deep in a package': {
    'requirements.txt': 'deepspeed\n',
    'tools/run.py': 'import sys\n\nsys.path.insert(0, ".")\nprint(sys.path)\n',
    'pkg/__init__.py': '',
    'pkg/precision/__init__.py': '',
    'pkg/precision/deepspeed.py': 'class Precision:\n    x = 1\n',
    'pkg/strategy.py':
      'import deepspeed\nfrom deepspeed.runtime import Engine\n\nfrom pkg.precision.deepspeed import Precision\n\nX = [deepspeed.initialize, Engine, Precision]\n',
  },
  'tests of a base that an heir leaves out': {
    'requirements.txt': 'numpy\n',
    'tests/test_a.py':
      'import unittest\n\nclass TestA(unittest.TestCase):\n    def test_exp(self):\n        self.assertEqual(1, 1)\n\nclass TestB(TestA):\n    def test_exp(self):\n        pass\n',
  },
  'a hook that a class of another file fills': {
    'a.py':
      'class Loss:\n    def prepare(self, x):\n        pass\n    def finish(self, x):\n        """Called last."""\n    def run(self, x):\n        self.prepare(x)\n        self.finish(x)\n        return x\n',
    'b.py':
      'from a import Loss\n\nclass Margin(Loss):\n    def prepare(self, x):\n        x.append(1)\n    def finish(self, x):\n        x.append(2)\n',
  },
  'a method of an heir of what cannot be read': {
    'b.py':
      'from big import Table\n\nclass Short(Table):\n    def plot(self, x):\n        raise NotImplementedError("A short table has no plot.")\n',
    'big.py': `class Table:\n    def plot(self, x):\n        return x\n${'# filling\n'.repeat(16_000)}`,
  },
  'a constructor that returns what the base’s returned': {
    'a.py':
      'class Base:\n    x = 1\n\nclass Heir(Base):\n    def __init__(self):\n        return super().__init__()\n',
  },
  'a method that an heir takes away': {
    'a.py':
      'class Table:\n    def plot(self, x):\n        return x\n    def show(self, x):\n        return x + 1\n',
    'b.py':
      'from a import Table\n\nclass Short(Table):\n    def plot(self, x):\n        raise NotImplementedError("A short table has no plot.")\n',
  },
};

describe('what published packages do', () => {
  for (const [title, texts] of Object.entries(SILENT))
    it(`is no fault: ${title}`, () => {
      assert.deepEqual(idsOf(texts), []);
    });

  it('is still one where nothing fills a hook, and nothing was inherited', () => {
    const texts = {
      'a.py':
        'class Loss:\n    def prepare(self, x):\n        pass\n    def show(self, x):\n        raise NotImplementedError\n\nclass Margin(Loss):\n    def finish(self, x):\n        pass\n    def show(self, x):\n        raise NotImplementedError\n',
      'tests/test_a.py': 'class TestA:\n    def test_exp(self):\n        pass\n',
    };
    assert.deepEqual(idsOf(texts).sort(), [
      'hollow a.py Loss.prepare',
      'hollow a.py Margin.finish',
      'hollow a.py Margin.show',
      'hollow tests/test_a.py TestA.test_exp',
    ]);
  });

  it('is still one where a package is needed and named nowhere', () => {
    const texts = {
      'setup.py': 'from setuptools import setup\n\nsetup(install_requires=["torch"])\n',
      'pyproject.toml': '[tool.black]\nline-length = 100\n',
      'a.py': 'import scipy\nimport rich\n\nX = [scipy, rich]\n',
    };
    assert.deepEqual(idsOf(texts), [
      'undeclared-package setup.py scipy',
      'undeclared-package setup.py rich',
    ]);
  });
});
