import { z } from 'zod';

/** A reference to bytes in the store: their SHA-256 in hex, and their number. */
export const Ref = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().min(0),
});
export type Ref = Readonly<z.infer<typeof Ref>>;

/** Whether two references name the same bytes. */
export function isSameRef(one: Ref | undefined, other: Ref | undefined): boolean {
  return one?.sha256 === other?.sha256;
}
