import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobUnreadable } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { createDurably, hasCode } from './durable.ts';
import type { Store } from './store.ts';

/** A store in a folder: one file a value, named by its hash, two levels deep. */
export function createFolderStore(folder: string): Store {
  const pathOf = ({ sha256 }: Ref) => join(folder, sha256.slice(0, 2), sha256);

  async function has(ref: Ref): Promise<boolean> {
    try {
      return (await stat(pathOf(ref))).size === ref.bytes;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
  }

  return {
    has,
    async put(content) {
      const ref = refOf(content);
      if (!(await has(ref))) await createDurably(pathOf(ref), content);
      return ref;
    },
    async get(ref) {
      const bytes = await readFile(pathOf(ref)).catch((error: unknown) => {
        throw new BlobUnreadable(`The store ${folder} holds nothing under ${ref.sha256}.`, {
          cause: error,
        });
      });
      if (refOf(bytes).sha256 !== ref.sha256) {
        throw new BlobUnreadable(`The store's file for ${ref.sha256} is damaged: ${pathOf(ref)}.`);
      }
      return bytes;
    },
  };
}

/** The reference that `content` has in every store. */
export function refOf(content: string | Uint8Array): Ref {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  return { sha256: createHash('sha256').update(bytes).digest('hex'), bytes: bytes.byteLength };
}
