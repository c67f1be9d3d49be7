import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { NeedsPerson } from '../../src/domain/errors.ts';
import { createRecordingModel, createReplayModel } from '../../src/models/recorded-model.ts';
import { recordedReplyPath } from '../../src/domain/recorded-reply.ts';
import { aReply, scriptedModel } from '../fakes/scripted-model.ts';
import { aRequest } from './a-request.ts';

const signal = new AbortController().signal;
const labelled = (label: string) => aRequest('http://localhost/v1', { label });

async function withFolder(test: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), 'recordings-'));
  try {
    await test(folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

describe('recorded replies', () => {
  it('come back by label, whatever the order they were made in', () =>
    withFolder(async (folder) => {
      const labels = ['r1/plan', 'r1/write/src/a.py/t1/try1', 'r1/write/src/a.py', 'r1'];
      const recording = createRecordingModel(
        scriptedModel(({ label }) => ({ text: `for ${label}` })),
        folder,
      );
      await Promise.all(labels.map((label) => recording.reply(labelled(label), signal)));
      const replay = createReplayModel(folder, { latencyMs: 1 });
      for (const label of labels.toReversed())
        assert.deepEqual(
          await replay.reply(labelled(label), signal),
          aReply({ text: `for ${label}` }),
        );
    }));

  it('leave no file when the model fails', () =>
    withFolder(async (folder) => {
      const recording = createRecordingModel(
        scriptedModel(() => new Error('no')),
        folder,
      );
      await assert.rejects(recording.reply(labelled('a'), signal), /no/);
      assert.deepEqual(await readdir(folder), []);
    }));

  it('wait for a person when they cannot be kept', () =>
    withFolder(async (folder) => {
      const file = path.join(folder, 'a file');
      await writeFile(file, '');
      const recording = createRecordingModel(
        scriptedModel(() => 'x'),
        file,
      );
      await assert.rejects(recording.reply(labelled('a'), signal), { kind: 'disk' });
    }));

  it('name label and folder when there is none, and the file when it is damaged', () =>
    withFolder(async (folder) => {
      const replay = createReplayModel(folder);
      const rejects = (words: string) =>
        assert.rejects(replay.reply(labelled('r9/plan'), signal), (error: unknown) => {
          assert.ok(error instanceof NeedsPerson && error.kind === 'request');
          assert.ok(error.message.includes('"r9/plan"') && error.message.includes(folder));
          return error.message.includes(words);
        });
      await rejects('There is no recorded reply');
      const recording = createRecordingModel(
        scriptedModel(() => 'x'),
        folder,
      );
      await recording.reply(labelled('r9/plan'), signal);
      await writeFile(path.join(folder, recordedReplyPath('r9/plan')), '{"schemaVersion": 2}');
      await rejects('is damaged or of another version');
    }));

  it('stop waiting with the reason of the signal', () =>
    withFolder(async (folder) => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const reply = createReplayModel(folder, { latencyMs: 60_000 }).reply(
        labelled('a'),
        controller.signal,
      );
      controller.abort(reason);
      await assert.rejects(reply, reason);
    }));

  it('have safe names that differ as their labels do', () => {
    const labels = [
      'a', 'a/b', 'a.json/b', 'a.json', 'a/../b', '..', '.', '/', '', 'a//b', 'a%2Fb', 'a b*?:|', 'ä'.repeat(300),
      `${'ä'.repeat(300)}b`, '\ud800',
    ]; // prettier-ignore
    const paths = labels.map(recordedReplyPath);
    assert.equal(new Set(paths).size, labels.length);
    for (const name of paths.flatMap((file) => file.split('/'))) {
      assert.match(name, /^[\w.~%!'()-]+$/);
      assert.ok(name !== '..' && name !== '.' && name.length < 255);
    }
    assert.equal(recordedReplyPath('r1/write/src/a.py/t1'), 'r1/write/src/a.py/t1.json');
    assert.notEqual(path.dirname(recordedReplyPath('a.json/b')), recordedReplyPath('a'));
  });
});
