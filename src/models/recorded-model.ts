import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { NeedsPerson } from '../domain/errors.ts';
import type { ModelReply } from '../domain/message.ts';
import { RecordedReply, recordedReplyPath } from '../domain/recorded-reply.ts';
import type { Model } from './model.ts';

/** A model that also keeps each reply in `folder` under its label; of two replies to a label the later one stays.
 * Throws `NeedsPerson` of kind `disk` where it cannot. */
export function createRecordingModel(model: Model, folder: string): Model {
  return {
    async reply(request, signal, onProgress) {
      const reply = await model.reply(request, signal, onProgress);
      await record(folder, request.label, reply).catch((cause: unknown) => {
        // Trying again would pay for the reply again, and could not keep it either.
        throw new NeedsPerson(
          'disk',
          `The reply for "${request.label}" cannot be recorded in ${folder}: ${String(cause)}.`,
          'Make the folder writable, or run without --record.',
          { cause },
        );
      });
      return reply;
    },
  };
}

/**
 * A model that answers from recordings, by label alone, after `latencyMs` (0 by default). Throws `NeedsPerson` of kind
 * `request` where there is no recording, or one that cannot be read.
 */
export function createReplayModel(
  folder: string,
  { latencyMs = 0 }: { readonly latencyMs?: number } = {},
): Model {
  return {
    async reply({ label }, signal, onProgress) {
      signal.throwIfAborted();
      if (latencyMs > 0) await wait(latencyMs, undefined, { signal }).catch(() => undefined);
      signal.throwIfAborted();
      const { reply } = await readRecording(folder, label);
      onProgress?.({ characters: reply.text.length });
      return reply;
    },
  };
}

async function record(folder: string, label: string, reply: ModelReply): Promise<void> {
  const file = path.join(folder, recordedReplyPath(label));
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  const recording = RecordedReply.parse({ schemaVersion: 1, label, reply });
  await writeFile(temporary, `${JSON.stringify(recording, undefined, 2)}\n`);
  await rename(temporary, file);
}

async function readRecording(folder: string, label: string): Promise<RecordedReply> {
  const file = path.join(folder, recordedReplyPath(label));
  const remedy = `Record the reply again with --record, or run without --replay.`;
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    const message = `There is no recorded reply for "${label}" in ${folder}.`;
    throw new NeedsPerson('request', message, remedy, { cause });
  }
  try {
    return RecordedReply.parse(JSON.parse(text));
  } catch (cause) {
    const message = `The recorded reply for "${label}" in ${file} is damaged or of another version.`;
    throw new NeedsPerson('request', message, remedy, { cause });
  }
}
