/** Lines of a cut text that its continuation is asked to repeat. */
export const OVERLAP_LINES = 20;

/** An overlap this short could stand anywhere. */
const LEAST_OVERLAP = 3;
/** How far back a continuation may begin when it does not begin where it was asked to. */
const LONGEST_OVERLAP = 200;

/** The last lines of a text that a continuation has to repeat. */
export function overlapOf(text: string): string[] {
  return linesOf(text).slice(-OVERLAP_LINES);
}

/**
 * A text and its continuation, joined where the continuation's first lines repeat the text's last ones exactly (spaces
 * at line ends aside). Undefined where they do not, or where they could be joined in more than one way.
 */
export function joinAtOverlap(text: string, continuation: readonly string[]): string | undefined {
  const kept = linesOf(text);
  const more = withoutLeadingBlanks(continuation);
  const fitting = overlapLengths(kept, more).filter((length) => overlaps(kept, more, length));
  const asked = Math.min(OVERLAP_LINES, kept.length);
  const length = fitting.includes(asked) ? asked : fitting.length === 1 ? fitting[0] : undefined;
  if (length === undefined) return undefined;
  return `${[...kept, ...more.slice(length)].join('\n').trimEnd()}\n`;
}

/** Whether a text ends in the same few lines over and over: its writer was caught in a loop. */
export function endsInLoop(text: string): boolean {
  const last = linesOf(text)
    .filter((line) => line.trim() !== '')
    .slice(-LOOP_LINES);
  return last.length === LOOP_LINES && new Set(last).size <= LOOP_LINES / 10;
}

/** Lines looked at for a loop. */
const LOOP_LINES = 40;

/** A text's lines without the blank ones at its end. */
function linesOf(text: string): string[] {
  return text.trimEnd().split('\n');
}

function withoutLeadingBlanks(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex((line) => line.trim() !== '');
  return first === -1 ? [] : lines.slice(first);
}

function overlapLengths(kept: readonly string[], more: readonly string[]): number[] {
  const most = Math.min(kept.length, more.length);
  const near = Array.from({ length: Math.min(most, LONGEST_OVERLAP) }, (_, index) => index + 1);
  // The whole text once more is an overlap too, however long it is.
  return kept.length === most && most > LONGEST_OVERLAP ? [...near, most] : near;
}

function overlaps(kept: readonly string[], more: readonly string[], length: number): boolean {
  const end = kept.slice(-length);
  const isSame = end.every((line, index) => line.trimEnd() === more[index]?.trimEnd());
  const told = end.filter((line) => line.trim() !== '').length;
  return isSame && (told >= LEAST_OVERLAP || length === kept.length);
}
