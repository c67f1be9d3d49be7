import type { z } from 'zod';
import { canonicalJson } from '../domain/canonical-json.ts';
import { BlobUnreadable, NewerVersion } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import type { Store } from './store.ts';

/** Stores a value as canonical JSON, so that equal values have equal references. */
export function putJson(store: Store, value: unknown): Promise<Ref> {
  return store.put(canonicalJson(value));
}

/** Reads a stored value by its schema. Throws `BlobUnreadable`, or `NewerVersion` where a newer deeprepro wrote it. */
export async function getJson<Schema extends z.ZodType>(
  store: Store,
  schema: Schema,
  ref: Ref,
): Promise<z.infer<Schema>> {
  return parseStored(
    schema,
    (await store.get(ref)).toString('utf8'),
    `the stored value ${ref.sha256}`,
  );
}

export async function getText(store: Store, ref: Ref): Promise<string> {
  return (await store.get(ref)).toString('utf8');
}

/** The newest `schemaVersion` that this version writes; readers accept all older ones. */
const NEWEST_VERSION = 1;

/** Parses JSON from a file of ours; `what` names it in errors. */
export function parseStored<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  what: string,
): z.infer<Schema> {
  const value = parseJson(text, what);
  const version = versionOf(value);
  if (version !== undefined && version > NEWEST_VERSION) {
    throw new NewerVersion(
      `A newer deeprepro wrote ${what} (schema version ${version}; this one knows ${NEWEST_VERSION}): update deeprepro.`,
    );
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new BlobUnreadable(
    `Expected ${what} to fit its schema: ${parsed.error.issues[0]?.message ?? ''}`,
    {
      cause: parsed.error,
    },
  );
}

function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BlobUnreadable(`Expected ${what} to be JSON.`, { cause: error });
  }
}

function versionOf(value: unknown): number | undefined {
  if (typeof value !== 'object' || value === null || !('schemaVersion' in value)) return undefined;
  return typeof value.schemaVersion === 'number' ? value.schemaVersion : undefined;
}
