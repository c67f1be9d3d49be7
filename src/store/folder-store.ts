import { createHash } from 'node:crypto';
import { readFile, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobUnreadable } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { diskProblem } from './disk-problem.ts';
import { createDurably, hasCode, replaceDurably } from './durable.ts';
import { pathInSweep } from './sweep-path.ts';
import type { Store } from './store.ts';

/** A value put again so long after it was last put is touched: a sweep takes only what nobody has put for far longer. */
const TOUCH_AFTER_MS = 60 * 60 * 1000;

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

  /** Whether the value is there and known to be wanted; false where a sweep has taken it away in this moment. */
  async function touched(ref: Ref): Promise<boolean> {
    try {
      const { size, mtimeMs } = await stat(pathOf(ref));
      if (size !== ref.bytes) return false;
      const now = new Date();
      if (now.getTime() - mtimeMs > TOUCH_AFTER_MS) await utimes(pathOf(ref), now, now);
      return true;
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw diskProblem(error, folder);
    }
  }

  /** A sweep that finds a value wanted after all puts it back: for that moment it is in the sweep's folder. */
  async function read(ref: Ref): Promise<Buffer> {
    const otherwise = (path: string) => (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw error;
      return readFile(path);
    };
    return readFile(pathOf(ref))
      .catch(otherwise(pathInSweep(folder, ref.sha256)))
      .catch(otherwise(pathOf(ref)));
  }

  const underWay = new Map<string, Promise<void>>();

  async function write(ref: Ref, content: string | Uint8Array): Promise<void> {
    if (await touched(ref)) return;
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
      const bytes = await read(ref).catch((error: unknown) => {
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
