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

/** Operations of all kinds on objects of a class without any, and what may be of another class. */
const OPERATIONS: Readonly<Record<string, string>> = {
  'settings.py': [
    'class Settings:',
    '    def __init__(self, values=None):',
    '        self.values = values or {}',
    'class Table:',
    '    def __getitem__(self, at):',
    '        return at',
    'class Wide(Table):',
    '    def __len__(self):',
    '        return 1',
    'class Half:',
    '    def __enter__(self):',
    '        return self',
    'class Guessed:',
    '    x = 1',
    'def load(path) -> Settings:',
    '    return Settings(path)',
    'def either(path):',
    '    return Settings() if path else {}',
    '',
  ].join('\n'),
  'use.py': [
    'from typing import Optional, Union',
    'from settings import Guessed, Half, Settings, Table, either, load',
    'def asked(s: Settings, key: str):',
    '    return key in s, key not in s',
    'def gone_through(path):',
    '    return [key for key in load(path)], list(load(path))',
    'def subscripted(path):',
    '    s = load(path)',
    '    s["a"] = s["b"]',
    'def measured(path):',
    '    return len(load(path)), -load(path), load(path) + 1, load(path) < load(path)',
    'def entered():',
    '    with Half() as half:',
    '        return half',
    'def entered_both(s: Settings):',
    '    with s:',
    '        return 1',
    'def called(s: Settings):',
    '    return s("a")',
    'async def awaited(s: Settings):',
    '    return await s',
    'def of_two(u: Union[Settings, dict], o: Optional[Settings], path):',
    '    return u["a"], [k for k in either(path)], either(path)["a"], "a" in u, len(u), o["a"]',
    'def guessed(g=Guessed()):',
    '    return g[0], len(g)',
    'def by_items(t: Table):',
    '    return [row for row in t], 1 in t, len(t)',
    'def told(s: Settings):',
    '    return s["a"] if isinstance(s, dict) else [k for k in s] if hasattr(s, "__iter__") else 1',
    'def tried(s: Settings):',
    '    try:',
    '        return s["a"]',
    '    except TypeError:',
    '        return 1',
    '',
  ].join('\n'),
};

const UNPROVIDED = [
  'asked: Settings.__contains__',
  'gone_through: Settings.__iter__',
  'subscripted: Settings.__getitem__',
  'subscripted: Settings.__setitem__',
  'measured: Settings.__len__',
  'measured: Settings.__neg__',
  'measured: Settings.__add__',
  'measured: Settings.__lt__',
  'entered: Half.__exit__',
  'entered_both: Settings.__enter__',
  'called: Settings.__call__',
  'awaited: Settings.__await__',
];

/** Attributes that a class lacks: of objects of it alone, and of what may be a package's instead. */
const UNIONS: Readonly<Record<string, string>> = {
  'op.py': [
    'from typing import Union',
    'from torch import Tensor',
    'class Op:',
    '    def turned(self) -> "Op":',
    '        """Says -> Tensor."""',
    '        return self',
    '    def times(self, other: Union[Tensor, "Op"]) -> Union[Tensor, "Op"]:',
    '        """Says -> Op"""',
    '        return other',
    '    def guessed(self, path):',
    '        return Tensor(path) if path else Op()',
    '    @property',
    '    def flat(self) -> "Op":',
    '        return self',
    '',
  ].join('\n'),
  'use.py': [
    'from typing import Optional, Union',
    'import torch',
    'from op import Op',
    'def certain(o: Op):',
    '    return o.lost_a, o.turned().lost_b, o.flat.lost_c, Op().lost_d, Op.lost_e',
    'def optional(o: Optional[Op] = None):',
    '    return o.lost_f',
    'def asked(o):',
    '    if isinstance(o, Op):',
    '        return o.lost_g',
    'def of_either(o: Union[torch.Tensor, Op], a: Op, path):',
    '    res = a.times(o) if path else a',
    '    return o.norm(), a.times(o).norm(), a.times(o).flat.norm(), res.norm(), a.guessed(1).norm()',
    'def narrowed(o: Union[float, torch.Tensor, Op]):',
    '    return o.view(1) if torch.is_tensor(o) else 1',
    'def of_default(o=Op()):',
    '    return o.norm()',
    'def of_parts(os: list, o: Op):',
    '    return (os[0] if os else o).norm()',
    '',
  ].join('\n'),
};

const LOST = ['lost_a', 'lost_b', 'lost_c', 'lost_d', 'lost_e'];

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

  it('finds operations that a class of the repository does not provide for, and no others', async () => {
    const problems = await checked(pyright, OPERATIONS);
    assert.deepEqual(
      problems.map(({ path, symbol }) => `${path} ${symbol}`),
      UNPROVIDED.map((symbol) => `use.py ${symbol}`),
    );
    assert.match(
      problems[0]?.message ?? '',
      /^use\.py \(lines? 4\) asks with `in` what is in a `Settings` of settings\.py, which defines no `__contains__`, so that it fails\./,
    );
  });

  it("says that an attribute is lacking only where the object can be of no class but the repository's", async () => {
    const problems = await checked(pyright, UNIONS);
    assert.deepEqual(
      problems.map(({ path, symbol }) => `${path} ${symbol}`),
      [
        ...LOST.map((name) => `use.py certain: Op.${name}`),
        ...['use.py optional: Op.lost_f', 'use.py asked: Op.lost_g'],
      ],
    );
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
