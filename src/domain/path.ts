import { z } from 'zod';

/** Bytes of UTF-8: a disk takes 255 of them for a name, and views and prompts hold many paths. */
const MAX_BYTES = 200;
/** Names that Windows or git treat specially; a tree holding them could not be checked out everywhere. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|\.git|\.deeprepro)(\.|$)/i;
/** Unseen characters of other kinds as well: they turn words round, hide, or are half of one. */
const FORBIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\\:*?"<>|]/u;

/** Why a path is not one of a repository, as the end of a sentence, or undefined when it is. */
export function pathProblem(path: string): string | undefined {
  if (path.length === 0) return 'is empty';
  if (FORBIDDEN.test(path))
    return 'holds a backslash, a control or unseen character or one of : * ? " < > |';
  if (bytesOf(path) > MAX_BYTES) return `is longer than ${MAX_BYTES} bytes`;
  if (path.startsWith('/')) return 'is absolute';
  // Paths are keys of plain objects, where such a name would be found without ever having been written.
  if (path in Object.prototype) return 'is a name that cannot be a key';
  for (const part of path.split('/')) {
    if (part === '' || part === '.' || part === '..') return 'holds an empty, "." or ".." part';
    if (RESERVED.test(part)) return `holds the reserved name "${part}"`;
    if (/[. ]$/.test(part)) return `holds a part that ends in a dot or space: "${part}"`;
  }
  return undefined;
}

/** A file of the generated repository: relative, POSIX, at most 200 bytes of UTF-8, without reserved names. */
export const RepositoryPath = z.string().superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem)
    context.addIssue({ code: 'custom', message: `The path "${path.slice(0, 80)}" ${problem}.` });
});

/** The length of a path in bytes of UTF-8. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** One form of paths that some file systems take for the same: equal but for case or for how accents are composed. */
export function foldedPath(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

/** The first pair of paths that some file systems cannot hold side by side: equal when folded, or a file and a folder of one name. */
export function clashingPaths(paths: readonly string[]): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = foldedPath(path);
    const earlier = seen.get(folded);
    if (earlier !== undefined) return [earlier, path];
    seen.set(folded, path);
  }
  for (const path of paths) {
    const parts = foldedPath(path).split('/');
    for (let length = 1; length < parts.length; length += 1) {
      const folder = seen.get(parts.slice(0, length).join('/'));
      if (folder !== undefined) return [folder, path];
    }
  }
  return undefined;
}
