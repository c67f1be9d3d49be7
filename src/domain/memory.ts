import { z } from 'zod';
import { Ref } from './ref.ts';

/**
 * M_t's entry for one written file, bound to the content it describes. The interface is read off the code at once;
 * the model's notes arrive later. `unavailable` means that the model was asked and gave no usable notes.
 */
export const MemoryEntry = z.strictObject({
  file: Ref,
  interface: Ref,
  notes: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('pending') }),
    z.strictObject({ kind: z.literal('noted'), text: Ref }),
    z.strictObject({ kind: z.literal('unavailable') }),
  ]),
  /** What its writer was unsure of, and in which round; absent where it said nothing, or in fast mode. */
  doubts: z.strictObject({ round: z.int().min(1), text: Ref }).exactOptional(),
});
export type MemoryEntry = Readonly<z.infer<typeof MemoryEntry>>;
