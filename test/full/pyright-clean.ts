import assert from 'node:assert/strict';
import { createPyright } from '../../src/analyzers/pyright.ts';
import { openPipe } from '../../src/processes/open-pipe.ts';
import { cleanRepositories } from '../faults/corpus.ts';

describe('pyright on sound repositories', function () {
  this.timeout(600_000);

  it('finds nothing in any of them', async () => {
    const pyright = createPyright(openPipe);
    try {
      for (const { name, tree } of await cleanRepositories()) {
        const python = new Map([...tree].filter(([path]) => path.endsWith('.py')));
        assert.deepEqual(await pyright.check(python), { kind: 'checked', problems: [] }, name);
      }
    } finally {
      await pyright.end();
    }
  });
});
