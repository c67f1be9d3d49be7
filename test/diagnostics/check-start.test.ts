import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkStart } from '../../src/diagnostics/check-start.ts';
import { mapModules } from '../../src/diagnostics/module-map.ts';
import { gather } from '../../src/diagnostics/sightings.ts';
import { readToldCommands } from '../../src/diagnostics/told-commands.ts';

type Texts = Readonly<Record<string, string>>;

const parser = await createParser();

function check(texts: Texts): string[] {
  const files = Object.entries(texts).map(([path, text]) => parser.parse(path, text));
  const map = mapModules(new Map(files.map((file) => [file.path, file])), []);
  return gather(checkStart(map, readToldCommands(map, []))).map(
    ({ kind, path, symbol }) => `${kind} ${path} ${symbol}`,
  );
}

const SCRIPT = 'if __name__ == "__main__":\n    print(run)\n';
const IN_FOLDER: Texts = {
  'model.py': 'def run():\n    return 1\n',
  'scripts/run.py': `from model import run\n\n${SCRIPT}`,
  'run.sh': 'python scripts/run.py\n',
};
const IN_PACKAGE: Texts = {
  'pruning/__init__.py': '',
  'pruning/masks.py': 'def run():\n    return 1\n',
  'pruning/train.py': `from .masks import run\n\n${SCRIPT}`,
  'README.md': 'Run `python pruning/train.py`.\n',
};

describe('a file that is started', () => {
  it('does not find modules at the root when it lies in a folder', () => {
    assert.deepEqual(check(IN_FOLDER), ['package-layout scripts/run.py model']);
  });

  it('has no relative imports', () => {
    assert.deepEqual(check(IN_PACKAGE), ['package-layout pruning/train.py .masks']);
  });

  it('is told once, whoever starts it', () => {
    const texts = { ...IN_FOLDER, 'README.md': 'Or `python scripts/run.py`.\n' };
    assert.equal(check(texts).length, 1);
  });

  const FINE: Readonly<Record<string, Texts>> = {
    'started as a module': {
      ...IN_FOLDER,
      'run.sh': 'python -m scripts.run\n',
    },
    'with its modules beside it': { ...IN_FOLDER, 'scripts/model.py': 'run = 1\n' },
    'in an installed repository': {
      ...IN_FOLDER,
      'pyproject.toml': '[project]\nname = "a"\n',
    },
    'with the root on its path': { ...IN_FOLDER, 'run.sh': 'PYTHONPATH=. python scripts/run.py\n' },
    'that puts the root on its path': {
      ...IN_FOLDER,
      'scripts/run.py': `import sys\nsys.path.insert(0, ".")\nfrom model import run\n\n${SCRIPT}`,
    },
  };
  for (const [title, texts] of Object.entries(FINE))
    it(`may be ${title}`, () => {
      assert.deepEqual(check(texts), []);
    });
});
