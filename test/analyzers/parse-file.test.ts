import assert from 'node:assert/strict';
import { createParser, type Parser } from '../../src/analyzers/parse-file.ts';
import { checkFile } from '../../src/diagnostics/check-file.ts';
import { interfaceWithFacts } from '../../src/diagnostics/interface-facts.ts';
import {
  FileInterface,
  namesOf,
  renderFacts,
  renderInterface,
} from '../../src/domain/interface.ts';

const parser = await createParser();
const parse: Parser['parse'] = (path, text) => parser.parse(path, text);
const interfaceOf = (text: string) => parse('a.py', text).interface;

describe('the interface of a Python file', () => {
  it('holds signatures as one line, with annotations, defaults and decorators', () => {
    const { definitions } = interfaceOf(
      [
        'async def fetch(',
        '    url: str,  # where from',
        '    *, retries: int = 3,',
        ') -> bytes:',
        '    """Fetch it.',
        '',
        '    More."""',
        '    return await get(url)',
        '',
        '@dataclass(frozen=True)',
        'class Config(Base, metaclass=Meta):',
        '    """Settings."""',
        '    rate: float = 0.1',
        '    names = ["a"]',
        '    @property',
        '    def width(self) -> int:',
        '        return 1',
        '    @staticmethod',
        '    def build(path): return path',
        '',
        'BATCH = 32',
      ].join('\n'),
    );
    assert.deepEqual(definitions, [
      {
        kind: 'function',
        name: 'fetch',
        signature: 'async def fetch(url: str, *, retries: int = 3) -> bytes',
        summary: 'Fetch it.',
        members: [],
      },
      {
        kind: 'class',
        name: 'Config',
        signature: '@dataclass class Config(Base, metaclass=Meta)',
        summary: 'Settings.',
        members: [
          { name: 'rate', signature: 'rate: float = 0.1', summary: '' },
          { name: 'names', signature: 'names = ["a"]', summary: '' },
          { name: 'width', signature: '@property def width(self) -> int', summary: '' },
          { name: 'build', signature: '@staticmethod def build(path)', summary: '' },
        ],
      },
      { kind: 'constant', name: 'BATCH', signature: 'BATCH = 32', summary: '', members: [] },
    ]);
  });

  it('holds the public attributes that a constructor sets, by name and annotation', () => {
    const whole = interfaceOf(
      [
        'class Net(nn.Module):',
        '    depth = 2',
        '    def __init__(self, width, other):',
        '        self.width = width',
        '        self.gate: nn.Linear = nn.Linear(width, 1)',
        '        self._cache = {}',
        '        self.depth = 3',
        '        self.a, self.b = other',
        '        other.c = 1',
        '        self.d.e = 1',
        '        if width > 2:',
        '            self.width = 2',
        '            self.wide = True',
        '        def inner(self):',
        '            self.f = 1',
        '    def fit(self):',
        '        self.late = 1',
        'class Plain:',
        '    def __init__(self):',
        '        pass',
      ].join('\n'),
    );
    assert.equal(
      renderInterface(whole),
      [
        'class Net(nn.Module)',
        '    fields: width, gate: nn.Linear, wide',
        '    depth = 2',
        '    def __init__(self, width, other)',
        '    def fit(self)',
        'class Plain',
        '    def __init__(self)',
      ].join('\n'),
    );
    assert.doesNotMatch(renderInterface(namesOf(whole)), /fields/);
    assert.deepEqual(FileInterface.parse(JSON.parse(JSON.stringify(whole))), whole);
  });

  it('tells keys of settings apart from other attributes', () => {
    const text = [
      'import yaml',
      'def load(path):',
      '    data = yaml.safe_load(open(path))',
      '    train = data["train"]',
      '    return train["lr"], train["steps"]',
      'def run(config, batch, model):',
      '    section = config["log"]',
      '    model.head.weight.copy_(batch.tokens.ids)',
      '    return section["every"], batch.seed, model.width',
    ].join('\n');
    const whole = interfaceWithFacts(parse('a.py', text));
    const shown = (keys: readonly string[]): string =>
      /^reads keys: (.*)$/m.exec(renderFacts(whole, keys))?.[1] ?? '';
    assert.equal(shown([]), 'train, train.lr, train.steps, log, log.every');
    assert.equal(shown(['seed']), 'train, train.lr, train.steps, log, log.every, seed');
  });

  it('never cuts lists of names, which others must spell alike, and cuts other long values', () => {
    const columns = Array.from({ length: 40 }, (_, index) => `"column_${index}"`).join(', ');
    const { definitions } = interfaceOf(
      [
        `COLUMNS: list[str] = IDENTITY + [${columns}]`,
        `CHOICES = (${columns}, *OTHERS)`,
        `UNITS = {${columns.replaceAll(', ', ': "s", ')}: "s"}`,
        `NUMBERS = [${'1.5, '.repeat(40)}2]`,
        `TEXTS = ["${'long '.repeat(60)}"]`,
        `DEEP = ${'['.repeat(2000)}${']'.repeat(2000)}`,
        '@dataclass',
        'class Row:',
        `    columns: tuple[str, ...] = (${columns})`,
        `    more: list[str] = field(default_factory=lambda: [${columns.slice(0, 150)}"])`,
      ].join('\n'),
    );
    const signatures = definitions.flatMap(({ signature, members }) => [
      signature,
      ...members.map((member) => member.signature),
    ]);
    const cut = signatures.filter((line) => line.endsWith('…')).map((line) => line.slice(0, 5));
    assert.deepEqual(cut, ['NUMBE', 'TEXTS', 'DEEP ']);
    assert.match(signatures[0] ?? '', /"column_39"\]$/);
  });

  it('names everything that may be bound at module level, and nothing that is local', () => {
    const { names } = interfaceOf(
      [
        'import a.b, c as d',
        'from .e import f as g, h',
        'try:\n    import i\nexcept ImportError as j:\n    i = None',
        'if x:\n    k = 1\nelse:\n    l: int = 2',
        'for m, (n, *o) in []:\n    pass',
        'with open(p) as q, r() as (s, t):\n    pass',
        'u = v = 1',
        'w.attribute = 1; y[0] = 1',
        'print((z := 1))',
        'def aa(bb):\n    cc = 1\n    global dd\n    dd = 2',
        'class ee:\n    ff = 1',
        '[gg for gg in []]',
      ].join('\n'),
    );
    const expected = 'a d g h i j k l m n o q s t u v z aa dd ee'.split(' ').sort();
    assert.deepEqual([...names].sort(), expected);
  });

  it('tells guarded imports from plain ones', () => {
    const { imports } = interfaceOf(
      'import a\nfrom ..b.c import d as e\ntry:\n    import f\nexcept ImportError:\n    pass\nif TYPE_CHECKING:\n    import g\ndef h():\n    from . import i\n',
    );
    assert.deepEqual(
      imports.map(({ module, level, guarded }) => [module, level, guarded]),
      [
        ['a', 0, false],
        ['b.c', 2, false],
        ['f', 0, true],
        ['g', 0, true],
        ['', 1, true],
      ],
    );
    assert.deepEqual(imports[1]?.names, [{ name: 'd', alias: 'e' }]);
  });

  for (const text of [
    'def __getattr__(name):\n    return name\n',
    'globals()["a"] = 1\n',
    'globals().update(a=1)\n',
    'import sys\nsys.modules[__name__] = object()\n',
  ])
    it(`is dynamic for ${JSON.stringify(text)}`, () => {
      assert.equal(interfaceOf(text).dynamic, true);
    });

  it('reads a literal __all__ and gives up on a computed one', () => {
    assert.deepEqual(parse('a.py', '__all__ = ["x", "y"]\n__all__ += ["z"]').exported, [
      'x',
      'y',
      'z',
    ]);
    assert.equal(parse('a.py', '__all__ = [n for n in dir()]').exported, null);
  });

  it('still holds what it can of a file that does not parse', () => {
    const file = parse('a.py', 'def f(x):\n    return x\n\ny = )\n\ndef g():\n    return 1\n');
    assert.equal(file.problems[0]?.kind, 'does-not-parse');
    assert.ok(file.interface.names.includes('f'));
  });
});

