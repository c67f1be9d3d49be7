import type { Page, Reading } from './latex-page.ts';
import { argumentAt, optionAt, sourceOf } from './latex-source.ts';
import type { Span } from './latex-source.ts';

/** A command that is being converted: `at` is where its arguments start. */
export type Call = { reading: Reading; page: Page; name: string; at: number; to: number };

/** Skips options and the first argument, and hands that argument over. */
export function withArgument(call: Call, use: (span: Span) => void): number {
  const { source } = call.reading;
  const option = optionAt(source, call.at, call.to);
  const span = argumentAt(source, option?.next ?? call.at, call.to);
  if (span === undefined) return option?.next ?? call.at;
  use(span);
  return span.next;
}

/** An argument as LaTeX in one line, for file names, labels and keys. */
export function plain(call: Call, span: Span): string {
  return sourceOf(call.reading.source, span.from, span.to).replace(/\s+/g, ' ').trim();
}
