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

  it('answers hostile files with a problem, or none, and lives', async () => {
    const nested = (depth: number, line: string): string =>
      Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}${line}`).join('\n');
    const aliases = Array.from({ length: 26 }, (_, i) => `b${i}: &b${i} [${'*a, '.repeat(9)}*a]`);
    const hostile: Readonly<Record<string, string>> = {
      'one_line.py': `x = ${'1 + '.repeat(500_000)}1\n`,
      'lines.py': 'x = 1\n'.repeat(100_000),
      'brackets.py': `x = ${'['.repeat(20_000)}${']'.repeat(20_000)}\n`,
      'blocks.py': `${nested(400, 'if x:')}\n${' '.repeat(400)}y = 1\n`,
      'calls.py': `${'f('.repeat(5_000)}${')'.repeat(5_000)}\n`,
      'chain.py': `import yaml\ncfg = yaml.safe_load(open("a.yaml"))\nx = cfg${'["k"]'.repeat(10_000)}\n`,
      'deep.json': `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
      'deep.yaml': `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      'indented.yaml': nested(1_000, 'a:'),
      'dashes.yaml': `${'- '.repeat(10_000)}a\n`,
      'aliases.yaml': `a: &a [x]\n${aliases.join('\n')}\n`,
      'deep.toml': `a = ${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    };
    const tree = { ...PLAN, files: Object.keys(hostile).map(keyed) };
    const problems = await analysis.check(tree, ({ path }) => Promise.resolve(hostile[path] ?? ''));
    const refused = new Set(problems.map(({ path }) => path));
    for (const path of ['one_line.py', 'lines.py', 'deep.json', 'deep.yaml', 'indented.yaml'])
      assert.ok(refused.has(path), path);
    assert.ok(refused.has('dashes.yaml') && refused.has('deep.toml'));
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
