import assert from 'node:assert/strict';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { checkTree } from '../../src/diagnostics/check-tree.ts';
import type { Problem } from '../../src/domain/finding.ts';

const parser = await createParser();

/** Beside which the cases are written. */
const SETTINGS = [
  'from dataclasses import dataclass',
  'from enum import Enum',
  'from typing import Generic, Iterator, Mapping, NamedTuple, Protocol, TypeVar',
  'from elsewhere import Outer, marked',
  '',
  'T = TypeVar("T")',
  '',
  'class Settings:',
  '    def __init__(self, values=None):',
  '        self.values = values or []',
  '    def get(self, key):',
  '        return self.values[key]',
  '    def resolve(self):',
  '        return self.values',
  '',
  'class Table:',
  '    def __init__(self):',
  '        self.rows = []',
  '    def __getitem__(self, place):',
  '        return self.rows[place]',
  '',
  'class Timer:',
  '    def __enter__(self):',
  '        return self',
  '    def stop(self):',
  '        return 1',
  '',
  'class Store:',
  '    values = []',
  '',
  'class Full(Store):',
  '    def __contains__(self, key):',
  '        return key in self.values',
  '    def __len__(self):',
  '        return len(self.values)',
  '    __iter__ = __len__',
  '',
  '@dataclass(order=True)',
  'class Point:',
  '    x: int = 0',
  '    y: int = 0',
  '',
  'class Pair(NamedTuple):',
  '    x: int = 0',
  '    y: int = 0',
  '',
  'class Color(Enum):',
  '    RED = 1',
  '',
  'class Rows(Mapping):',
  '    def size(self):',
  '        return 1',
  '',
  'class Likes(Protocol):',
  '    def size(self): ...',
  '',
  'class Box(Generic[T]):',
  '    def __init__(self, item: T):',
  '        self.item = item',
  '',
  'class Stack(Box[int]):',
  '    def __iter__(self):',
  '        return iter([self.item])',
  '',
  'class Handed:',
  '    def __init__(self, inner):',
  '        self.inner = inner',
  '    def __getattr__(self, name):',
  '        return getattr(self.inner, name)',
  '',
  'class Typed:',
  '    x = 1',
  '    def __class_getitem__(cls, item):',
  '        return cls',
  '',
  'class Other(Outer):',
  '    x = 1',
  '',
  '@marked',
  'class Marked:',
  '    x = 1',
  '',
  'class Meta(type):',
  '    def __iter__(cls):',
  '        return iter([])',
  '',
  'class Made(metaclass=Meta):',
  '    x = 1',
  '',
].join('\n');

const AROUND = [
  parser.parse('requirements.txt', 'elsewhere\n'),
  parser.parse('hnn/__init__.py', ''),
  parser.parse('hnn/settings.py', SETTINGS),
];

function check(text: string): Problem[] {
  const files = [...AROUND, parser.parse('use.py', text)];
  return checkTree({ files: new Map(files.map((file) => [file.path, file])), planned: [] }).filter(
    ({ kind }) => kind === 'wrong-call',
  );
}

function symbolsOf(problems: readonly Problem[]): string[] {
  return problems.map(({ path, symbol }) => `${path} ${symbol}`);
}

const FROM =
  'from hnn.settings import Box, Color, Full, Handed, Likes, Made, Marked, Other, Pair, Point, Rows, Settings, Stack, Table, Timer, Typed\n\n';

