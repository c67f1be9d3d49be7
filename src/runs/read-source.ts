import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from '../domain/errors.ts';

/** A file that a person named, read whole. */
export interface SourceFile {
  readonly name: string;
  readonly content: Buffer;
}

const MAX_BYTES = 20 * 1024 * 1024;
/** Text with a NUL byte in its first part is no text. */
const PROBE_BYTES = 64 * 1024;

/** Reads a paper or supplement. Throws `UsageError` when it is missing, too large, empty, or neither a PDF nor text. */
export async function readPaperSource(path: string, what: string): Promise<SourceFile> {
  const source = await readSource(path, what);
  const isPdf = source.content.subarray(0, 1_024).includes('%PDF-');
  return isPdf ? source : checkedText(source, path, what);
}

/** Reads a text file. Throws `UsageError` when it is missing, too large, empty, or no text. */
export async function readTextSource(path: string, what: string): Promise<SourceFile> {
  return checkedText(await readSource(path, what), path, what);
}

function checkedText(source: SourceFile, path: string, what: string): SourceFile {
  const { content } = source;
  if (content.subarray(0, PROBE_BYTES).includes(0))
    throw new UsageError(
      `The ${what} ${path} is a binary file: give a PDF, or Markdown, plain text or LaTeX in UTF-8.`,
    );
  if (content.toString('utf8').trim() === '')
    throw new UsageError(`The ${what} ${path} is empty: give a file that holds the paper's text.`);
  return source;
}

/** Reads a file of any kind. Throws `UsageError` when it is missing, no file, or larger than 20 MB. */
export async function readSource(path: string, what: string): Promise<SourceFile> {
  const found = await stat(path).catch((error: unknown) => {
    throw new UsageError(describeMissing(path, what), { cause: error });
  });
  if (!found.isFile())
    throw new UsageError(`The ${what} ${path} is not a file: name the file itself.`);
  if (found.size > MAX_BYTES)
    throw new UsageError(
      `The ${what} ${path} has ${(found.size / 1024 / 1024).toFixed(1)} MB, and at most 20 MB are read: make it smaller.`,
    );
  const content = await readFile(path).catch((error: unknown) => {
    throw new UsageError(`The ${what} ${path} cannot be read: check its permissions.`, {
      cause: error,
    });
  });
  return { name: basename(path), content };
}

function describeMissing(path: string, what: string): string {
  const looksRemote = /^[a-z]+:\/\//i.test(path) || /^(arxiv:)?\d{4}\.\d{4,5}(v\d+)?$/i.test(path);
  return looksRemote
    ? `The ${what} ${path} is an address; deeprepro cannot fetch papers yet: download it and name the file.`
    : `There is no file ${path} to read as the ${what}: check the path.`;
}
