import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { BlobUnreadable, NewerVersion } from '../../src/domain/errors.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { getJson, putJson } from '../../src/store/stored-json.ts';

const Value = z.strictObject({ schemaVersion: z.literal(1), name: z.string() });

describe('stored JSON', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'json-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives equal values equal references, whatever order their keys came in', async () => {
    const store = createFolderStore(folder);
    const one = await putJson(store, { b: [{ d: 1, c: 2 }], a: undefined });
    const other = await putJson(store, { b: [{ c: 2, d: 1 }] });
    assert.deepEqual(one, other);
    assert.notDeepEqual(one, await putJson(store, { b: [{ c: 2, d: 2 }] }));
  });

  it('is read by its schema', async () => {
    const store = createFolderStore(folder);
    const ref = await putJson(store, { schemaVersion: 1, name: 'x' });
    assert.deepEqual(await getJson(store, Value, ref), { schemaVersion: 1, name: 'x' });
    const wrong = await putJson(store, { schemaVersion: 1, name: 7 });
    await assert.rejects(getJson(store, Value, wrong), BlobUnreadable);
  });

  it('of a newer deeprepro is told apart from damage', async () => {
    const store = createFolderStore(folder);
    const ref = await putJson(store, { schemaVersion: 2, name: 'x', more: true });
    await assert.rejects(getJson(store, Value, ref), (error) => {
      assert.ok(error instanceof NewerVersion);
      return /schema version 2.*update deeprepro/.test(error.message);
    });
  });

  it('that is no JSON at all is unreadable', async () => {
    const store = createFolderStore(folder);
    await assert.rejects(getJson(store, Value, await store.put('{"a":')), BlobUnreadable);
  });
});
