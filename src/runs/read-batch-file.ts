import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { BatchPaper } from '../domain/batch.ts';
import { UsageError } from '../domain/errors.ts';

const MOST_PAPERS = 1000;

/** An entry as people write it: a path alone, or a paper with what is asked for it. */
const Line = z.union([
  z
    .string()
    .min(1)
    .transform((paper) => BatchPaper.parse({ paper })),
  BatchPaper,
]);

/**
 * Reads a list of papers in YAML; paths in it are relative to its folder. Throws `UsageError` that names the line of the
 * first entry that cannot be used: nothing has been started then.
 */
export async function readBatchFile(path: string): Promise<readonly BatchPaper[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`The list of papers ${path} cannot be read: check the path.`, {
      cause: error,
    });
  });
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const [broken] = document.errors;
  if (broken) {
    const [sentence = ''] = broken.message.split('\n');
    throw new UsageError(`${path} is no YAML: ${sentence.replace(/:$/, '')}.`, { cause: broken });
  }
  const content = document.contents;
  const items = content && 'items' in content && !isMap(content) ? content.items : [];
  if (items.length === 0 || items.length > MOST_PAPERS)
    throw new UsageError(
      `Expected ${path} to be a YAML list of 1 to ${MOST_PAPERS} papers ("- paper.pdf", or "- paper: paper.pdf" with budget, request and more below).`,
    );
  const folder = dirname(resolve(path));
  return items.map((item) => {
    const start = isMap(item) || isScalar(item) ? item.range?.[0] : undefined;
    const line = start === undefined ? 0 : lines.linePos(start).line;
    const value: unknown = isMap(item) || isScalar(item) ? item.toJSON() : null;
    const parsed = Line.safeParse(value);
    if (parsed.success) return withAbsolutePaths(parsed.data, folder);
    throw new UsageError(`Line ${line} of ${path}: ${describe(value)}`);
  });
}

function withAbsolutePaths(entry: BatchPaper, folder: string): BatchPaper {
  const absolute = (path: string): string => resolve(folder, path);
  return {
    ...entry,
    paper: absolute(entry.paper),
    supplements: entry.supplements.map(absolute),
    figures: entry.figures.map(absolute),
  };
}

/** What is wrong with an entry, in the words of its own fields. */
function describe(value: unknown): string {
  const issue = BatchPaper.safeParse(value).error?.issues[0];
  const known = Object.keys(BatchPaper.shape).join(', ');
  if (typeof value !== 'object' || value === null || !issue)
    return 'expected a path, or a paper with its fields.';
  if (issue.code === 'unrecognized_keys')
    return `"${issue.keys[0] ?? ''}" is no field of a paper; there are ${known}.`;
  return `${issue.path.join('.') || 'the entry'}: ${issue.message}.`.replace(/\.\.$/, '.');
}