const FAULTS: Readonly<Record<string, readonly [string, string]>> = {
  '`in` a parameter': [
    'def run(s: Settings, key):\n    if key in s:\n        return 1\n',
    'run: Settings.__contains__',
  ],
  '`not in`, after a comparison': [
    'def run(s: Settings, a, b):\n    return a == b not in s\n',
    'run: Settings.__contains__',
  ],
  'a loop over a parameter': [
    'def run(s: Settings):\n    for key in s:\n        print(key)\n',
    'run: Settings.__iter__',
  ],
  'a comprehension over a new object': [
    'def run():\n    s = Settings()\n    return [key for key in s]\n',
    'run: Settings.__iter__',
  ],
  'a star in a call': ['def run(s: Settings):\n    print(*s)\n', 'run: Settings.__iter__'],
  'a subscript': ['def run(s: Settings):\n    return s["rate"]\n', 'run: Settings.__getitem__'],
  'a subscript in a loop’s head': [
    'def run(s: Settings):\n    for seed in s["seeds"]:\n        print(seed)\n',
    'run: Settings.__getitem__',
  ],
  'a subscript of what the module makes': [
    'SETTINGS = Settings()\nRATE = SETTINGS["rate"]\n',
    'Settings.__getitem__',
  ],
  'an item that is set': ['def run(t: Table):\n    t[0] = 1\n', 'run: Table.__setitem__'],
  'an item that is deleted': ['def run(t: Table):\n    del t[0], t[1]\n', 'run: Table.__delitem__'],
  'a length': ['def run(p: Point):\n    return len(p)\n', 'run: Point.__len__'],
  'a list of it': ['def run(p: Point):\n    return sorted(p)\n', 'run: Point.__iter__'],
  '`with` without an exit': [
    'def run():\n    timer = Timer()\n    with timer as t:\n        t.stop()\n',
    'run: Timer.__exit__',
  ],
  'a new object': [
    'def run():\n    with Settings() as s:\n        return Settings()[0], len(Point(1, 2))\n',
    'run: Settings.__enter__, run: Settings.__getitem__, run: Point.__len__',
  ],
  '`async with`': [
    'async def run(timer: Timer):\n    async with timer:\n        pass\n',
    'run: Timer.__aenter__',
  ],
  '`async for`': [
    'async def run(s: Stack):\n    async for each in s:\n        print(each)\n',
    'run: Stack.__aiter__',
  ],
  'a call': ['def run(s: Settings):\n    return s("rate")\n', 'run: Settings.__call__'],
  '`self` in its own method': [
    'class A:\n    def run(self):\n        return self["rate"], len(self)\n',
    'A.run: A.__getitem__, A.run: A.__len__',
  ],
  'an attribute that holds it': [
    'class A:\n    def __init__(self):\n        self.settings = Settings()\n    def run(self, key):\n        return key in self.settings\n',
    'A.run: Settings.__contains__',
  ],
  'an object whose class, not the object, makes items': [
    'def run(t: Typed):\n    return t[int]\n',
    'run: Typed.__getitem__',
  ],
  'a generic class of the repository': [
    'def run(box: Box):\n    return box[0]\n',
    'run: Box.__getitem__',
  ],
};

