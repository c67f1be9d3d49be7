import { join } from 'node:path';
import { ModelReply } from '../domain/message.ts';
import { recordedReplyPath, type RecordedReply } from '../domain/recorded-reply.ts';
import { getJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';
import { writePlainly } from './write-plainly.ts';

/**
 * Writes every reply of a run to `folder`, one file a label, as `--replay` reads them; of two replies to a label the
 * later one stays. Returns how many there are.
 */
export async function exportReplies(
  ports: RunPorts,
  name: string,
  folder: string,
): Promise<number> {
  const { seed } = await ports.folders.read(name);
  const entries = await ports.journal.entries(seed);
  const byLabel = new Map<string, (typeof entries)[number]>();
  for (const entry of [...entries].sort((a, b) => (a.startedAt < b.startedAt ? -1 : 1)))
    byLabel.set(entry.label, entry);
  for (const { label, reply } of byLabel.values()) {
    const recorded: RecordedReply = {
      schemaVersion: 1,
      label,
      reply: await getJson(ports.store, ModelReply, reply),
    };
    const path = join(folder, recordedReplyPath(label));
    await writePlainly(path, `${JSON.stringify(recorded, undefined, 2)}\n`);
  }
  return byLabel.size;
}
