import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { hasCode } from '../store/durable.ts';
import { parseStored } from '../store/stored-json.ts';
import { writePlainly } from './write-plainly.ts';

/** Our own folder in an exported repository. */
export const OWN_FOLDER = '.deeprepro';

/** What we wrote to a folder, so that the next export knows its own files from a person's. */
export const ExportMarker = z.strictObject({
  schemaVersion: z.literal(1),
  run: z.string(),
  /** SHA-256 by path. */
  files: z.record(z.string(), z.string()),
  /** The same of an export under way: where it was cut off, a file may hold either. */
  writing: z.record(z.string(), z.string()).default({}),
  /** By path, the content that would have replaced a person's change when they were told of it. */
  told: z.record(z.string(), z.string()).default({}),
});
export type ExportMarker = Readonly<z.infer<typeof ExportMarker>>;

/** Undefined where we have never exported to. Throws `BlobUnreadable` for a damaged marker. */
export async function readMarker(folder: string): Promise<ExportMarker | undefined> {
  const path = pathOf(folder);
  try {
    return parseStored(ExportMarker, await readFile(path, 'utf8'), `the export marker ${path}`);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

export async function writeMarker(
  folder: string,
  marker: Omit<ExportMarker, 'schemaVersion'>,
): Promise<void> {
  await writePlainly(
    pathOf(folder),
    `${JSON.stringify({ schemaVersion: 1, ...marker }, null, 2)}\n`,
  );
}

function pathOf(folder: string): string {
  return join(folder, OWN_FOLDER, 'export.json');
}
