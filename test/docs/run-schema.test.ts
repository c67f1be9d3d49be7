import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { RUN_SCHEMA, runSchema } from './run-schema.ts';

describe('docs/run.schema.json', () => {
  it('is what the code makes of it; `node --import=tsx test/docs/run-schema.ts` writes it anew', async () => {
    const published: unknown = JSON.parse(await readFile(RUN_SCHEMA, 'utf8'));
    assert.deepEqual(published, JSON.parse(JSON.stringify(runSchema())));
  });
});