const kindsOf = (path: string, text: string): string[] =>
  checkFile(parse(path, text), text).map(({ kind, symbol }) => `${kind} ${symbol}`.trim());

describe('a file that must not be accepted', () => {
  const CASES: readonly (readonly [string, string, string, string[]])[] = [
    ['is empty', 'a.py', ' \n', ['empty']],
    ['holds only comments', 'a.py', '"""Doc."""\n# nothing\n', ['empty']],
    ['has a stray bracket', 'a.py', 'x = (1, 2))\n', ['does-not-parse']],
    ['forgets a bracket', 'a.py', 'x = f(1,\n\ndef g():\n    return 1\n', ['does-not-parse']],
    ['forgets a quote', 'a.py', 'x = "abc\ny = 1\n', ['does-not-parse']],
    ['has a function without a body', 'a.py', 'def f():\nx = 1\n', ['does-not-parse']],
    ['is wrongly indented', 'a.py', 'x = 1\n    y = 2\n', ['does-not-parse']],
    ['is Python 2', 'a.py', 'print "hello"\n', ['does-not-parse']],
    ['is prose', 'a.py', 'Here is the code you asked for:\n\nx = 1\n', ['does-not-parse']],
    ['keeps its fence', 'a.py', '```python\nx = 1\n```\n', ['does-not-parse']],
    ['has a try alone', 'a.py', 'try:\n    x = 1\ny = 2\n', ['does-not-parse']],
    ['ends in a call', 'a.py', 'def f():\n    return g(1,\n', ['cut-off']],
    ['ends in a string', 'a.py', 'x = """abc\n\nmore', ['cut-off']],
    ['ends after an operator', 'a.py', 'x = 1\ny = x +', ['cut-off']],
    ['ends after a def', 'a.py', 'x = 1\n\ndef f(a):\n', ['cut-off']],
    ['leaves out the rest', 'a.py', 'x = 1\n# ... rest of the code unchanged\n', ['cut-off']],
    ['leaves out the middle', 'a.py', 'x = 1\n# ... (existing code)\ny = 2\n', ['cut-off']],
    ['leaves out methods', 'a.py', 'x = 1\n# remaining methods unchanged\ny = 2\n', ['cut-off']],
    ['ends in dots', 'a.py', 'x = 1\n# ...\n', ['cut-off']],
    ['is JSON cut off', 'a.json', '{"a": [1, 2', ['cut-off']],
    ['is broken JSON', 'a.json', '{"a": 1,, "b": 2}', ['does-not-parse']],
    ['is broken YAML', 'a.yaml', 'a: [1, 2\nb: 3\n', ['does-not-parse']],
    ['is YAML with a gap', 'a.yaml', 'a: 1\n# ... rest of the config\n', ['cut-off']],
    ['is Markdown cut off', 'README.md', '# A\n\n```sh\npython a.py\n', ['cut-off']],
    ['holds a NUL', 'a.py', 'x = 1\0\n', ['does-not-parse']],
  ];
  for (const [title, path, text, kinds] of CASES)
    it(title, () => {
      assert.deepEqual(kindsOf(path, text), kinds);
    });

  it('is described with its line and what to do', () => {
    const text = 'x = 1\n\ny = (2))\n';
    const [problem] = checkFile(parse('pkg/a.py', text), text);
    assert.equal(
      problem?.message,
      'pkg/a.py: line 3: unexpected ")" in `y = (2))`; nothing in it can be loaded.',
    );
    assert.equal(problem.symbol, '');
  });
});

