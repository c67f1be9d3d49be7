import assert from 'node:assert/strict';
import { startAnalysis } from '../../src/analyzers/start-analysis.ts';
import type { Analysis, KeyedFile } from '../../src/analyzers/analysis.ts';

const keyed = (path: string): KeyedFile => ({ path, key: path });
const PLAN = { planned: [], experiments: [] };

describe('the analysis thread', () => {
  let analysis: Analysis;
  before(async () => {
    analysis = await startAnalysis();
  });
  after(() => analysis.end());

  it('reads files, and checks a tree with the texts that it asks for', async () => {
    const texts: Record<string, string> = { 'a.py': 'import b\nb.missing()\n', 'b.py': 'x = 1\n' };
    const asked: string[] = [];
    const tree = { ...PLAN, files: Object.keys(texts).map(keyed) };
    const textOf = ({ path }: KeyedFile): Promise<string> => {
      asked.push(path);
      return Promise.resolve(texts[path] ?? '');
    };
    await analysis.parse(keyed('b.py'), 'x = 1\n');
    const problems = await analysis.check(tree, textOf);
    assert.deepEqual(
      problems.map(({ kind, path }) => `${kind} ${path}`),
      ['unresolved-name a.py'],
    );
    assert.deepEqual(asked, ['a.py'], 'what was read before is not asked for');
    await analysis.check(tree, textOf);
    assert.deepEqual(asked, ['a.py']);
  });

  it('answers hostile files with a problem, in time', async () => {
    const HOSTILE: Record<string, string> = {
      'one_line.py': `x = ${'1 + '.repeat(500_000)}1\n`,
      'brackets.py': `x = ${'['.repeat(50_000)}${']'.repeat(50_000)}\n`,
      'lines.py': 'x = 1\n'.repeat(100_000),
      'blocks.py': Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}if x:`).join('\n'),
      'calls.py': `${'f('.repeat(10_000)}${')'.repeat(10_000)}\n`,
      'chain.py': `x = a${'["k"]'.repeat(20_000)}\n`,
      'deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'deep.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      'aliases.yaml': `a: &a [x]\n${Array.from({ length: 26 }, (_, i) => `b${i}: &b${i} [${'*a, '.repeat(9)}*a]`).join('\n')}\n`,
      'deep.toml': `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    };
    const tree = { ...PLAN, files: Object.keys(HOSTILE).map(keyed) };
    const started = performance.now();
    const problems = await analysis.check(tree, ({ path }) => Promise.resolve(HOSTILE[path] ?? ''));
    assert.ok(problems.some(({ path }) => path === 'one_line.py'));
    console.log(
      Math.round(performance.now() - started),
      problems.map((p) => `${p.kind} ${p.path} ${p.message.slice(0, 150)}`),
    );
  });
});

describe('an analysis that takes too long', () => {
  it('makes the file a problem, and goes on with another thread', async () => {
    const analysis = await startAnalysis({ parseMs: 1, checkMs: 60_000 });
    const slow = keyed('slow.py');
    const text = 'x = [1, 2, 3]\n'.repeat(10_000);
    const file = await analysis.parse(slow, text);
    assert.match(file.problems[0]?.message ?? '', /could not be read: it took longer than 0.001 s/);
    assert.deepEqual(await analysis.parse(slow, text), file, 'it is not tried again');
    const problems = await analysis.check({ ...PLAN, files: [slow] }, () => Promise.resolve(text));
    assert.deepEqual(
      problems.map(({ kind, path }) => `${kind} ${path}`),
      ['does-not-parse slow.py'],
    );
    await analysis.end();
  });
});
