/** A fenced block under a marker line such as `@write path`. */
export interface AnswerBlock {
  /** What the marker line names behind the marker, without marks around it. */
  readonly name: string;
  readonly content: readonly string[];
  /** Backticks of the opening fence. */
  readonly fence: number;
  /** The line behind the closing fence, or null where the block is never closed. */
  readonly end: number | null;
}

const OPENING = /^(`{3,})[^`]*$/;
const CLOSING = /^(`{3,})[ \t]*$/;

/** The lines of an answer, with every kind of line end read as one. */
export function answerLines(reply: string): string[] {
  return reply.replaceAll('\r\n', '\n').split('\n');
}

/**
 * The block below the marker line at `start`. It ends at the first line that holds at least as many backticks as it
 * began with and nothing else. Undefined where no fence opens it.
 */
export function blockBelow(
  lines: readonly string[],
  start: number,
  marker: string,
): AnswerBlock | undefined {
  let opener = start + 1;
  while (lines[opener]?.trim() === '') opener += 1;
  const fence = OPENING.exec(lines[opener] ?? '')?.[1]?.length;
  if (fence === undefined) return undefined;
  const closing = lines.findIndex((line, index) => index > opener && closesFence(line, fence));
  const isClosed = closing !== -1;
  return {
    name: nameBehind(lines[start] ?? '', marker),
    content: lines.slice(opener + 1, isClosed ? closing : undefined),
    fence,
    end: isClosed ? closing + 1 : null,
  };
}

/** Whether a line closes a block that began with so many backticks. */
export function closesFence(line: string, fence: number): boolean {
  return (CLOSING.exec(line)?.[1]?.length ?? 0) >= fence;
}

/** The sections that may stand behind a block, in the order of the form. */
const SECTIONS = /^@(?:met|doubts|shrinks)(?:\s.*)?$/;

/** Whether a line begins one of the sections behind a block. */
export function opensSection(line: string): boolean {
  return SECTIONS.test(line.trimEnd());
}

/** The text of a section: what stands on its own line and below it; empty for "none". */
export function sectionOf(lines: readonly string[], name: string): string {
  const start = lines.findIndex((line) => line.trim() === name || line.startsWith(`${name} `));
  if (start === -1) return '';
  const end = lines.findIndex((line, index) => index > start && opensSection(line));
  const below = lines.slice(start + 1, end === -1 ? undefined : end);
  const text = [(lines[start] ?? '').slice(name.length), ...below].join('\n').trim();
  return /^(?:- )?none\.?$/i.test(text) ? '' : text;
}

function nameBehind(line: string, marker: string): string {
  return line
    .slice(marker.length)
    .trim()
    .slice(0, 400)
    .replace(/^[`"'*]+|[`"'*]+$/g, '')
    .replace(/^\.\//, '');
}
