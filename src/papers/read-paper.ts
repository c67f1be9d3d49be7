import type { NormalisedText, PaperDocument } from '../domain/paper.ts';
import { assemble } from './assemble.ts';
import { LARGEST_TEXT_BYTES, unreadable } from './decode-source.ts';
import { isPdf, type PdfReader } from './read-pdf.ts';
import { readSource } from './read-text.ts';

/** A file as it was given: `name` tells its form, together with its content. */
export type PaperSource = Readonly<{ name: string; bytes: Uint8Array }>;

/**
 * Reads a paper and its supplements (D̃). Ids in the n-th supplement start with `sup-n/`. Throws `PaperUnreadable` for
 * the first file that cannot be read, or the reason of `signal`, which ends the reading of a PDF.
 */
export async function readPaper(
  paper: PaperSource,
  supplements: readonly PaperSource[],
  pdf: PdfReader,
  signal?: AbortSignal,
): Promise<PaperDocument> {
  const main = await readAny(paper, '', pdf, signal);
  const others: Read[] = [];
  // One after the other: each PDF takes a process and its memory.
  for (const [index, supplement] of supplements.entries())
    others.push(await readAny(supplement, `sup-${index + 1}/`, pdf, signal));
  const noticesOfOthers = others.flatMap(({ text, notices }) =>
    notices.map((notice) => `${text.name}: ${notice}`),
  );
  return {
    schemaVersion: 1,
    paper: main.text,
    supplements: others.map(({ text }) => text),
    notices: [...main.notices, ...noticesOfOthers],
  };
}

type Read = { text: NormalisedText; notices: string[] };

async function readAny(
  { name, bytes }: PaperSource,
  idPrefix: string,
  pdf: PdfReader,
  signal?: AbortSignal,
): Promise<Read> {
  if (!isPdf(bytes)) return readSource(name, bytes, idPrefix);
  const read = assemble(name, await pdf.draft(name, bytes, signal), idPrefix);
  const size = Buffer.byteLength(read.text.markdown);
  if (size > LARGEST_TEXT_BYTES)
    throw unreadable(
      name,
      `holds ${(size / 1_000_000).toFixed(1)} MB of text`,
      'A paper may have 2 MB: cut what does not belong to it.',
    );
  return read;
}
