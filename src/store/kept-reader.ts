import type { z } from 'zod';
import type { Ref } from '../domain/ref.ts';
import type { Store } from './store.ts';
import { getJson, getText } from './stored-json.ts';

/** Reads values of one kind from a store. */
export type Reader<Value> = (store: Store, ref: Ref) => Promise<Value>;

/** Stored bytes of the values that one reader keeps for one store; in memory they take a few times as much. */
const MOST_BYTES = 8_000_000;

/**
 * Like `getJson` with this schema, but reads and checks each value once in this process: under one hash it never
 * changes. All readers share it, so it is frozen.
 */
export function keptJson<Schema extends z.ZodType>(schema: Schema): Reader<z.infer<Schema>> {
  return kept(async (store, ref) => frozen(await getJson(store, schema, ref)));
}

/** Like `getText`, read once in this process. */
export function keptText(): Reader<string> {
  return kept(getText);
}

function kept<Value>(read: Reader<Value>): Reader<Value> {
  const shelves = new WeakMap<Store, Map<string, { ref: Ref; value: Promise<Value> }>>();
  return (store, ref) => {
    const shelf = shelves.get(store) ?? new Map<string, { ref: Ref; value: Promise<Value> }>();
    shelves.set(store, shelf);
    const found = shelf.get(ref.sha256);
    const value = found?.value ?? read(store, ref);
    // The newest stand last, and what was not asked for longest goes first.
    shelf.delete(ref.sha256);
    shelf.set(ref.sha256, { ref, value });
    if (!found) {
      dropOldest(shelf);
      // What could not be read may be there later.
      value.catch(() => shelf.delete(ref.sha256));
    }
    return value;
  };
}

function dropOldest(shelf: Map<string, { readonly ref: Ref }>): void {
  let bytes = [...shelf.values()].reduce((sum, { ref }) => sum + ref.bytes, 0);
  for (const [sha256, { ref }] of shelf) {
    if (bytes <= MOST_BYTES) return;
    shelf.delete(sha256);
    bytes -= ref.bytes;
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) frozen(inner);
  return value;
}
