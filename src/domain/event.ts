import { createHash } from 'node:crypto';
import { z } from 'zod';
import { Ref } from './ref.ts';

/** One fact of a run, for people and the page; the loop never reads it. */
export const Event = z.strictObject({
  /** A hash of kind, round and subject: an activity that ran twice says the same thing twice, and readers drop repeats. */
  id: z.string(),
  /** ISO 8601, UTC. */
  at: z.string(),
  kind: z.enum([
    'run-started',
    'paper-read',
    'evidence-found',
    'requirements-extracted',
    'plan-step-began',
    'blueprint-drafted',
    'blueprint-amended',
    'round-planned',
    'file-written',
    'file-refused',
    'file-remembered',
    'finding-opened',
    'finding-resolved',
    'round-committed',
    'repository-inspected',
    'wait-began',
    'run-ended',
    'notice',
  ]),
  round: z.int().min(0),
  /** The file, view or label it is about; may be empty. */
  subject: z.string(),
  /** One sentence for a person. */
  text: z.string(),
  ref: Ref.nullable(),
});
export type Event = Readonly<z.infer<typeof Event>>;

/** A fact without its identity and time. */
export type Fact = Omit<Event, 'id' | 'at'>;

export function eventOf(fact: Fact, at: string): Event {
  const id = createHash('sha256')
    .update([fact.kind, fact.round, fact.subject, fact.ref?.sha256 ?? ''].join('\0'))
    .digest('hex')
    .slice(0, 16);
  return { id, at, ...fact };
}
