import assert from 'node:assert/strict';
import { typeFaults } from '../../src/diagnostics/type-faults.ts';

/** As pyright 1.1.414 says it: rule, message, and what it says of the expression's name. */
interface Said {
  readonly rule: string;
  readonly message: string;
  readonly of?: string;
}

const OF = '(parameter) s: Settings';
const CLASS = 'class Settings:\n    x = 1\n';

/** The faults of one line in a function that takes `s: Settings`. */
function symbols(
  line: string,
  said: Said,
  settings = CLASS,
  head = 'def run(s: Settings):',
): string[] {
  const text = `from settings import Settings\n${head}\n    ${line}\n`;
  const expression = /\bs\b/.exec(line)?.index ?? 0;
  const start = { line: 2, column: 4 + expression };
  const end = { line: 2, column: 5 + expression };
  const texts = new Map([
    ['settings.py', settings],
    ['use.py', text],
  ]);
  return typeFaults(texts, [{ path: 'use.py', ...said, start, end }]).map(({ symbol }) => symbol);
}

const ITERATES: Said = {
  rule: 'reportGeneralTypeIssues',
  message: '"Settings" is not iterable\n  "__iter__" method not defined',
  of: OF,
};
const INDEXES: Said = {
  rule: 'reportIndexIssue',
  message: '"__getitem__" method not defined on type "Settings"',
  of: OF,
};
const CONTAINS: Said = {
  rule: 'reportOperatorIssue',
  message: 'Operator "in" not supported for types "str" and "Settings"',
};
const LENGTH: Said = {
  rule: 'reportArgumentType',
  message:
    'Argument of type "Settings" cannot be assigned to parameter "obj" of type "Sized" in function "len"\n  "Settings" is incompatible with protocol "Sized"\n    "__len__" is not present',
};

const KEPT: Readonly<Record<string, readonly [string, Said, string]>> = {
  in: ['"a" in s', CONTAINS, '__contains__'],
  'not in': [
    '"a" not in s',
    { ...CONTAINS, message: 'Operator "not in" not supported for types "str" and "Settings"' },
    '__contains__',
  ],
  iteration: ['for k in s: pass', ITERATES, '__iter__'],
  'a subscript': ['s["a"]', INDEXES, '__getitem__'],
  'an item that is set': [
    's["a"] = 1',
    { ...INDEXES, message: '"__setitem__" method not defined on type "Settings"' },
    '__setitem__',
  ],
  'a length': ['len(s)', LENGTH, '__len__'],
  'a list of it': [
    'list(s)',
    {
      rule: 'reportArgumentType',
      message:
        'Argument of type "Settings" cannot be assigned to parameter "iterable" of type "Iterable[_T@list]" in function "__init__"\n  "Settings" is incompatible with protocol "Iterable[_T@list]"\n    "__iter__" is not present',
    },
    '__iter__',
  ],
  with: [
    'with s: pass',
    {
      rule: 'reportGeneralTypeIssues',
      message:
        'Object of type "Settings" cannot be used with "with" because it does not correctly implement __enter__\n  Attribute "__enter__" is unknown',
      of: OF,
    },
    '__enter__',
  ],
  'a call': [
    's(1)',
    {
      rule: 'reportCallIssue',
      message: 'Object of type "Settings" is not callable\n  Attribute "__call__" is unknown',
      of: OF,
    },
    '__call__',
  ],
  await: [
    'await s',
    {
      rule: 'reportGeneralTypeIssues',
      message:
        '"Settings" is not awaitable\n  "Settings" is incompatible with protocol "Awaitable[_T_co@Awaitable]"\n    "__await__" is not present',
      of: OF,
    },
    '__await__',
  ],
  addition: [
    's + 1',
    {
      rule: 'reportOperatorIssue',
      message: 'Operator "+" not supported for types "Settings" and "Literal[1]"',
    },
    '__add__',
  ],
  'what is added to': [
    '1 + s',
    {
      rule: 'reportOperatorIssue',
      message: 'Operator "+" not supported for types "Literal[1]" and "Settings"',
    },
    '__radd__',
  ],
  comparison: [
    's < s',
    {
      rule: 'reportOperatorIssue',
      message: 'Operator "<" not supported for types "Settings" and "Settings"',
    },
    '__lt__',
  ],
  negation: [
    '-s',
    {
      rule: 'reportOperatorIssue',
      message: 'Operator "-" not supported for type "Settings"',
    },
    '__neg__',
  ],
};

