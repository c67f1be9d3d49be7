import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Ref } from './ref.ts';

/** What an executor with tools has before it between two turns on a file. */
export const Desk = z.strictObject({
  /** The file as it has it now; null while it has written nothing. */
  file: Ref.nullable(),
  /** Why the file may be much shorter than the accepted one; empty where nothing was said. */
  shrinks: z.string(),
  /** What its writer was unsure of when it last said so; empty where it was of nothing. */
  doubts: z.string().default(''),
  /** Why the file cannot be accepted as it is, a sentence each. */
  reasons: z.array(z.string()),
  /** What else is wrong with it that it was told of, by kind and symbol: it is asked for once and then let pass. */
  told: z.array(z.string()),
  /** How often a call was made with the same result since the file last changed, by `callKey`. */
  calls: z.record(z.string(), z.int().min(1)),
});
export type Desk = Readonly<z.infer<typeof Desk>>;

export const EMPTY_DESK: Desk = {
  file: null,
  shrinks: '',
  doubts: '',
  reasons: [],
  told: [],
  calls: {},
};

/** A call made this often without effect ends the file: it would be made for ever. */
export const MOST_REPEATS = 3;

/** Stands for a call and its result: equal where both are. */
export function callKey(call: string, result: string): string {
  return createHash('sha256').update(`${call}\0${result}`).digest('hex').slice(0, 16);
}

/** The desk after one reply's calls without effect, each counted once however often the reply made it. */
export function withCalls(desk: Desk, keys: readonly string[]): Desk {
  const counted = [...new Set(keys)].map((key) => [key, (desk.calls[key] ?? 0) + 1] as const);
  return { ...desk, calls: { ...desk.calls, ...Object.fromEntries(counted) } };
}
