import assert from 'node:assert/strict';
import { createInlineAnalysis, type KeyedTree } from '../../src/analyzers/analysis.ts';
import { createParser } from '../../src/analyzers/parse-file.ts';
import { madeUpTree, type Texts } from '../bench/diagnosis.ts';

const parser = await createParser();

describe('an analysis', () => {
  it('reads only the files of a tree that changed', async () => {
    const read: string[] = [];
    const analysis = createInlineAnalysis({
      parse(path, text) {
        read.push(path);
        return parser.parse(path, text);
      },
    });
    const check = async (texts: Texts): Promise<readonly string[]> => {
      read.length = 0;
      const problems = await analysis.check(keyed(texts), ({ path }) =>
        Promise.resolve(texts[path] ?? ''),
      );
      return problems.map(({ kind, path, symbol }) => `${kind} ${path} ${symbol}`);
    };
    const whole = madeUpTree(30);
    assert.deepEqual(await check(whole), []);
    assert.equal(read.length, Object.keys(whole).length);
    const changed = {
      ...whole,
      'pkg/part3.py': 'run = print\n',
      'pkg/part9.py': `${whole['pkg/part9.py'] ?? ''}\nprint(load_config()["part90"])\n`,
      'requirements.txt': 'pyyaml\nnumpy>=1\n',
    };
    const unread = 'unused-key configs/base.yaml part3';
    assert.deepEqual(await check(changed), ['undefined-key pkg/part9.py part90', unread]);
    assert.deepEqual(read.toSorted(), ['pkg/part3.py', 'pkg/part9.py', 'requirements.txt']);
    // A repair that is undone costs no reading: both versions are known.
    assert.deepEqual(await check({ ...changed, 'pkg/part9.py': whole['pkg/part9.py'] ?? '' }), [
      unread,
    ]);
    assert.deepEqual(read, []);
  });
});

function keyed(texts: Texts): KeyedTree {
  const files = Object.entries(texts).map(([path, text]) => ({ path, key: `${path} ${text}` }));
  return { files, planned: [], experiments: [] };
}
