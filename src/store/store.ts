import type { Ref } from '../domain/ref.ts';

/** Content-addressed bytes. Safe with concurrent writers in any number of processes; a value once put is never changed. */
export interface Store {
  /** Keeps the bytes (text as UTF-8), durably once it resolves; putting the same bytes twice is free. */
  put(content: string | Uint8Array): Promise<Ref>;
  /** The bytes of `ref`; throws `BlobUnreadable` when they are missing or damaged. */
  get(ref: Ref): Promise<Buffer>;
  has(ref: Ref): Promise<boolean>;
}
