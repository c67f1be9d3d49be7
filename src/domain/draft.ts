import { z } from 'zod';

/**
 * A file of which a part has arrived, and how the rest is being sent: as the continuation of a cut answer, or one
 * top-level definition after the other. `asked` counts the messages that led to the first answer.
 */
export const Draft = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('continuation'),
    asked: z.int().min(1),
    /** Whole lines only: the one that the cut fell into is dropped. */
    text: z.string(),
  }),
  z.strictObject({
    kind: z.literal('parts'),
    asked: z.int().min(1),
    /** Whole top-level statements only. */
    text: z.string(),
    /** The definitions still to come, in order and in the model's words; null while it has not named them. */
    rest: z.array(z.string()).nullable(),
  }),
]);
export type Draft = Readonly<z.infer<typeof Draft>>;

/** More than this in one answer, and going on the same way would only be cut again. */
const LONG_CHARACTERS = 60_000;
/** Fewer lines than this are not worth going on from. */
const LEAST_LINES = 5;

/** Whether what arrived of a cut answer is worth going on from. */
export function isWorthKeeping(text: string): boolean {
  return text.split('\n').filter((line) => line.trim() !== '').length >= LEAST_LINES;
}

/** Whether one answer brought so much that the rest had better come in parts. */
export function isLong(text: string): boolean {
  return text.length > LONG_CHARACTERS;
}