describe('a file that is fine', () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ['an empty __init__.py', 'a/__init__.py', ''],
    ['several YAML documents', 'a.yaml', 'a: 1\n---\nb: &x [1]\nc: *x\n'],
    ['a YAML tag', 'a.yaml', 'a: !!python/tuple [1, 2]\n'],
    [
      'a text about the rest',
      'a.py',
      '# the rest of the batch is padded\n# ... and then masked\nx = 1\n',
    ],
    [
      'new syntax',
      'a.py',
      'match x:\n    case [a, *b]:\n        y = f"{a!r:>{b}}"\ntype T = int\n',
    ],
    ['tabs and form feeds', 'a.py', 'if x:\n\ty = 1\n\f\nz = 2\n'],
    ['one-line blocks', 'a.py', 'if x: y = 1; z = 2\nclass A: x = 1\n'],
    ['nested fences', 'a.md', '````md\n```\n````\n'],
    ['a byte order mark', 'a.py', '\ufeffx = 1\n'],
    ['Windows line ends', 'a.py', 'def f(x):\r\n    return x\r\n'],
    ['TOML', 'a.toml', 'a = 1\n'],
  ];
  for (const [title, path, text] of CASES)
    it(`may be ${title}`, () => {
      assert.deepEqual(kindsOf(path, text), []);
    });
});

