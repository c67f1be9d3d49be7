import type { Reading } from './prompt.ts';

/** The last line of every answer in prose, so that a cut one is never taken for whole. */
export const END_WITH_DONE =
  'End with a line that holds only @done. An answer without it is taken for cut off.';

/**
 * Reads a Markdown answer that ends in `@done`. A fence around the whole is taken off; text after `@done` is ignored.
 */
export function readMarkdown(reply: string): Reading<string> {
  const lines = reply.replaceAll('\r\n', '\n').split('\n');
  const end = lines.findLastIndex((line) => line.trim() === '@done');
  if (end === -1)
    return problem(
      'The answer does not end with the line @done, so it may be cut off. Give it whole.',
    );
  const markdown = withoutFence(lines.slice(0, end), lines.slice(end + 1))
    .join('\n')
    .trim();
  return markdown === ''
    ? problem('The answer holds nothing before @done.')
    : { kind: 'answer', answer: markdown };
}

function withoutFence(lines: readonly string[], after: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lines.findLastIndex((line) => line.trim() !== '');
  if (!/^`{3,}(?:markdown|md|text)?$/.test(lines[first]?.trim() ?? '')) return lines;
  if (after.some((line) => /^`{3,}$/.test(line.trim()))) return lines.slice(first + 1);
  return /^`{3,}$/.test(lines[last]?.trim() ?? '') ? lines.slice(first + 1, last) : lines;
}

function problem(sentence: string): Reading<never> {
  return { kind: 'problems', problems: [sentence] };
}
