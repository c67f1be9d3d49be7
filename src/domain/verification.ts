import { z } from 'zod';
import { RepositoryPath } from './path.ts';
import { Ref } from './ref.ts';
import type { Tree } from './tree.ts';
import { Verdict } from './verdict.ts';

/** What the verifier found of one requirement in the code. */
export const RequirementVerdict = z.strictObject({
  /** The requirement's id. */
  id: z.string().regex(/^R\d+$/),
  verdict: z.enum(['met', 'partly', 'missing']),
  /** What the paper asks for, as the verifier reads it. */
  expected: z.string(),
  /** What the code does; empty where nothing was found. */
  found: z.string(),
  /** Where it is found; `line` is the first of it, from 1. */
  where: z.array(z.strictObject({ path: RepositoryPath, line: z.int().min(1) })),
  /** The command that reaches it, or empty where none does. */
  reachedBy: z.string(),
  /** The smallest change that would meet it; empty where it is met. */
  fix: z.string(),
  /** The file that the fix belongs into, or null where it is met. */
  fixIn: RepositoryPath.nullable(),
  /** The contents that were read: the verdict falls when one of them changes. */
  read: z.array(z.strictObject({ path: RepositoryPath, file: Ref })),
});
export type RequirementVerdict = Readonly<z.infer<typeof RequirementVerdict>>;

/** All that one verification said, stored. */
export const Verification = z.strictObject({
  schemaVersion: z.literal(1),
  requirements: z.array(RequirementVerdict),
  /** On the round's acceptance checks that a model decides. */
  checks: z.array(Verdict),
  /** Ids of requirements that were asked for and not decided. */
  undecided: z.array(z.string()),
});
export type Verification = Readonly<z.infer<typeof Verification>>;

/** When requirements are verified: never, when no target is left, or also after each round. */
export const VerifyMode = z.enum(['off', 'gate', 'rounds']);
export type VerifyMode = z.infer<typeof VerifyMode>;

/** Whether all that the verifier read is still there as it was. */
export function stands({ read }: RequirementVerdict, tree: Tree): boolean {
  return read.every(({ path, file }) => tree[path]?.sha256 === file.sha256);
}
