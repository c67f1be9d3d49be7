import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readBatchFile } from '../../src/runs/read-batch-file.ts';

describe('a list of papers', () => {
  let folder: string;
  before(async () => (folder = await mkdtemp(join(tmpdir(), 'deeprepro-batch-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  it('holds paths, or papers with what is asked for each', async () => {
    const papers = await read(
      '- a.md\n- paper: sub/b.pdf\n  budget: 4.5\n  requests: [be quick]\n',
    );
    assert.deepEqual(
      papers.map(({ paper, budget, requests }) => [paper, budget, requests]),
      [
        [join(folder, 'a.md'), undefined, []],
        [join(folder, 'sub/b.pdf'), 4.5, ['be quick']],
      ],
    );
  });

  const REFUSED: readonly (readonly [string, string, RegExp])[] = [
    [
      'a field that there is not',
      '- a.md\n- paper: b.md\n  bugdet: 3\n',
      /Line 2 .*"bugdet" is no field/,
    ],
    ['a budget that is none', '- paper: b.md\n  budget: much\n', /Line 1 .*budget: /],
    ['an entry without a paper', '- a.md\n\n- budget: 3\n', /Line 3 .*paper: /],
    ['a number where a path belongs', '- a.md\n- 7\n', /Line 2 .*expected a path/],
    ['a list in a list', '- - a.md\n', /expected a path/],
    ['no list', 'paper: a.md\n', /Expected .* to be a YAML list/],
    ['an empty file', '', /Expected .* to be a YAML list/],
    ['what is no YAML', '- "a\n', /is no YAML/],
  ];
  for (const [what, text, sentence] of REFUSED) {
    it(`refuses ${what}, and says where`, async () => {
      await assert.rejects(read(text), { name: 'UsageError', message: sentence });
    });
  }

  async function read(text: string) {
    const path = join(folder, 'papers.yaml');
    await writeFile(path, text);
    return readBatchFile(path);
  }
});
