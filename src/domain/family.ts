import type { BlueprintFile } from './blueprint.ts';

/**
 * Files of a family that make it worth writing one of them first: an exemplar holds its siblings back by one file's
 * time, which two files that agree less well do not outweigh.
 */
const LEAST_MEMBERS = 3;

/**
 * Whether two files are of one family, such as four adapters on one base: both fill in what a file of their folder
 * outlines. Files that merely use a common one are left to the outline: prompts must not grow with every file.
 */
export function isSibling(
  file: BlueprintFile,
  other: BlueprintFile,
  files: readonly BlueprintFile[],
): boolean {
  const bases = files.filter(({ path }) => file.needs.includes(path) && other.needs.includes(path));
  return bases.some((base) => isImplementedBy(base, file) && isImplementedBy(base, other));
}

/**
 * The file of a family to be written before its siblings, which follow its shape: the first in the plan's order. Null
 * for a family that is small, for files that merely use a common one, and for the exemplar itself.
 */
export function exemplarOf(file: BlueprintFile, files: readonly BlueprintFile[]): string | null {
  const byPath = new Map(files.map((each) => [each.path, each]));
  for (const path of file.needs) {
    const base = byPath.get(path);
    if (!base || !isImplementedBy(base, file)) continue;
    const members = files.filter(
      (other) => other.needs.includes(path) && isImplementedBy(base, other),
    );
    const [first] = members;
    if (members.length >= LEAST_MEMBERS && first) return first === file ? null : first.path;
  }
  return null;
}

/** Whether a file fills in what a base of its folder outlines, by the plan's signatures or the base's own name. */
function isImplementedBy(base: BlueprintFile, file: BlueprintFile): boolean {
  if (base.path === file.path || folderOf(base.path) === '') return false;
  if (folderOf(base.path) !== folderOf(file.path)) return false;
  if (/(?:^|[/_])(?:base|abstract|interface|protocol)\w*\.py$/.test(base.path)) return true;
  const classes = [...base.signatures.matchAll(/\bclass\s+(\w+)/g)].map(([, name = '']) => name);
  return classes.some((name) =>
    new RegExp(`\\bclass\\s+\\w+\\s*\\([^)]*\\b${name}\\b`).test(file.signatures),
  );
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}
