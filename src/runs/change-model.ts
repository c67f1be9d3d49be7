import { UsageError } from '../domain/errors.ts';
import { Role } from '../domain/message.ts';
import type { Ref } from '../domain/ref.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { RunSettings } from '../domain/run-settings.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { chooseModel, forAllRoles, NO_VISION, visionBeside } from './choose-models.ts';
import type { RunPorts } from './ports.ts';

/** What to ask from now on; what is undefined stays as it was. */
export interface ModelChange {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly keyEnv: string | undefined;
  readonly price: string | undefined;
  /** The model that is shown the figures; `none` takes it away. */
  readonly vision?: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Stores the run's settings with another model for every role, or for figures alone. Throws `UsageError` when the model cannot be used, or
 * its price is not known and the run counts dollars.
 */
export async function changeModel(
  { store }: Pick<RunPorts, 'store'>,
  record: Pick<RunRecord, 'name' | 'settings'>,
  change: ModelChange,
): Promise<Ref> {
  const settings = await getJson(store, RunSettings, record.settings);
  const changed = changedSettings(settings, change);
  const { executor, vision } = changed.models;
  if (executor.price === null && settings.unit === 'usd')
    throw new UsageError(
      `The price of "${executor.model}" is not known, and the run "${record.name}" counts dollars: add --price IN,OUT (USD per million tokens).`,
    );
  if (vision.price === null && settings.unit === 'usd')
    throw new UsageError(
      `The price of "${vision.model}" is not known, and the run "${record.name}" counts dollars: name another model with --vision, or none.`,
    );
  return putJson(store, changed);
}

/** A run's settings after a change of its models, whatever they cost. Throws `UsageError` when one cannot be used. */
export function changedSettings(settings: RunSettings, change: ModelChange): RunSettings {
  const before = settings.models.executor;
  const isReplay = before.baseUrl.startsWith('replay:') && change.baseUrl === undefined;
  const choice = chooseModel(
    {
      model: change.model ?? before.model,
      baseUrl: change.baseUrl ?? before.baseUrl,
      keyEnv: change.keyEnv ?? before.keyEnv,
      price: change.price,
      replay: isReplay ? before.baseUrl.slice('replay:'.length) : undefined,
    },
    change.environment,
  );
  // The same model elsewhere costs what it did, unless we are told otherwise.
  const isSame = choice.model === before.model && change.price === undefined;
  const price = isSame ? before.price : choice.price;
  const priced = { ...choice, price };
  const { seesFigures, ...others } = settings;
  const vision = change.vision ?? (seesFigures === true ? settings.models.vision.model : NO_VISION);
  if (vision === NO_VISION) return { ...others, models: forAllRoles(priced) };
  const seeing = visionBeside(priced, vision);
  return { ...others, models: forAllRoles(priced, seeing), seesFigures: true };
}

/** The variables that hold the keys of a run's models. */
export async function keyNamesOf(
  { store }: Pick<RunPorts, 'store'>,
  record: Pick<RunRecord, 'settings'>,
): Promise<string[]> {
  const { models } = await getJson(store, RunSettings, record.settings);
  return [...new Set(Role.options.map((role) => models[role].keyEnv))];
}
