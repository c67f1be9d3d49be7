import { UsageError } from '../domain/errors.ts';
import { RunName, type RunRecord } from '../domain/run-record.ts';
import type { RunFolders } from '../store/run-folders.ts';

/** Leaves room for a number at the end. */
const MAX_SLUG = 50;

/** The name that a file gives to its run: lower-case letters, digits and hyphens. */
export function slugOf(fileName: string): string {
  const slug = fileName
    .replace(/(?<=.)\.[^.]*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG)
    .replace(/^-+|-+$/g, '');
  return slug === '' ? 'paper' : slug;
}

/** Throws `UsageError` where the text cannot be a run's name. */
export function checkedRunName(text: string): string {
  const parsed = RunName.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `"${text.slice(0, 80)}" cannot be a run's name. ${parsed.error.issues[0]?.message ?? ''}`,
  );
}

/** Throws `UsageError` when there is a run of this name; said before anything slow is begun. */
export async function requireFreeName(folders: RunFolders, name: string): Promise<void> {
  if (!(await folders.names()).includes(name)) return;
  throw new UsageError(
    `The run name "${name}" is taken: give another with --name, or go on with \`deeprepro resume ${name}\`.`,
  );
}

/**
 * Makes the folder of a new run under `slug`, or `slug-2`, `slug-3`, … where those are taken; two processes never get
 * the same. Returns the record as made.
 */
export async function createUnderFreeName(
  folders: RunFolders,
  slug: string,
  recordFor: (name: string) => RunRecord,
): Promise<RunRecord> {
  for (;;) {
    const record = recordFor(await freeName(folders, slug));
    try {
      await folders.create(record);
      return record;
    } catch (error) {
      // Another process may have been quicker; every other trouble is real.
      if (!(await folders.names()).includes(record.name)) throw error;
    }
  }
}

/** `slug`, or with the first free number; another process may take it before it is used. */
export async function freeName(folders: RunFolders, slug: string): Promise<string> {
  return firstFree(slug, new Set(await folders.names()));
}

/** `slug`, or with the first number that makes it none of the taken names. */
export function firstFree(slug: string, taken: ReadonlySet<string>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? slug : `${slug}-${number}`;
    if (!taken.has(name)) return name;
  }
}
