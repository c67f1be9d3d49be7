import assert from 'node:assert/strict';
import { typeFaults } from '../../src/diagnostics/type-faults.ts';

/** What the type checker says of an attribute at a place of a text, and of what it is read from. */
function said(text: string, name: string, owner: string, of = `(variable) a: ${owner}`): string[] {
  const lines = text.split('\n');
  const line = lines.findIndex((one) => one.includes(`.${name}`));
  const column = (lines[line] ?? '').indexOf(`.${name}`) + 1;
  const message = `Cannot access attribute "${name}" for class "${owner}"\n  Attribute "${name}" is unknown`;
  const place = { start: { line, column }, end: { line, column: column + name.length } };
  const rule = 'reportAttributeAccessIssue';
  const one = { path: 'a.py', rule, message, of, ...place };
  return typeFaults(new Map([['a.py', text]]), [one]).map(({ symbol }) => symbol);
}

describe('what a type checker says of an attribute', () => {
  it('is believed of an object of a class of the repository', () => {
    const text = 'class A:\n    x = 1\n\ndef run():\n    return A().width\n';
    assert.deepEqual(said(text, 'width', 'A'), ['run: A.width']);
  });

  it('is only where all that the object may be is known and of the repository', () => {
    const text =
      'class A:\n    x = 1\n\nclass B(A):\n    y = 1\n\ndef run(a: A):\n    return a.width\n';
    const isBelieved = (of: string): boolean => said(text, 'width', 'A', of).length === 1;
    const certain = [
      '(variable) a: A | B | None',
      '(variable) a: type[A]',
      '(variable) a: A[int]',
      '(parameter) a: A\n\na: An object.',
      'class A(\n    x: int = 1\n)\n\nIt is | Any.',
      '(method) def make(\n    x: int\n) -> (A | B)\n\nMakes -> Any',
    ];
    assert.deepEqual(
      certain.filter((of) => !isBelieved(of)),
      [],
    );
    const unsure = [
      '',
      '(variable) a: Any | A',
      '(variable) a: float | A',
      '(property) a: A | Any\n\nAn A.',
      '(parameter) b: A',
      '(method) def make(x: Any) -> (A | Any)\n\nMakes -> A',
      '(function) def make(x: int) -> Any\ndef make(x: str) -> A',
      '(module) a',
    ];
    assert.deepEqual(unsure.filter(isBelieved), []);
  });

  it('is not of `self`, of which an heir may have more', () => {
    const text = 'class A:\n    def run(self, k=None):\n        return self.width\n';
    assert.deepEqual(said(text, 'width', 'A'), []);
  });

  it('is not of a class that is defined twice, as beside a package that may be missing, nor of its heirs', () => {
    const text =
      'try:\n    from b import GP\nexcept ImportError:\n    class GP:\n        x = 1\n\nclass Model(GP):\n    y = 1\n\ndef run(model: Model):\n    return model.width\n\nclass GP(Base):\n    z = 1\n';
    assert.deepEqual(said(text, 'width', 'Model'), []);
  });
});

describe('what a type checker says of too many arguments', () => {
  const saidOf = (argument: string): number => {
    const text = `class A:\n    def go(self, a, b):\n        return a\n\n    def run(self, xs):\n        return self.go(${argument}, 3)\n`;
    const column = text.split('\n')[5]?.lastIndexOf('3') ?? 0;
    const place = { start: { line: 5, column }, end: { line: 5, column: column + 1 } };
    const message = 'Expected 2 positional arguments';
    const one = { path: 'a.py', rule: 'reportCallIssue', message, ...place };
    return typeFaults(new Map([['a.py', text]]), [one]).length;
  };

  it('is believed, but not after a list of them whose length only runs show', () => {
    assert.deepEqual([saidOf('1, 2'), saidOf('*xs')], [1, 0]);
  });
});
