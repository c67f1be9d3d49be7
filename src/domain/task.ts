import { z } from 'zod';
import { Ref } from './ref.ts';

/** A file given by the person, kept whole in the store. */
export const Source = z.strictObject({ name: z.string(), content: Ref });
export type Source = Readonly<z.infer<typeof Source>>;

/** D = (p, F, u): the paper with its supplements, figures, and what the user asks besides. */
export const Task = z.strictObject({
  schemaVersion: z.literal(1),
  paper: Source,
  /** Addenda, errata, notes; they outrank the paper, later ones the earlier. */
  supplements: z.array(Source),
  figures: z.array(Source),
  userRequests: z.array(z.string()),
});
export type Task = Readonly<z.infer<typeof Task>>;
