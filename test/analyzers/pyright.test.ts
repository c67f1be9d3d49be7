import assert from 'node:assert/strict';
import { createPyright, type Pyright } from '../../src/analyzers/pyright.ts';
import { openPipe } from '../../src/processes/open-pipe.ts';

/** Faults between files that only types show. */
const FAULTY: Readonly<Record<string, string>> = {
  'pkg/__init__.py': '',
  'pkg/model.py':
    'import torch\n\nclass Model:\n    def __init__(self, width):\n        self.width = width\n\n    def fit(self, rows, epochs):\n        return torch.zeros(self.width)\n\ndef build(name):\n    return Model(len(name))\n',
  'pkg/train.py':
    'import os\n\nfrom pkg.model import build\n\ndef train(out):\n    os.makedirs(out, exists_ok=True)\n    model = build("small")\n    model.fit([1], 2, 3)\n    return model.depth\n',
  'pkg/torch/__init__.py': '',
};

const SYMBOLS = ['train: makedirs', 'train: fit', 'train: Model.depth'];

describe('pyright', function () {
  this.timeout(120_000);
  let pyright: Pyright;
  before(() => {
    pyright = createPyright(openPipe);
  });
  after(() => pyright.end());

  it('finds faults between files, and takes packages that are not there for anything', async () => {
    const problems = await checked(pyright, FAULTY);
    assert.deepEqual(
      problems.map(({ path, symbol }) => `${path} ${symbol}`),
      SYMBOLS.map((symbol) => `pkg/train.py ${symbol}`),
    );
    assert.match(
      problems[1]?.message ?? '',
      /^pkg\/train\.py \(line 8\) calls `model\.fit` wrongly \(it takes only 2 arguments by position\), which fails\.$/,
    );
  });

  it('says the same in any order, after another tree, and after it was killed', async () => {
    const first = await checked(pyright, FAULTY);
    const { 'pkg/model.py': gone, ...rest } = FAULTY;
    assert.ok(gone);
    // What is gone is unknown, so nothing is said of it.
    const without = await checked(pyright, rest);
    assert.deepEqual(
      without.map(({ symbol }) => symbol),
      SYMBOLS.slice(0, 1),
    );
    const mended = {
      ...FAULTY,
      'pkg/train.py': 'from pkg.model import build\n\nbuild("a").fit([], 1)\n',
    };
    assert.deepEqual(await checked(pyright, mended), []);
    const pid = pyright.pid();
    assert.ok(pid);
    process.kill(pid, 'SIGKILL');
    const other = { ...FAULTY, 'pkg/more.py': 'x = 1\n' };
    assert.deepEqual(await checked(pyright, other), first);
    assert.notEqual(pyright.pid(), pid);
    const backwards = Object.fromEntries(Object.entries(FAULTY).reverse());
    assert.deepEqual(await checked(pyright, backwards), first);
  });

  it('says why it did not run where its program cannot be started or takes too long', async () => {
    const texts = new Map([['a.py', 'x = 1\n']]);
    const none = createPyright((request) => openPipe({ ...request, command: '/nowhere/node' }));
    const answer = await none.check(texts);
    assert.equal(answer.kind, 'not-run');
    assert.match(answer.reason, /did not start: .*ENOENT/);
    const hasty = createPyright(openPipe, { baseMs: 1, perFileMs: 0 });
    const late = await hasty.check(texts);
    assert.deepEqual(late, { kind: 'not-run', reason: 'it took longer than 0.001 seconds' });
    assert.equal(hasty.pid(), undefined);
  });
});

async function checked(pyright: Pyright, tree: Readonly<Record<string, string>>) {
  const answer = await pyright.check(new Map(Object.entries(tree)));
  if (answer.kind === 'not-run') throw new Error(answer.reason);
  return answer.problems;
}
