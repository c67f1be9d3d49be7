import { z } from 'zod';
import { RepositoryPath } from './path.ts';
import { Ref } from './ref.ts';

/** What the judge says of one check on one content of a file. */
export const Verdict = z.strictObject({
  path: RepositoryPath,
  /** The content that was looked at: a verdict on another one counts no more. */
  file: Ref,
  /** The check's own words. */
  text: z.string().min(1),
  isMet: z.boolean(),
  /** Where it is met, or what is missing, in a sentence; may be empty. */
  why: z.string(),
});
export type Verdict = Readonly<z.infer<typeof Verdict>>;

/** All that the judge said of a round. */
export const Judgement = z.strictObject({
  schemaVersion: z.literal(1),
  verdicts: z.array(Verdict),
});
export type Judgement = Readonly<z.infer<typeof Judgement>>;
