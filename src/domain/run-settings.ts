import { z } from 'zod';
import { Role } from './message.ts';
import { Ref } from './ref.ts';
import { VerifyMode } from './verification.ts';

/** US dollars per million tokens. */
export const Price = z.strictObject({
  input: z.number().min(0),
  /** For input tokens taken from the provider's prompt cache. */
  cached: z.number().min(0),
  output: z.number().min(0),
});
export type Price = Readonly<z.infer<typeof Price>>;

/** The model of one role and where it is asked. Holds the name of the key's variable, never the key. */
export const ModelChoice = z.strictObject({
  model: z.string().min(1),
  baseUrl: z.string(),
  keyEnv: z.string(),
  price: Price.nullable(),
});
export type ModelChoice = Readonly<z.infer<typeof ModelChoice>>;

/** Bounds of the loop (DESIGN section 3). */
export const Limits = z.strictObject({
  /** Model replies a file may take in one round. */
  maxTurns: z.int().min(1),
  /** Files written in one round. */
  maxTargets: z.int().min(1),
  maxRounds: z.int().min(1),
  /** Rounds without progress after which a run is stalled. */
  stallRounds: z.int().min(1),
  /** Repair rounds that the final inspection may open. */
  gateRounds: z.int().min(0),
  /** Repairs of one file for static findings. */
  staticRepairs: z.int().min(0),
  /** The same for requirements that the verifier finds unmet; DEFAULT_FIDELITY_REPAIRS where it is absent. */
  fidelityRepairs: z.int().min(0).exactOptional(),
  /** Files that a plan may grow to while it is worked on; DEFAULT_MAX_FILES where it is absent. */
  maxFiles: z.int().min(1).exactOptional(),
});
export type Limits = Readonly<z.infer<typeof Limits>>;

export const DEFAULT_LIMITS: Limits = {
  maxTurns: 3,
  maxTargets: 32,
  maxRounds: 100,
  stallRounds: 3,
  gateRounds: 6,
  staticRepairs: 2,
};

/** A paper needs 20 to 40 files; a plan that grows beyond this is no longer a plan. */
export const DEFAULT_MAX_FILES = 48;

/** How rounds are planned: by code alone, or by a model that sees the state, with an executor that has tools. */
export const Mode = z.enum(['fast', 'deepplan']);
export type Mode = z.infer<typeof Mode>;

/** The mode of a run for which none is asked. */
export const DEFAULT_MODE: Mode = 'deepplan';

/** What shapes a run's results. Stored by reference; a change makes new settings, so that every call says what it was made under. */
export const RunSettings = z.strictObject({
  schemaVersion: z.literal(1),
  /** 128 random bits in hex: the journal that the run and its forks share. */
  seed: z.string().regex(/^[0-9a-f]{32}$/),
  task: Ref,
  mode: Mode,
  models: z.record(Role, ModelChoice),
  /** Whether the vision model is shown the figures. */
  seesFigures: z.boolean().exactOptional(),
  unit: z.enum(['usd', 'tokens']),
  /** Asked of the model for a file; a provider that allows less is asked for less. */
  maxOutputTokens: z.int().min(256),
  limits: Limits,
  /** When requirements are verified; absent for never. */
  verify: VerifyMode.exactOptional(),
});
export type RunSettings = Readonly<z.infer<typeof RunSettings>>;

/** Whether requirements are verified before the run may end. */
export function isVerified({ verify = 'off' }: Pick<RunSettings, 'verify'>): boolean {
  return verify !== 'off';
}
