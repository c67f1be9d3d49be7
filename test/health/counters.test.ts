import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import type { ModelReply } from '../../src/domain/message.ts';
import type { RunRecord } from '../../src/domain/run-record.ts';
import { countCalls, countRuns, type Meter } from '../../src/health/counters.ts';
import type { Model } from '../../src/models/model.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import { aRecord } from '../fakes/a-record.ts';

const REPLY: ModelReply = {
  ...{ schemaVersion: 1, text: 'yes', toolCalls: [], finish: 'stop', providerState: null },
  usage: { inputTokens: 10, cachedTokens: 0, outputTokens: 3, estimated: false },
};

describe('countCalls', () => {
  it('counts calls by their ending, and tokens', async () => {
    const { counts, meter } = aMeter();
    const endings = [REPLY, new RetryLater('busy'), new NeedsPerson('key', 'no', 'Set it.')];
    const model = countCalls(scripted(endings), meter);
    while (endings.length > 0) await ask(model).catch(() => undefined);
    assert.deepEqual(counts, {
      'deeprepro_model_calls {"model":"m","ending":"stop"}': 1,
      'deeprepro_tokens {"model":"m","direction":"input"}': 10,
      'deeprepro_tokens {"model":"m","direction":"output"}': 3,
      'deeprepro_model_calls {"model":"m","ending":"retry"}': 1,
      'deeprepro_model_calls {"model":"m","ending":"failed"}': 1,
    });
  });

  it('passes errors on as they are', async () => {
    const error = new RetryLater('busy');
    const model = countCalls(scripted([error]), aMeter().meter);
    await assert.rejects(ask(model), error);
  });
});

describe('countRuns', () => {
  it('counts what a run spends and the waits that begin', async () => {
    const home = await mkdtemp(join(tmpdir(), 'counters-'));
    try {
      const { counts, meter } = aMeter();
      const folders = countRuns(createRunFolders(home), meter);
      await folders.create(aRecord());
      const wait = { kind: 'key', step: 'write a.py', message: 'No key.', remedy: 'Set it.' };
      const spent = (record: RunRecord, amount: number): RunRecord => ({
        ...record,
        account: { ...record.account, spent: amount },
      });
      await folders.update('toy', (record) => ({ ...spent(record, 0.5), waits: [wait] }));
      await folders.update('toy', (record) => ({ ...spent(record, 0.75), waits: [wait] }));
      await folders.update('toy', (record) => record);
      assert.deepEqual(counts, {
        'deeprepro_spend_microdollars ': 750_000,
        'deeprepro_waits {"kind":"key"}': 1,
      });
    } finally {
      await rm(home, { recursive: true });
    }
  });
});

function ask(model: Model) {
  const request = {
    ...{ label: 'r1', model: 'm', messages: [], maxOutputTokens: 10 },
    endpoint: { baseUrl: 'http://127.0.0.1:9', keyEnv: 'KEY' },
  };
  return model.reply(request, new AbortController().signal, () => undefined);
}

/** The sum of each counter by its name and tags. */
function aMeter() {
  const counts: Record<string, number> = {};
  const createCounter: Meter['createCounter'] = (name) => ({
    ...{ name, kind: 'counter', valueType: 'int' },
    add(value, tags) {
      const key = `${name} ${tags ? JSON.stringify(tags) : ''}`;
      counts[key] = (counts[key] ?? 0) + value;
    },
    withTags() {
      return this;
    },
  });
  return { counts, meter: { createCounter } };
}

function scripted(endings: (ModelReply | Error)[]): Model {
  return {
    reply() {
      const next = endings.shift() ?? new Error('none left');
      return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
    },
  };
}
