import { z } from 'zod';

const MAX_LENGTH = 200;
/** Names that Windows or git treat specially; a tree holding them could not be checked out everywhere. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|\.git|\.deeprepro)(\.|$)/i;
const FORBIDDEN = /[\u0000-\u001f\u007f\\:*?"<>|]/;

/** Why a path is not one of a repository, as the end of a sentence, or undefined when it is. */
export function pathProblem(path: string): string | undefined {
  if (path.length === 0) return 'is empty';
  if (path.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (FORBIDDEN.test(path)) return 'holds a backslash, a control character or one of : * ? " < > |';
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

/** A file of the generated repository: relative, POSIX, at most 200 characters, without reserved names. */
export const RepositoryPath = z.string().superRefine((path, context) => {
  const problem = pathProblem(path);
  if (problem)
    context.addIssue({ code: 'custom', message: `The path "${path.slice(0, 80)}" ${problem}.` });
});

/** The first pair of paths that some file systems cannot hold side by side: equal but for case, or a file and a folder of one name. */
export function clashingPaths(paths: readonly string[]): [string, string] | undefined {
  const seen = new Map<string, string>();
  for (const path of paths) {
    const folded = path.toLowerCase();
    const earlier = seen.get(folded);
    if (earlier !== undefined) return [earlier, path];
    seen.set(folded, path);
  }
  for (const path of paths) {
    const parts = path.toLowerCase().split('/');
    for (let length = 1; length < parts.length; length += 1) {
      const folder = seen.get(parts.slice(0, length).join('/'));
      if (folder !== undefined) return [folder, path];
    }
  }
  return undefined;
}
