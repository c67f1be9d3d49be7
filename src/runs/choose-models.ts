import { Role } from '../domain/message.ts';
import { worstCaseUsd } from '../domain/pricing.ts';
import type { RoleWishes } from '../domain/project-file.ts';
import type { ModelChoice, RunSettings } from '../domain/run-settings.ts';
import { chooseInstead, chooseModel, FREE, type OneModelWish } from './choose-model.ts';

/** How a person names a run's models: one for all, and those of single roles beside it. */
export interface ModelWish extends OneModelWish {
  /** Where nothing else is said of one, it is asked where the others are. `vision: none` shows no figures. */
  readonly roles?: RoleWishes;
}

/** A run's model for each role, and whether the vision model is shown the figures. */
export type Models = Pick<RunSettings, 'models' | 'seesFigures'>;

/** The word for no vision model. */
export const NO_VISION = 'none';

/** The same model for every role. */
function forAllRoles(choice: ModelChoice): RunSettings['models'] {
  return {
    analysis: choice,
    planner: choice,
    executor: choice,
    memory: choice,
    judge: choice,
    vision: choice,
  };
}

/** The models of a new run. Throws as `chooseModel` does. */
export function chooseModels(
  wish: ModelWish,
  environment: Readonly<Record<string, string>>,
): Models {
  const models = forAllRoles(chooseModel(wish, environment));
  return withRoles({ models }, wish.roles ?? {}, environment);
}

/** The models with those of single roles replaced. Throws as `chooseModel` does. */
export function withRoles(
  { models, seesFigures }: Models,
  roles: RoleWishes,
  environment: Readonly<Record<string, string>>,
): Models {
  const changed = { ...models };
  for (const role of Role.options) {
    const wish = roles[role];
    if (wish === undefined || (role === 'vision' && wish.model === NO_VISION)) continue;
    changed[role] = chooseInstead(models[role], wish, environment);
  }
  const { vision } = roles;
  const sees = vision === undefined ? seesFigures === true : vision.model !== NO_VISION;
  return sees
    ? { models: changed, seesFigures: true }
    : { models: { ...changed, vision: changed.analysis } };
}

/** The first role whose model has no known price, or undefined. */
export function unpricedRole(models: RunSettings['models']): Role | undefined {
  // The executor's model is mostly the one that a person named for all.
  const roles: readonly Role[] = ['executor', ...Role.options];
  return roles.find((role) => models[role].price === null);
}

/** `gpt-5-mini (planner: gpt-5)`: the executor's model, and what other roles have instead. */
export function describeModels({ models, seesFigures }: Models): string {
  const { model } = models.executor;
  const others = Role.options.filter(
    (role) => models[role].model !== model && (role !== 'vision' || seesFigures === true),
  );
  if (others.length === 0) return model;
  return `${model} (${others.map((role) => `${role}: ${models[role].model}`).join(', ')})`;
}

/** The variables that hold the keys of models. */
export function keyNamesIn(models: RunSettings['models']): string[] {
  return [...new Set(Role.options.map((role) => models[role].keyEnv))];
}

/** Input tokens of a large call: the paper and a file's context. A first guess; each call says what it needs itself. */
const TYPICAL_INPUT_TOKENS = 60_000;

/** What one call may cost at worst, in the unit of the budget, with the dearest of the models. */
export function callAllowanceOf(
  models: RunSettings['models'],
  unit: RunSettings['unit'],
  maxOutputTokens: number,
): number {
  if (unit === 'tokens') return TYPICAL_INPUT_TOKENS + maxOutputTokens;
  const call = { inputTokens: TYPICAL_INPUT_TOKENS, maxOutputTokens };
  return Math.max(...Role.options.map((role) => worstCaseUsd(call, models[role].price ?? FREE)));
}
