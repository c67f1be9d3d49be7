import { referenceTo } from './blocks.ts';
import { plain, withArgument } from './latex-call.ts';
import type { Call } from './latex-call.ts';
import { inline } from './latex-page.ts';
import { argumentAt, optionAt } from './latex-source.ts';
import type { Span } from './latex-source.ts';

/** `\\cite[see][p. 3]{a,b}` becomes `[see a, b, p. 3]`. Returns where to go on. */
export function convertCitation(call: Call): number {
  const { reading, page } = call;
  const first = optionAt(reading.source, call.at, call.to);
  const second = first && optionAt(reading.source, first.next, call.to);
  const keys = argumentAt(reading.source, second?.next ?? first?.next ?? call.at, call.to);
  if (keys === undefined) return call.at;
  const note = (span: Span | undefined): string =>
    span === undefined ? '' : inline(reading, page, span.from, span.to);
  const before = second === undefined ? '' : note(first);
  const after = second === undefined ? note(first) : note(second);
  const list = plain(call, keys)
    .split(/\s*,\s*/)
    .join(', ');
  const words = [before, [list, after].filter((piece) => piece !== '').join(', ')];
  page.line.push(`[${words.filter((piece) => piece !== '').join(' ')}]`);
  return keys.next;
}

/** A reference becomes the id of what it names, once ids are known. */
export function convertReference(call: Call): number {
  return withArgument(call, (span) => {
    const labels = plain(call, span)
      .split(',')
      .map((label) => referenceTo(label.trim()));
    const shown = labels.join(', ');
    call.page.line.push(call.name.startsWith('eqref') ? `(${shown})` : shown);
  });
}
