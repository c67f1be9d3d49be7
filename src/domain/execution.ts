import { z } from 'zod';
import { Problem } from './finding.ts';
import { Ref } from './ref.ts';

/** How far a repository has been proved to run (`LEVEL_MEANINGS`). Each level includes all before it. */
export const RunLevel = z.enum(['R0', 'R1', 'R2', 'R3', 'R4', 'R5', 'R6']);
export type RunLevel = z.infer<typeof RunLevel>;

/** What a level says of a repository, as the end of a sentence that begins with its name. */
export const LEVEL_MEANINGS: Readonly<Record<RunLevel, string>> = {
  R0: 'nothing was run',
  R1: 'what it requires can be resolved',
  R2: 'what it requires can be installed',
  R3: 'every module can be imported',
  R4: 'every entry point answers `--help`, and its own tests pass',
  R5: 'a tiny run of every cell of the experiment matrix writes its measures',
  R6: 'a claimed result is reached in direction',
};

/** One cell of the experiment matrix: an experiment with a value for each of its axes. */
export const Cell = z.strictObject({
  experiment: z.string().regex(/^E\d+$/),
  values: z.record(z.string(), z.string()),
});
export type Cell = Readonly<z.infer<typeof Cell>>;

/** A limit of the sandbox that ended a command, or that it most likely failed at. */
export const ExceededLimit = z.enum([
  'time',
  'cpu',
  'memory',
  'file-size',
  'disk',
  'processes',
  'output',
]);
export type ExceededLimit = z.infer<typeof ExceededLimit>;

/** One thing that was tried, with its evidence. */
export const LadderStep = z.strictObject({
  level: RunLevel,
  /** What it shows, in a few words: `import src.model`, `run.py --help`, `E1 (method: ours)`. */
  subject: z.string().min(1),
  /** The command as it was run in the repository's folder; empty where none was. */
  command: z.string(),
  result: z.enum(['passed', 'failed', 'not-run']),
  /** Null when it was killed or not run. */
  exitCode: z.int().nullable(),
  /** The limit that ended it, or null. */
  hit: ExceededLimit.nullable(),
  seconds: z.number().min(0),
  /** Why it failed or was not run, a sentence; empty when it passed. */
  reason: z.string(),
  /** The ends of what it printed, stored as text. */
  tail: Ref.nullable(),
  /** The cell that it is about; absent for steps on the whole repository. */
  cell: Cell.exactOptional(),
});
export type LadderStep = Readonly<z.infer<typeof LadderStep>>;

/** A package as it was installed. */
export const InstalledPackage = z.strictObject({ name: z.string(), version: z.string() });
export type InstalledPackage = Readonly<z.infer<typeof InstalledPackage>>;

/** What climbing the ladder showed of one tree, stored. */
export const Execution = z.strictObject({
  schemaVersion: z.literal(1),
  /** The highest level of which every step passed, with all levels before it. */
  level: RunLevel,
  /** Why nothing was run, a sentence; empty where something was. */
  notRun: z.string(),
  /** In the order in which they were tried. */
  steps: z.array(LadderStep),
  packages: z.array(InstalledPackage),
  /** The failures as findings, each once, at the file where its cause is; root causes first. */
  problems: z.array(Problem),
});
export type Execution = Readonly<z.infer<typeof Execution>>;
