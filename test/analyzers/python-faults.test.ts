import assert from 'node:assert/strict';
import { createParser, type Parser } from '../../src/analyzers/parse-file.ts';

let parser: Parser;
before(async () => {
  parser = await createParser();
});

function faults(text: string, path = 'src/a.py'): string[] {
  const file = parser.parse(path, text);
  assert.deepEqual(file.problems, []);
  return file.faults.map(({ kind, symbol }) => `${kind} ${symbol}`);
}

describe('silent fallbacks', () => {
  const found: readonly [string, string][] = [
    [
      'a stand-in',
      'try:\n    import gym\nexcept ImportError:\n    class DummyGym:\n        x = 1\n',
    ],
    [
      'made-up data',
      'def load():\n    try:\n        return load_dataset("x")\n    except Exception:\n        return np.random.rand(3)\n',
    ],
    [
      'random data in the place of a module that is not there',
      'try:\n    from data import make\nexcept ImportError:\n    def make(n):\n        return np.random.randn(n)\n',
    ],
    [
      'synthetic data by name',
      'try:\n    data = load_data(path)\nexcept FileNotFoundError:\n    data = make_synthetic_data(10)\n',
    ],
    [
      'ignored errors',
      'for x in xs:\n    try:\n        train(x)\n    except Exception:\n        pass\n',
    ],
    ['a bare except', 'try:\n    train(x)\nexcept:\n    pass\n'],
  ];
  for (const [name, text] of found)
    it(`are found: ${name}`, () => {
      assert.equal(faults(text).length, 1);
      assert.match(faults(text)[0] ?? '', /^silent-fallback/);
      assert.deepEqual(faults(text, 'tests/test_a.py'), []);
    });

  const clean: readonly [string, string][] = [
    ['an optional package', 'try:\n    import wandb\nexcept ImportError:\n    wandb = None\n'],
    [
      'a failure with a hint',
      'try:\n    d = load_dataset("x")\nexcept Exception as e:\n    raise SystemExit("get it") from e\n',
    ],
    ['clean-up', 'try:\n    os.remove(path)\nexcept OSError:\n    pass\n'],
    [
      'a random draw elsewhere',
      'try:\n    x = table[key]\nexcept KeyError:\n    x = np.random.rand()\n',
    ],
    [
      'another version of a module',
      'try:\n    import tomllib\nexcept ImportError:\n    import tomli as tomllib\n',
    ],
  ];
  for (const [name, text] of clean)
    it(`are not seen in ${name}`, () => {
      assert.deepEqual(faults(text), []);
    });
});

describe('ignored inputs', () => {
  it('are parameters that a function of this file accepts and never reads', () => {
    assert.deepEqual(faults('def loss(x, weight: float = 0.1):\n    return x.sum()\n'), [
      'ignored-input loss: weight',
    ]);
    assert.deepEqual(
      faults(
        'class Net(nn.Module):\n    def __init__(self, width, dropout=0.1):\n        super().__init__()\n        self.a = Linear(width)\n',
      ),
      ['ignored-input Net.__init__: dropout'],
    );
  });

  it('are flags that a script parses, keeps to itself and never reads', () => {
    const script = (use: string) =>
      `def main():\n    p = argparse.ArgumentParser()\n    p.add_argument("--seed")\n    p.add_argument("--dry-run")\n    args = p.parse_args()\n    ${use}\n`;
    assert.deepEqual(faults(script('run(args.seed)')), ['ignored-input --dry-run']);
    assert.deepEqual(faults(script('run(args.seed, args.dry_run)')), []);
    assert.deepEqual(faults(script('run(args)')), []);
    assert.deepEqual(faults(script('run(**vars(args))')), []);
  });

  const clean: readonly [string, string][] = [
    ['methods, which may override', 'class A(B):\n    def step(self, x, y):\n        return x\n'],
    [
      'constructors of a family',
      'class A(Base):\n    def __init__(self, x, seed):\n        self.x = x\n',
    ],
    ['functions of a registry', 'def a(x, seed):\n    return x\n\nALL = {"a": a}\n'],
    ['functions registered by name', 'def a(x, seed):\n    return x\n\nNAMES = ["a"]\n'],
    ['decorated functions', '@register\ndef a(x, seed):\n    return x\n'],
    [
      'functions with the same parameters',
      'def a(x, s):\n    return x\n\ndef b(x, s):\n    return s\n',
    ],
    [
      'functions whose parameters have the same names',
      'def a(x, s=0):\n    return x\n\ndef b(x: int, s):\n    return s\n',
    ],
    ['underscores and stars', 'def a(x, _y, *args, **kw):\n    return x\n'],
    ['what is deleted with a reason', 'def a(x, y):\n    del y  # as its siblings\n    return x\n'],
    ['inner functions', 'def a(x):\n    def b(y):\n        return x\n    return b\n'],
    ['what reads all variables', 'def a(x, y):\n    return run(locals())\n'],
    ['a use inside an f-string', 'def a(x):\n    return f"{x}"\n'],
    ['abstract methods', 'class A(ABC):\n    def __init__(self, x):\n        """x."""\n'],
  ];
  for (const [name, text] of clean)
    it(`are not seen in ${name}`, () => {
      assert.deepEqual(faults(text), []);
    });
});

describe('dropped values', () => {
  it('are losses that nothing uses, and terms that a literal zero takes away', () => {
    assert.deepEqual(
      faults('def step(x):\n    kl_loss = kl(x)\n    loss = mse(x)\n    return loss\n'),
      ['dropped-value step: kl_loss'],
    );
    assert.deepEqual(faults('def step(a, kl):\n    return a + 0.0 * kl\n'), [
      'dropped-value step: kl',
    ]);
  });

  it('are not seen in what is used, explained, not a call or no quantity', () => {
    assert.deepEqual(
      faults(
        'def step(x, kl):\n    loss = mse(x)\n    y = f(x)\n    entropy = None\n    total = loss + 0.0 * kl  # keeps the graph whole\n    return total\n',
      ),
      [],
    );
    assert.deepEqual(faults('def f(x):\n    return 0.0 * x\n'), []);
  });
});
