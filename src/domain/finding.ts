import { z } from 'zod';

/** What can be wrong with a file. Those in WARNINGS warn, all others keep a run from being `complete`. */
export const FindingKind = z.enum([
  'missing',
  'empty',
  'cut-off',
  'hollow',
  'silent-fallback',
  'does-not-parse',
  'unresolved-import',
  'unresolved-name',
  'wrong-call',
  'type-fault',
  'shadowed-module',
  'missing-entry-point',
  'undefined-flag',
  'undefined-key',
  'unoffered-name',
  'unwritten-measure',
  'ignored-input',
  'dropped-value',
  'hard-coded',
  'changed-value',
  'crossed-name',
  'unreached',
  'same-split',
  'import-cycle',
  'unused-key',
  'undeclared-package',
  'package-layout',
  'lint',
  'unmet-check',
  'not-met',
]);
export type FindingKind = z.infer<typeof FindingKind>;

const WARNINGS: readonly FindingKind[] = [
  'ignored-input',
  'dropped-value',
  'hard-coded',
  'changed-value',
  'crossed-name',
  'unreached',
  'same-split',
  'unwritten-measure',
  'import-cycle',
  'unused-key',
  'undeclared-package',
  'package-layout',
  'lint',
  'unmet-check',
];

const WHY: Readonly<Record<FindingKind, string>> = {
  missing: 'Others import or run this file, and it is not there.',
  empty: 'An empty file offers nothing of what was planned.',
  'cut-off': 'The end of the file was lost.',
  hollow: 'A function that does nothing looks finished and reproduces nothing.',
  'silent-fallback': 'A result that was made without the real thing looks like one made with it.',
  'does-not-parse': 'Nothing that uses this file can start.',
  'unresolved-import': 'The import fails as soon as the line is reached.',
  'unresolved-name': 'The name is looked up as soon as the line is reached, and is not there.',
  'wrong-call': 'The call fails as soon as the line is reached.',
  'type-fault': 'By the types of what is written, it fails as soon as the line is reached.',
  'shadowed-module': 'Whoever imports the standard module of this name may get this file instead.',
  'missing-entry-point': 'A command that readers are told to run starts nothing.',
  'undefined-flag': 'The command ends with a usage error before it does anything.',
  'undefined-key': 'Reading a setting that no file defines fails.',
  'unoffered-name': 'A cell of the experiment matrix cannot be selected, so it cannot be run.',
  'unwritten-measure': 'A quantity that the paper reports is recorded nowhere.',
  'ignored-input': 'Whoever sets it believes in an effect that it does not have.',
  'dropped-value': 'What the paper minimises or reports is computed and lost.',
  'hard-coded': 'Changing the setting that the plan promises changes nothing.',
  'changed-value': 'The experiment runs with another value than the paper states.',
  'crossed-name':
    'Whoever asks for one method gets another, and its results stand under the wrong name.',
  unreached: 'An experiment that nothing starts is written and never run.',
  'same-split': 'Measured on what it was trained on, a model looks better than it is.',
  'import-cycle': 'Modules that import each other work or fail by the order of their imports.',
  'unused-key': 'A setting that nothing reads can be changed without any effect.',
  'undeclared-package': 'The code needs a package that the installation does not bring.',
  'package-layout': 'Imports work from one folder and fail from another.',
  lint: 'A linter takes it for a mistake.',
  'unmet-check': 'What the file was written for does not hold.',
  'not-met': 'The paper asks for it, and whoever reads the code does not find it working there.',
};

/** Whether an open finding of this kind keeps a run from being `complete`. */
export function isBlocking({ kind }: { readonly kind: FindingKind }): boolean {
  return !WARNINGS.includes(kind);
}

/** Why a finding of this kind matters to whoever runs the repository, as one sentence. */
export function whyItMatters(kind: FindingKind): string {
  return WHY[kind];
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
  /** What it was found on has changed; whether it still holds is known when that has been done again. */
  awaits: z.literal('verification').exactOptional(),
});
export type Problem = Readonly<z.infer<typeof Problem>>;

/** What a finding says is wrong, without its history and what it waits for. */
export function problemIn({ kind, path, symbol, message, remedy }: Problem): Problem {
  return { kind, path, symbol, message, remedy };
}

/** Whether the symbol of a finding is told by its message already: a check or a demand, not a place in the code. */
export function quotesSymbol(kind: FindingKind): boolean {
  return kind === 'unmet-check' || kind === 'not-met';
}

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
