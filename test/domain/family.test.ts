import assert from 'node:assert/strict';
import { isSibling } from '../../src/domain/family.ts';
import { aFile } from '../fakes/builders.ts';

describe('siblings', () => {
  const base = aFile({ path: 'pkg/adapter.py', signatures: 'class Adapter(ABC):' });
  const settings = aFile({ path: 'pkg/settings.py', signatures: 'class Settings:' });
  const heir = (path: string, name: string) =>
    aFile({ path, needs: [base.path, settings.path], signatures: `class ${name}(Adapter):` });

  it('fill in one outline of their folder', () => {
    const [one, other] = [heir('pkg/a.py', 'A'), heir('pkg/b.py', 'B')];
    assert.ok(isSibling(one, other, [base, settings, one, other]));
  });

  it('are not all files that use the settings of their folder', () => {
    const [one, other] = ['pkg/a.py', 'pkg/b.py'].map((path) =>
      aFile({ path, needs: [settings.path], signatures: 'def f()' }),
    );
    assert.ok(one && other);
    assert.ok(!isSibling(one, other, [settings, one, other]));
  });
});
