import assert from 'node:assert/strict';
import { typeFaults } from '../../src/diagnostics/type-faults.ts';

/** What the type checker says of an attribute at a place of a text. */
function said(text: string, name: string, owner: string): string[] {
  const lines = text.split('\n');
  const line = lines.findIndex((one) => one.includes(`.${name}`));
  const column = (lines[line] ?? '').indexOf(`.${name}`) + 1;
  const message = `Cannot access attribute "${name}" for class "${owner}"\n  Attribute "${name}" is unknown`;
  const place = { start: { line, column }, end: { line, column: column + name.length } };
  const rule = 'reportAttributeAccessIssue';
  return typeFaults(new Map([['a.py', text]]), [{ path: 'a.py', rule, message, ...place }]).map(
    ({ symbol }) => symbol,
  );
}

describe('what a type checker says of an attribute', () => {
  it('is believed of an object of a class of the repository', () => {
    const text = 'class A:\n    x = 1\n\ndef run():\n    return A().width\n';
    assert.deepEqual(said(text, 'width', 'A'), ['run: A.width']);
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