const SOUND: Readonly<Record<string, string>> = {
  'a class that has the methods':
    'def run(s: Full, key):\n    return key in s, len(s), [each for each in s]\n',
  'a class that inherits them': 'def run(s: Stack):\n    return [each for each in s], 1 in s\n',
  'a class with `__getitem__` alone is iterated and asked by it':
    'def run(t: Table):\n    return [row for row in t], 1 in t, t[0]\n',
  'a parameter whose class has an heir that has the method':
    'class Wide(Settings):\n    def __iter__(self):\n        return iter(self.values)\n\ndef run(s: Settings):\n    return [each for each in s]\n',
  'a dataclass that is compared':
    'def run(a: Point, b: Point):\n    return a < b, sorted([a, b])\n',
  'a NamedTuple':
    'def run(p: Pair):\n    x, y = p\n    return len(p), p[0], x in p, [each for each in p]\n',
  'the class of an Enum':
    'def run():\n    return [color for color in Color], len(Color), Color["RED"]\n',
  'an Enum’s member': 'def run(color: Color):\n    return color in Color\n',
  'a Mapping': 'def run(rows: Rows):\n    return rows["a"], "a" in rows, len(rows)\n',
  'a Protocol': 'def run(one: Likes):\n    return len(one), [each for each in one]\n',
  'a class with `__getattr__`': 'def run(one: Handed):\n    return len(one)\n',
  'a class that is subscripted for its type':
    'def run(one: Box[int], two: Typed):\n    return Typed[int], Box[int](1)\n',
  'a class with a base elsewhere': 'def run(one: Other):\n    return len(one), one[0]\n',
  'a class under a decorator': 'def run(one: Marked):\n    return len(one)\n',
  'a class of a metaclass': 'def run(one: Made):\n    return [each for each in Made], one[0]\n',
  'a parameter that is bound anew':
    'def run(s: Settings):\n    s = s.resolve()\n    return s[0], len(s)\n',
  'a variable that is bound twice':
    'def run(x):\n    s = Settings()\n    if x:\n        s = {}\n    return x in s\n',
  'a name that a comprehension shadows':
    'def run(s: Settings):\n    return [s[0] for s in s.values]\n',
  'a name that an inner function shadows':
    'def run(s: Settings):\n    def inner(s):\n        return s[0]\n    return inner(s.values)\n',
  'a class that is shadowed':
    'def run():\n    Settings = dict\n    s = Settings()\n    return 1 in s\n',
  'a parameter that is asked what it is':
    'def run(s: Settings):\n    if isinstance(s, dict):\n        return s["a"]\n    return s.get("a")\n',
  'a parameter that is asked what it has':
    'def run(s: Settings):\n    return s["a"] if hasattr(s, "__getitem__") else s.get("a")\n',
  'a parameter that is matched':
    'def run(s: Settings):\n    match s:\n        case dict():\n            return s["a"]\n    return 1\n',
  'a union': 'def run(s: Settings | dict, key):\n    return key in s, s[key]\n',
  'a Union':
    'from typing import Union\n\ndef run(s: Union[Settings, dict], key):\n    return key in s\n',
  'what a function returns':
    'def make(x):\n    return Settings() if x else {}\n\ndef run(x):\n    return make(x)[0], len(make(x)), Settings().resolve()[0]\n',
  'what is gathered of a class':
    'def run(*all: Settings, **named: Settings):\n    return len(all), [one for one in all], named["a"]\n',
  'an Optional':
    'from typing import Optional\n\ndef run(s: Optional[Settings], key):\n    return key in s\n',
  'a parameter with a default':
    'def run(s: Settings = None):\n    return [each for each in s or []]\n',
  'what is expected to fail':
    'import pytest\n\ndef test_it():\n    s = Settings()\n    with pytest.raises(TypeError):\n        len(s)\n',
  'what is tried':
    'def run(s: Settings):\n    try:\n        return list(s)\n    except TypeError:\n        return [s]\n',
  'a class that is given the method from outside':
    'def has(self, key):\n    return key in self.values\n\nSettings.__contains__ = has\n\ndef run(s: Settings, key):\n    return key in s\n',
  'a mixin that counts on its heirs':
    'class RowsMixin:\n    def first(self):\n        return self[0]\n',
  'a class that has heirs with the method':
    'class Base:\n    def first(self):\n        return self[0]\n\nclass Heir(Base):\n    def __getitem__(self, at):\n        return at\n',
  'an abstract class':
    'from abc import ABC\n\nclass Rows(ABC):\n    def first(self):\n        return self[0]\n',
  'a function of the repository named like Python’s':
    'def len(one):\n    return 1\n\ndef run(s: Settings):\n    return len(s)\n',
  'a function with other arguments':
    'def run(s: Settings, t: Settings):\n    return max(s, t, key=id), max([s])\n',
  'what is read of it':
    'def run(s: Settings, key):\n    for each in s.values:\n        print(each)\n    return key in s.values, s.values[0], len(s.values)\n',
  'a class method’s own class':
    'class Typed2:\n    def __class_getitem__(cls, item):\n        return cls\n    @classmethod\n    def make(cls):\n        return cls[int]\n',
};

describe('an operation that an object’s class does not provide for', () => {
  for (const [title, [text, symbols]] of Object.entries(FAULTS))
    it(`is found: ${title}`, () => {
      assert.deepEqual(
        symbolsOf(check(FROM + text)),
        symbols.split(', ').map((symbol) => `use.py ${symbol}`),
      );
    });

  it('is told with the class, the file that it is in, what it lacks, and what to do', () => {
    const [problem] = check(`${FROM}def run(s: Settings, key):\n    return key in s\n`);
    assert.equal(
      problem?.message,
      'use.py asks with `in` what is in `s` (line 4), a `Settings` of hnn/settings.py, but neither that class nor what it inherits from defines `__contains__`, so it fails.',
    );
    assert.equal(
      problem.remedy,
      'Use what it has (`get`, `resolve`), or define `__contains__` in `Settings`.',
    );
  });

  for (const [title, text] of Object.entries(SOUND))
    it(`is not seen in ${title}`, () => {
      assert.deepEqual(symbolsOf(check(FROM + text)), []);
    });
});
