import assert from 'node:assert/strict';
import { clashingPaths, pathProblem, RepositoryPath } from '../../src/domain/path.ts';

describe('a path of the repository', () => {
  for (const path of [
    'a.py',
    'src/model/__init__.py',
    '.gitignore',
    'configs/default.yaml',
    'a b.txt',
    'naïve/π.py',
  ]) {
    it(`may be ${path}`, () => assert.equal(pathProblem(path), undefined));
  }

  const refused: readonly (readonly [string, string])[] = [
    ['', 'empty'],
    ['/etc/passwd', 'absolute'],
    ['../up.py', 'an empty, "." or ".." part'],
    ['a/../../b.py', 'part'],
    ['./a.py', 'part'],
    ['a//b.py', 'part'],
    ['a/', 'part'],
    ['a\\b.py', 'backslash'],
    ['C:/a.py', 'backslash'],
    ['a\nb.py', 'control'],
    ['a\u0000.py', 'control'],
    ['.git/config', 'reserved'],
    ['.GIT/config', 'reserved'],
    ['.deeprepro/run.json', 'reserved'],
    ['src/CON.py', 'reserved'],
    ['aux', 'reserved'],
    ['a./b.py', 'dot or space'],
    ['a /b.py', 'dot or space'],
    ['x'.repeat(201), 'longer'],
    [`${'长'.repeat(70)}.py`, 'longer'],
    ['txt\u202eyp.exe', 'unseen'],
    ['a\u200b.py', 'unseen'],
    ['c1\u009b.py', 'control'],
    ['half\ud800.py', 'unseen'],
    ['__proto__', 'key'],
    ['constructor', 'key'],
    ['toString', 'key'],
  ];
  for (const [path, reason] of refused) {
    it(`may not be ${JSON.stringify(path.slice(0, 30))}`, () => {
      assert.match(pathProblem(path) ?? '', new RegExp(reason));
      assert.equal(RepositoryPath.safeParse(path).success, false);
    });
  }
});

describe('paths side by side', () => {
  it('clash when they differ in case only, or a file stands where a folder must', () => {
    assert.deepEqual(clashingPaths(['src/A.py', 'src/a.py']), ['src/A.py', 'src/a.py']);
    assert.deepEqual(clashingPaths(['é.py', 'e\u0301.py']), ['é.py', 'e\u0301.py']);
    assert.deepEqual(clashingPaths(['data', 'data/load.py']), ['data', 'data/load.py']);
    assert.deepEqual(clashingPaths(['src/x/y.py', 'SRC/X']), ['SRC/X', 'src/x/y.py']);
    assert.equal(clashingPaths(['src/a.py', 'src/b.py', 'src2']), undefined);
  });
});
