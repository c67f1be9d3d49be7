import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { recordHistories, SCENARIOS } from '../histories/record.ts';

const FOLDER = fileURLToPath(new URL('../histories/', import.meta.url));
const BUNDLE = fileURLToPath(new URL('../../dist/workflow-bundle.js', import.meta.url));
const MAX_PAYLOAD_BYTES = 32 * 1024;

/** Sentences of the paper, of files and of prompts: none may ever be part of a history. */
const SECRETS = [
  'nothing else is added by it',
  'One part of the toy method.',
  'Add one to what the needed parts give.',
  'the whole file',
  'The score is the sum of the parts.',
  'and a part that is missing',
  'it returns a float',
  'Half of the first part',
];

/**
 * `UPDATE_HISTORIES=1` records them anew; do so only with a release, since old ones must go on replaying.
 * `UPDATE_HISTORIES=missing` records those that are not there.
 */
const update = process.env['UPDATE_HISTORIES'];
if (update === '1' || update === 'missing') {
  before(async function () {
    this.timeout(300_000);
    await recordHistories(FOLDER, update === '1' ? 'all' : 'missing');
  });
}

describe('recorded histories', () => {
  it('are there for every way a run ends, a wait, a continue-as-new and deepplan', async () => {
    const names = (await readdir(FOLDER)).filter((name) => name.endsWith('.json')).sort();
    assert.deepEqual(names, SCENARIOS.map(({ name }) => `${name}.json`).sort());
  });

  for (const { name } of SCENARIOS) {
    it(`replay on this version: ${name}`, async () => {
      try {
        Runtime.install({ logger: new DefaultLogger('ERROR') });
      } catch {
        // Another test's server has installed it.
      }
      const history: unknown = JSON.parse(await readFile(`${FOLDER}${name}.json`, 'utf8'));
      await Worker.runReplayHistory({ workflowBundle: { codePath: BUNDLE } }, history);
    });

    it(`hold small payloads without any text of paper, code or prompt: ${name}`, async () => {
      const texts = payloadsOf(JSON.parse(await readFile(`${FOLDER}${name}.json`, 'utf8')));
      assert.ok(texts.length > 2);
      for (const text of texts) {
        assert.ok(text.length < MAX_PAYLOAD_BYTES, `${text.length} bytes: ${text.slice(0, 200)}`);
        for (const secret of SECRETS)
          assert.ok(!text.includes(secret), `"${secret}" in ${text.slice(0, 200)}`);
      }
    });

    it(`name no machine: ${name}`, async () => {
      const text = await readFile(`${FOLDER}${name}.json`, 'utf8');
      assert.doesNotMatch(text, /node_modules|file:\/\/|\d+@\w/);
    });
  }
});

/** All payloads of a history, decoded. */
function payloadsOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(payloadsOf);
  if (typeof value !== 'object' || value === null) return [];
  const { data } = Object.fromEntries(Object.entries(value));
  const own = typeof data === 'string' ? [Buffer.from(data, 'base64').toString('utf8')] : [];
  return [...own, ...Object.values(value).flatMap(payloadsOf)];
}
