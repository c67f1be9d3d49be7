import type { PaperDocument } from '../domain/paper.ts';
import { readSource } from './read-text.ts';

/** A file as it was given: `name` tells its form, together with its content. */
export type PaperSource = Readonly<{ name: string; bytes: Uint8Array }>;

/**
 * Reads a paper and its supplements (D̃). Ids in the n-th supplement start with `sup-n/`. Throws `PaperUnreadable` for
 * the first file that cannot be read.
 */
export function readPaper(paper: PaperSource, supplements: readonly PaperSource[]): PaperDocument {
  const main = readSource(paper.name, paper.bytes);
  const others = supplements.map(({ name, bytes }, index) =>
    readSource(name, bytes, `sup-${index + 1}/`),
  );
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
