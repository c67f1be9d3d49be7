import assert from 'node:assert/strict';
import { unseenFiles } from '../../src/domain/unseen-files.ts';
import { aFile } from '../fakes/builders.ts';

describe('unseenFiles', () => {
  const named = (...paths: readonly string[]) =>
    unseenFiles({ files: paths.map((path) => aFile({ path })) });

  it('names what reviewers pass over: parts of names, notebooks, files without an ending', () => {
    const found = named('src/wandb_logger.py', 'demo.ipynb', 'Makefile', '.github/ci.yml');
    assert.deepEqual(
      found.map((sentence) => /^(\S+): reviewers skip (.*);/.exec(sentence)?.slice(1)),
      [
        ['src/wandb_logger.py', 'every path that holds "wandb"'],
        ['demo.ipynb', 'notebooks'],
        ['Makefile', 'files without an ending'],
        ['.github/ci.yml', 'every path that holds ".git"'],
      ],
    );
  });

  it('says nothing of what they read, or of what has to have its name', () => {
    assert.deepEqual(
      named('src/environment.py', 'environment.yml', 'reproduce.sh', '.gitignore', 'LICENSE'),
      [],
    );
  });
});
