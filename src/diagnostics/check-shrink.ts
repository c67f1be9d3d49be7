/** Files shorter than this may change as they like. */
const LEAST_LINES = 10;

/** A write that would replace an accepted file. */
export interface Replacement {
  /** The accepted content, or null where the file is new. */
  readonly before: string | null;
  readonly after: string;
  /** The writer's reason for a much shorter file; empty where none was stated. */
  readonly shrinks: string;
}

/** Why a write is refused that halves an accepted file and does not say why; at most one sentence with its remedy. */
export function shrinkProblem(
  path: string,
  { before, after, shrinks }: Replacement,
): { readonly message: string; readonly remedy: string }[] {
  if (before === null || shrinks !== '') return [];
  const [had, has] = [filledLines(before), filledLines(after)];
  if (had < LEAST_LINES || has * 2 >= had) return [];
  return [
    {
      message: `${path}: the accepted file has ${had} lines that are not blank and this one ${has}, so most of it would be lost.`,
      remedy:
        'Write the whole file with all that was right in it; if it is meant to be so much shorter, add a line "@shrinks" with the reason before @done.',
    },
  ];
}

function filledLines(text: string): number {
  return text.split('\n').filter((line) => line.trim() !== '').length;
}
