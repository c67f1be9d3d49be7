import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { Capabilities, type CapabilityMemory } from './capabilities.ts';

const CapabilityFile = z.object({
  schemaVersion: z.literal(1),
  models: z.record(z.string(), Capabilities),
});

/** What was learned, kept while the process lives; for tests and single calls. */
export function createCapabilityMemory(): CapabilityMemory {
  const known = new Map<string, Capabilities>();
  return {
    get: async (key) => known.get(key),
    set: async (key, capabilities) => void known.set(key, capabilities),
  };
}

/**
 * What was learned, kept in a JSON file that any number of processes may share; it is replaced whole. A file that is
 * missing, damaged or of another version counts as empty, for all of it can be learned again.
 */
export function createCapabilityFile(file: string): CapabilityMemory {
  let lastWrite = Promise.resolve();
  return {
    get: async (key) => (await readModels(file))[key],
    set: async (key, capabilities) => {
      const write = lastWrite.then(() => addModel(file, key, capabilities));
      // A failed write is its caller's to report; the next one starts afresh.
      lastWrite = write.catch(() => undefined);
      await write;
    },
  };
}

async function readModels(file: string): Promise<Readonly<Record<string, Capabilities>>> {
  try {
    return CapabilityFile.parse(JSON.parse(await readFile(file, 'utf8'))).models;
  } catch {
    return {};
  }
}

async function addModel(file: string, key: string, capabilities: Capabilities): Promise<void> {
  const models = { ...(await readModels(file)), [key]: capabilities };
  const temporary = `${file}.${randomUUID()}.tmp`;
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(temporary, `${JSON.stringify({ schemaVersion: 1, models }, undefined, 2)}\n`);
  await rename(temporary, file);
}
