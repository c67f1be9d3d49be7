import { UsageError } from '../domain/errors.ts';
import { Role } from '../domain/message.ts';
import type { RoleWishes } from '../domain/project-file.ts';
import type { Ref } from '../domain/ref.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { RunSettings } from '../domain/run-settings.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { chooseInstead } from './choose-model.ts';
import { keyNamesIn, unpricedRole, withRoles } from './choose-models.ts';
import type { RunPorts } from './ports.ts';

/** What to ask from now on; what is undefined stays as it was. */
export interface ModelChange {
  /** For every role that is not named below, but for figures. */
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly keyEnv: string | undefined;
  readonly price: string | undefined;
  /** Models of single roles; `vision: none` shows no figures any more. */
  readonly roles?: RoleWishes;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Stores the run's settings with other models. Throws `UsageError` when one cannot be used, or its price is not known
 * and the run counts dollars.
 */
export async function changeModel(
  { store }: Pick<RunPorts, 'store'>,
  record: Pick<RunRecord, 'name' | 'settings'>,
  change: ModelChange,
): Promise<Ref> {
  const settings = await getJson(store, RunSettings, record.settings);
  const changed = changedSettings(settings, change);
  const role = changed.unit === 'usd' ? unpricedRole(changed.models) : undefined;
  if (role === undefined) return putJson(store, changed);
  const { model } = changed.models[role];
  const isMain = model === changed.models.executor.model;
  throw new UsageError(
    `The price of "${model}" is not known, and the run "${record.name}" counts dollars: ${isMain ? 'add --price IN,OUT (USD per million tokens)' : `name another model with --${role}, or give its price in deeprepro.json`}.`,
  );
}

/** A run's settings after a change of its models, whatever they cost. Throws `UsageError` when one cannot be used. */
export function changedSettings(settings: RunSettings, change: ModelChange): RunSettings {
  const { environment, roles = {}, ...wish } = change;
  const { seesFigures, ...others } = settings;
  const models = { ...settings.models };
  const isForAll = Object.values(wish).some((each) => each !== undefined);
  for (const role of isForAll ? Role.options : []) {
    const before = models[role];
    const model = role === 'vision' && seesFigures === true ? before.model : wish.model;
    // A price is the one of the model that is meant for all.
    const isPriced = (model ?? before.model) === (wish.model ?? settings.models.executor.model);
    const price = isPriced ? wish.price : undefined;
    models[role] = chooseInstead(before, { ...wish, model, price }, environment);
  }
  const before = seesFigures === undefined ? { models } : { models, seesFigures };
  return { ...others, ...withRoles(before, roles, environment) };
}

/** The variables that hold the keys of a run's models. */
export async function keyNamesOf(
  { store }: Pick<RunPorts, 'store'>,
  record: Pick<RunRecord, 'settings'>,
): Promise<string[]> {
  return keyNamesIn((await getJson(store, RunSettings, record.settings)).models);
}

/** The variables that a change names beside those. */
export function keyNamesOfChange({ keyEnv, roles = {} }: ModelChange): string[] {
  const named = [keyEnv, ...Role.options.map((role) => roles[role]?.keyEnv)];
  return named.flatMap((name) => name ?? []);
}