describe('hollow functions', () => {
  const HOLLOW: readonly (readonly [string, string])[] = [
    ['pass', 'def f():\n    pass\n'],
    ['an ellipsis', 'def f(): ...\n'],
    ['a docstring', 'def f():\n    """Trains the model."""\n'],
    ['NotImplementedError', 'def f(x):\n    """Doc."""\n    raise NotImplementedError\n'],
    ['NotImplementedError with a message', 'def f():\n    raise NotImplementedError("later")\n'],
    ['a TODO and None', 'def f():\n    # TODO: implement\n    return None\n'],
    ['a placeholder and zero', 'def f():\n    return 0.0  # placeholder\n'],
    ['pass that is to be done', 'def f():\n    pass  # TODO\n'],
  ];
  for (const [title, text] of HOLLOW)
    it(`are found by ${title}`, () => {
      assert.deepEqual(kindsOf('a.py', text), ['hollow f']);
    });

  it('are named with their class', () => {
    const text = 'class Trainer:\n    def fit(self, data):\n        pass\n';
    assert.deepEqual(kindsOf('a.py', text), ['hollow Trainer.fit']);
  });

  it('are special methods that are asked for a value', () => {
    const text = 'class Net:\n    def __call__(self, x):\n        pass\n';
    assert.deepEqual(kindsOf('a.py', text), ['hollow Net.__call__']);
  });

  it('are tests that test nothing, but not the doubles in tests', () => {
    const text = 'def test_loss():\n    pass\n\nclass Fake:\n    def log(self): pass\n';
    assert.deepEqual(kindsOf('tests/test_a.py', text), ['hollow test_loss']);
  });

  const ALLOWED: readonly (readonly [string, string])[] = [
    ['an abstract method', 'class A(ABC):\n    @abstractmethod\n    def f(self): ...\n'],
    ['a protocol', 'class A(Protocol):\n    def f(self) -> int: ...\n'],
    ['an overload', '@overload\ndef f(x: int) -> int: ...\ndef f(x):\n    return x\n'],
    ['an exception', 'class E(ValueError):\n    pass\n'],
    ['pass with its reason', 'def f():\n    pass  # the scheduler steps per batch instead\n'],
    [
      'a message about subclasses',
      'class A:\n    def f(self):\n        raise NotImplementedError("subclasses decide")\n',
    ],
    ['a base class', 'class BaseModel:\n    def loss(self):\n        raise NotImplementedError\n'],
    [
      'a method overridden below',
      'class A:\n    def f(self):\n        raise NotImplementedError\nclass B(A):\n    def f(self):\n        return 1\n',
    ],
    ['a command group', '@click.group()\ndef cli():\n    """Tools."""\n'],
    ['an empty constructor', 'class A:\n    def __init__(self):\n        pass\n'],
    [
      'a case not supported',
      'def f(x):\n    if x:\n        raise NotImplementedError(x)\n    return 1\n',
    ],
    ['None as a result', 'def f():\n    return None\n'],
    ['a marker class', 'class Missing:\n    pass\n'],
  ];
  for (const [title, text] of ALLOWED)
    it(`are not found in ${title}`, () => {
      assert.deepEqual(kindsOf('a.py', text), []);
    });
});

describe('hostile input', () => {
  const CASES: readonly (readonly [string, string, string])[] = [
    ['brackets 60,000 deep', 'a.py', `x = ${'('.repeat(60_000)}`],
    ['balanced brackets 40,000 deep', 'a.py', `x = ${'('.repeat(40_000)}1${')'.repeat(40_000)}`],
    ['a megabyte of lines', 'a.py', 'x = 1\n'.repeat(170_000)],
    ['a megabyte of noise', 'a.py', '{]x('.repeat(250_000)],
    ['noise', 'a.py', '{]x('.repeat(30_000)],
    ['NULs', 'a.py', '\0'.repeat(10_000)],
    ['JSON nested deep', 'a.json', '['.repeat(200_000)],
    ['YAML nested deep', 'a.yaml', '['.repeat(20_000)],
    [
      'a YAML bomb',
      'environment.yml',
      `a: &a [x]\n${'b: &b [*a,*a,*a,*a]\n'.repeat(1)}dependencies: [*b,*b,*b]\n`,
    ],
    ['half a surrogate', 'a.py', 'x = "\ud800"\n'],
    ['attributes 20,000 deep', 'a.py', `x = a${'.b'.repeat(20_000)}`],
    ['calls 10,000 deep', 'a.py', `x = a${'.to()'.repeat(10_000)}`],
    ['an unfinished script', 'a.sh', 'if ('.repeat(2_000)],
    ['quotes', 'a.py', '"\''.repeat(50_000)],
  ];
  for (const [title, path, text] of CASES)
    it(`survives ${title}`, () => {
      const startedAt = performance.now();
      const file = parse(path, text);
      assert.doesNotThrow(() => JSON.stringify(file));
      // Generous: the bound is two seconds on an idle machine.
      assert.ok(performance.now() - startedAt < 10_000);
    }).timeout(20_000);
});

describe('a comprehension that copies a mapping', () => {
  it('is read whatever it binds', () => {
    for (const target of ['(k, v)', 'k, (a, b)', 'k'])
      assert.doesNotThrow(() => parse('a.py', `d = {k: v for ${target} in x.items()}\n`));
  });
});
