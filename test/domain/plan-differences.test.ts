import assert from 'node:assert/strict';
import { EMPTY_INTERFACE, type Definition } from '../../src/domain/interface.ts';
import { differencesOf } from '../../src/domain/plan-differences.ts';
import { aFile } from '../fakes/builders.ts';

function differences(lines: number, changes: Parameters<typeof aFile>[0] = {}): string[] {
  const planned = aFile({ path: 'src/a.py', signatures: '', expectedLines: 100, ...changes });
  return differencesOf({ planned, interface: EMPTY_INTERFACE, imports: [], keys: [], lines });
}

describe('what a planner is told of a written file', () => {
  it('is that it came out longer than 1.6 times its planned lines', () => {
    assert.deepEqual(differences(161), ['src/a.py has 161 lines where 100 are planned.']);
    assert.deepEqual(differences(160), []);
    assert.deepEqual(differences(200, { path: 'run.sh' }), [
      'run.sh has 200 lines where 100 are planned.',
    ]);
  });

  it('is not that a short file has a few lines more', () => {
    assert.deepEqual(differences(30, { expectedLines: 10 }), []);
  });

  it('is not a planned class in another form, nor an argument that nobody has to give', () => {
    const signatures = [
      '@dataclass(frozen=True) class Cell: experiment: str; dataset: str',
      '    def slug(self, seed: int) -> str  # joined',
      'class Net(nn.Module): def call(self, x)',
      'def encode(self, x)',
      'def first(x); def second(y, z)',
    ].join('\n');
    const code = [
      classOf('Cell', 'def slug(self, seed: int) -> str'),
      classOf('Net', 'def call(self, x)', 'def encode(self, x)'),
      functionOf('first', 'def first(x, dtype: str = "float32")'),
      functionOf('second', 'def second(y, z, *, rate=0.1)'),
      functionOf('third', 'def third()'),
    ];
    assert.deepEqual(codeDifferences(signatures, code), []);
  });

  it('is what is missing, what is called otherwise, and what may be meant instead', () => {
    const signatures =
      '@dataclass class Cell: seed: int\n    def slug(self) -> str\ndef load(name)';
    const code = [classOf('Cell', 'def label(self) -> str'), functionOf('read', 'def read(name)')];
    assert.deepEqual(codeDifferences(signatures, code), [
      'src/a.py has no `Cell.slug`, which is planned as `def slug(self) -> str`.',
      'src/a.py has no `load`, which is planned as `def load(name)`.',
      'src/a.py also has read, beyond the plan.',
    ]);
    const changed = [functionOf('load', 'def load(path, strict)')];
    assert.deepEqual(codeDifferences('def load(path)', changed), [
      'src/a.py has `def load(path, strict)` where `def load(path)` is planned.',
    ]);
  });
});

function codeDifferences(signatures: string, definitions: readonly Definition[]): string[] {
  const planned = aFile({ path: 'src/a.py', needs: [], signatures, expectedLines: 100 });
  const names = definitions.map(({ name }) => name);
  const real = { ...EMPTY_INTERFACE, definitions: [...definitions], names };
  return differencesOf({ planned, interface: real, imports: [], keys: [], lines: 60 });
}

function functionOf(name: string, signature: string): Definition {
  return { kind: 'function', name, signature, summary: '', members: [] };
}

function classOf(name: string, ...methods: readonly string[]): Definition {
  const members = methods.map((signature) => {
    return { name: /def (\w+)/.exec(signature)?.[1] ?? '', signature, summary: '' };
  });
  return { kind: 'class', name, signature: `class ${name}`, summary: '', members };
}
