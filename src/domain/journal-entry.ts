import { z } from 'zod';
import { Role, Usage } from './message.ts';
import { Ref } from './ref.ts';

/** A reply that was received and paid for; on disk before anything else happens with it. */
export const JournalEntry = z.strictObject({
  schemaVersion: z.literal(1),
  key: z.string(),
  /** The call's place in the run, such as `r3/write/src/model.py/t2/try1`. */
  label: z.string(),
  /** Who paid: this life of this run. */
  run: z.string(),
  incarnation: z.int().min(1),
  role: Role,
  model: z.string(),
  reply: Ref,
  /** What was asked, message by message; entries of older versions do not say. */
  messages: z.array(Ref).optional(),
  usage: Usage,
  /** In the unit of the run's budget. */
  cost: z.number().min(0),
  startedAt: z.string(),
  /** Milliseconds from asking to the whole reply. */
  durationMs: z.number().min(0),
});
export type JournalEntry = Readonly<z.infer<typeof JournalEntry>>;

/** Says that a call is under way, or was when its process died: then it may have been paid. */
export const JournalMarker = z.strictObject({
  schemaVersion: z.literal(1),
  key: z.string(),
  label: z.string(),
  run: z.string(),
  incarnation: z.int().min(1),
  /** What the call costs at worst, in the unit of the run's budget. */
  worstCost: z.number().min(0),
  startedAt: z.string(),
  /** The call ended without a reply and may have been paid all the same (a connection lost half way). */
  ended: z.boolean(),
});
export type JournalMarker = Readonly<z.infer<typeof JournalMarker>>;
