import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobUnreadable } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { diskProblem } from './disk-problem.ts';
import { createDurably, hasCode, replaceDurably } from './durable.ts';
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

  const underWay = new Map<string, Promise<void>>();

  async function write(ref: Ref, content: string | Uint8Array): Promise<void> {
    if (await has(ref)) return;
    // A name that is taken by another length is a damaged file: these bytes heal it.
    const isNew = await createDurably(pathOf(ref), content, folder);
    if (!isNew && !(await has(ref))) await replaceDurably(pathOf(ref), content, folder);
  }

  return {
    has,
    async put(content) {
      const ref = refOf(content);
      // Steps that run side by side often store the same message at the same moment.
      const writing = underWay.get(ref.sha256) ?? write(ref, content);
      underWay.set(ref.sha256, writing);
      await writing.finally(() => underWay.delete(ref.sha256));
      return ref;
    },
    async get(ref) {
      const bytes = await readFile(pathOf(ref)).catch((error: unknown) => {
        // What holds the bytes back for now (open files, rights) is not a loss.
        if (!hasCode(error, 'ENOENT')) throw diskProblem(error, folder);
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