describe('what a type checker says of an operation', () => {
  for (const [title, [line, said, method]] of Object.entries(KEPT))
    it(`is believed of a class of the repository: ${title}`, () => {
      assert.deepEqual(symbols(line, said), [`run: Settings.${method}`]);
    });

  const UNSURE: Readonly<Record<string, string>> = {
    'a base of a library': 'from lib import Base\nclass Settings(Base):\n    x = 1\n',
    'a NamedTuple': 'from typing import NamedTuple\nclass Settings(NamedTuple):\n    x = 1\n',
    'a Protocol': 'from typing import Protocol\nclass Settings(Protocol):\n    x = 1\n',
    'an Enum': 'from enum import Enum\nclass Settings(Enum):\n    x = 1\n',
    'a metaclass': 'class Settings(metaclass=Meta):\n    x = 1\n',
    '`__getattr__`': 'class Settings:\n    def __getattr__(self, name):\n        return 1\n',
    'a decorator': '@attr.mutable(\n    slots=True\n)\nclass Settings:\n    x = 1\n',
    'a second class of its name': `${CLASS}\nif x:\n    class Settings:\n        y = 1\n`,
    'an heir that has the method': `${CLASS}\nclass Heir(Settings):\n    def __getitem__(self, key):\n        return 1\n`,
    'an heir with a base of a library': `${CLASS}\nclass Heir(Settings, UserDict):\n    x = 1\n`,
    'a method that is set from outside': `${CLASS}\nSettings.__getitem__ = len\n`,
    'a parameter that takes it by default': `${CLASS}\ndef make(given=Settings()):\n    return given\n`,
    'no class of the repository': 'x = 1\n',
  };
  for (const [title, settings] of Object.entries(UNSURE))
    it(`is not of ${title}`, () => {
      assert.deepEqual(symbols('s["a"]', INDEXES, settings), []);
    });

  it('is of a dataclass, and of a class with bases of the repository', () => {
    const plain =
      '@dataclass(order=True)\nclass Settings(Base):\n    x: int\n\nclass Base(ABC):\n    y = 1\n';
    assert.deepEqual(symbols('s["a"]', INDEXES, plain), ['run: Settings.__getitem__']);
  });

  it('is not of what may be of another class', () => {
    const union = '(parameter) s: Settings | dict';
    assert.deepEqual(symbols('s["a"]', { ...INDEXES, of: union }), []);
    assert.deepEqual(symbols('s["a"]', { ...INDEXES, of: '(parameter) s: Settings | None' }), []);
    const either = '(function) def load(x: Any) -> (dict | Settings)';
    assert.deepEqual(symbols('s["a"]', { ...INDEXES, of: either }), []);
    const { of, ...unknown } = INDEXES;
    assert.ok(of);
    assert.deepEqual(symbols('s["a"]', unknown), []);
  });

  it('is not of a type that is guessed from a default', () => {
    assert.deepEqual(symbols('s["a"]', INDEXES, CLASS, 'def run(s=DEFAULT):'), []);
  });

  it('is not where the object is asked what it has, or the error is caught', () => {
    assert.deepEqual(symbols('s["a"] if hasattr(s, "get") else 1', INDEXES), []);
    assert.deepEqual(symbols('len(s) if isinstance(s, dict) else 1', LENGTH), []);
    const text =
      CLASS +
      'def run(s: Settings):\n    try:\n        len(s)\n    except Exception:\n        pass\n';
    const place = { start: { line: 4, column: 12 }, end: { line: 4, column: 13 } };
    const said = { path: 'a.py', ...LENGTH, ...place };
    assert.deepEqual(typeFaults(new Map([['a.py', text]]), [said]), []);
    const other = text.replace('Exception', 'KeyError');
    assert.equal(typeFaults(new Map([['a.py', other]]), [said]).length, 1);
  });

  it('is not of a package’s function or of a class instead of its object', () => {
    assert.deepEqual(symbols('lib.len(s)', LENGTH), []);
    const ofClass = '"type[Settings]" is not iterable\n  "__iter__" method not defined';
    assert.deepEqual(symbols('for k in s: pass', { ...ITERATES, message: ofClass }), []);
    const none = {
      rule: 'reportOptionalSubscript',
      message: 'Object of type "None" is not subscriptable',
    };
    assert.deepEqual(symbols('s["a"]', none), []);
  });
});
