import assert from 'node:assert/strict';
import { EMPTY_INTERFACE } from '../../src/domain/interface.ts';
import { differencesOf } from '../../src/domain/plan-differences.ts';
import { aFile } from '../fakes/builders.ts';

function differences(lines: number, changes: Parameters<typeof aFile>[0] = {}): string[] {
  const planned = aFile({ path: 'src/a.py', signatures: '', expectedLines: 100, ...changes });
  return differencesOf({ planned, interface: EMPTY_INTERFACE, imports: [], keys: [], lines });
}

describe('what a planner is told of a written file', () => {
  it('is that it came out longer than 1.6 times its planned lines', () => {
    assert.deepEqual(differences(161), ['src/a.py has 161 lines where 100 are planned.']);
    assert.deepEqual(differences(160), []);
    assert.deepEqual(differences(200, { path: 'run.sh' }), [
      'run.sh has 200 lines where 100 are planned.',
    ]);
  });

  it('is not that a short file has a few lines more', () => {
    assert.deepEqual(differences(30, { expectedLines: 10 }), []);
  });
});
