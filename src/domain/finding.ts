import { z } from 'zod';

/** What can be wrong with a file. The first group blocks `complete`; the second warns. */
export const FindingKind = z.enum([
  'missing',
  'empty',
  'cut-off',
  'hollow',
  'does-not-parse',
  'unresolved-import',
  'unresolved-name',
  'undeclared-package',
  'package-layout',
]);
export type FindingKind = z.infer<typeof FindingKind>;

const WARNINGS: readonly FindingKind[] = ['undeclared-package', 'package-layout'];

/** Whether an open finding of this kind keeps a run from being `complete`. */
export function isBlocking({ kind }: { readonly kind: FindingKind }): boolean {
  return !WARNINGS.includes(kind);
}

/** One thing wrong with the repository, as a check reports it. */
export const Problem = z.strictObject({
  kind: FindingKind,
  /** The file to be changed. */
  path: z.string(),
  /** The enclosing definition and the offending name (`Trainer.fit: build_model`), never a line number; empty for the whole file. */
  symbol: z.string(),
  /** What is wrong and where, in one sentence; may name lines. */
  message: z.string(),
  /** What would close it, in one sentence. */
  remedy: z.string(),
});
export type Problem = Readonly<z.infer<typeof Problem>>;

/** Δ_t holds these: a problem with its history. `id` is a hash of kind, path and symbol. */
export const Finding = z.strictObject({
  ...Problem.shape,
  id: z.string(),
  openedInRound: z.int().min(0),
  resolvedInRound: z.int().min(0).nullable(),
  /** Rounds in which a repair of its file was tried while it was open. */
  triedInRounds: z.array(z.int()),
});
export type Finding = Readonly<z.infer<typeof Finding>>;
