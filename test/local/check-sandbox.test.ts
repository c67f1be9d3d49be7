import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkSandbox } from '../../src/local/check-sandbox.ts';
import { sandboxAvailable } from '../../src/processes/sandbox.ts';

describe('checkSandbox', () => {
  it('tries to get out in every way, within five seconds', async function () {
    const availability = await sandboxAvailable();
    if (!availability.isAvailable) this.skip();
    const begin = performance.now();
    const checks = await checkSandbox();
    assert.ok(performance.now() - begin < 5000);
    const names = [
      'sandbox',
      'network',
      'host files',
      'fork bomb',
      'memory',
      'disk',
      'links',
      'leftovers',
    ];
    assert.deepEqual(
      checks.map(({ name }) => name),
      names,
    );
    for (const { name, result, found, remedy } of checks) {
      assert.equal(result, 'good', `${name}: ${found}`);
      assert.equal(remedy, '');
      assert.notEqual(found, '');
    }
  });

  it('says what is missing, and that nothing is run', async () => {
    const path = process.env['PATH'];
    const folder = await mkdtemp(join(tmpdir(), 'nothing-'));
    process.env['PATH'] = folder;
    try {
      const [check, ...others] = await checkSandbox();
      assert.deepEqual(others, []);
      assert.equal(check?.result, 'warning');
      assert.match(check?.remedy ?? '', /generated code is not run/);
    } finally {
      process.env['PATH'] = path;
      await rm(folder, { recursive: true });
    }
  });
});
