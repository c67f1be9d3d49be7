import assert from 'node:assert/strict';
import { readToldBlocks } from '../../src/analyzers/told-blocks.ts';

function commandsIn(text: string): string[] {
  return readToldBlocks(text).map(({ words, line }) => `${line}: ${words.join(' ')}`);
}

describe('the commands of a document', () => {
  it('stand in blocks of shell and in blocks without a language', () => {
    const text =
      '```bash\npython a.py\n```\n\n```\n$ python b.py\nloss 0.1\n```\n```python\nf()\n```\n';
    assert.deepEqual(commandsIn(text), ['2: python a.py', '6: python b.py']);
  });

  it('stand in sentences and in indented lines', () => {
    const text = 'Run `python a.py --n 3`, or `bash all.sh`:\n\n    python b.py\n    loss 0.1\n';
    assert.deepEqual(commandsIn(text), [
      '1: python a.py --n 3',
      '1: bash all.sh',
      '3: python b.py',
    ]);
  });

  it('are not what merely stands in code', () => {
    assert.deepEqual(commandsIn('See `train.py`, `--smoke`, `python` and ``python a.py``.\n'), []);
  });
});
