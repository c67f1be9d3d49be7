import { z } from 'zod';
import { Experiment } from './experiment.ts';
import { RepositoryPath } from './path.ts';
import { Requirement } from './requirement.ts';

/** One planned file. */
export const BlueprintFile = z.strictObject({
  path: RepositoryPath,
  /** One line; prompts show at most 90 characters of it. */
  purpose: z.string().min(1),
  /** Planned files whose code or content it uses; the order of writing follows from these. */
  needs: z.array(RepositoryPath),
  /** Ids of the requirements it must meet. */
  owns: z.array(z.string()),
  /** Public signatures, one a line; empty for files that are not code. */
  signatures: z.string(),
  /** What to do, in the planner's words; may hold formulas and code. */
  instructions: z.string(),
  /** Expected length in lines. */
  expectedLines: z.int().min(1),
});
export type BlueprintFile = Readonly<z.infer<typeof BlueprintFile>>;

/** One value that the paper fixes or that had to be chosen. Earlier plans named at most one `requirement`. */
export const ConfigurationValue = z.preprocess(
  withRequirements,
  z.strictObject({
    /** Dotted, such as `optimizer.lr`. */
    key: z.string().min(1),
    value: z.string(),
    /** The requirements that state it; none when it is inferred. */
    requirements: z.array(z.string()),
    /** Why this value, when it is inferred, departs from the paper, or the paper contradicts itself; else empty. */
    reason: z.string(),
    /** The values that it may take, where it selects between some. */
    legal: z.array(z.string()).exactOptional(),
    /** Whether it is knowingly not what its requirements state. */
    deviates: z.boolean().default(false),
  }),
);
export type ConfigurationValue = Readonly<z.infer<typeof ConfigurationValue>>;

function withRequirements(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('requirement' in value)) return value;
  const { requirement, ...rest } = value;
  return { ...rest, requirements: requirement === null ? [] : [requirement] };
}

/** A baseline or borrowed component: objective, update, architecture, defaults, how the paper's use differs. */
export const MethodCard = z.strictObject({
  name: z.string().min(1),
  /** Where the knowledge comes from: the paper, the work it cites as the model knows it, or inference. */
  source: z.enum(['paper', 'cited', 'inferred']),
  text: z.string().min(1),
});
export type MethodCard = Readonly<z.infer<typeof MethodCard>>;

/** What the repository runs on; versions are chosen together. */
export const Environment = z.strictObject({
  python: z.string(),
  packages: z.array(z.strictObject({ name: z.string().min(1), version: z.string() })),
  notes: z.string(),
});
export type Environment = Readonly<z.infer<typeof Environment>>;

/** B₀, the plan of the whole repository. */
export const Blueprint = z.strictObject({
  schemaVersion: z.literal(1),
  title: z.string(),
  /** What is reproduced, in a paragraph. */
  summary: z.string(),
  /** In an order of writing that respects `needs`. */
  files: z.array(BlueprintFile).min(1),
  experiments: z.array(Experiment),
  requirements: z.array(Requirement),
  configuration: z.array(ConfigurationValue),
  methodCards: z.array(MethodCard),
  /** How data moves through the files. */
  dataFlow: z.string(),
  environment: Environment,
  /** How to tell that it works: numeric checks, a smoke run. */
  validation: z.string(),
});
export type Blueprint = Readonly<z.infer<typeof Blueprint>>;
