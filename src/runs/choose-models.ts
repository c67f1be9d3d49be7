import { UsageError } from '../domain/errors.ts';
import { Role } from '../domain/message.ts';
import { parsePrice, priceOf, worstCaseUsd } from '../domain/pricing.ts';
import type { ModelChoice, Price, RunSettings } from '../domain/run-settings.ts';

/** How a person names a model. */
export interface ModelWish {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** Name of the variable that holds the key. */
  readonly keyEnv: string;
  /** `IN,OUT` in USD per million tokens. */
  readonly price: string | undefined;
  /** Folder with recorded replies, absolute, instead of a provider. */
  readonly replay: string | undefined;
  /** Another model, at the same address and with the same key, that is shown the figures; `none` or undefined for none. */
  readonly vision?: string | undefined;
}

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';
export const DEFAULT_KEY_ENV = 'OPENAI_API_KEY';
const FREE: Price = { input: 0, cached: 0, output: 0 };

/**
 * The model that a wish stands for. Throws `UsageError` when none is named, or the base URL or the key cannot be
 * used; the key itself is never in the message.
 */
export function chooseModel(
  wish: ModelWish,
  environment: Readonly<Record<string, string>>,
): ModelChoice {
  if (wish.replay !== undefined)
    return {
      model: wish.model ?? 'recorded',
      baseUrl: `replay:${wish.replay}`,
      keyEnv: wish.keyEnv,
      price: FREE,
    };
  if (wish.model === undefined)
    throw new UsageError(
      'No model is named: give one with --model (such as --model gpt-5-mini), or set DEEPREPRO_MODEL.',
    );
  const baseUrl = checkedBaseUrl(wish.baseUrl ?? OPENAI_BASE_URL);
  checkKey(wish.keyEnv, environment[wish.keyEnv] ?? '', baseUrl);
  const price = wish.price === undefined ? priceOf(wish.model) : parsePrice(wish.price);
  return {
    model: wish.model,
    baseUrl: baseUrl.href.replace(/\/$/, ''),
    keyEnv: wish.keyEnv,
    price: price ?? null,
  };
}

/** The same model for every role, but for figures where another one sees them. */
export function forAllRoles(choice: ModelChoice, vision = choice): RunSettings['models'] {
  return {
    analysis: choice,
    planner: choice,
    executor: choice,
    memory: choice,
    judge: choice,
    vision,
  };
}

/** The word for no vision model. */
export const NO_VISION = 'none';

/** The models of a new run, and whether one of them is shown the figures. Throws as `chooseModel` does. */
export function chooseModels(
  wish: ModelWish,
  environment: Readonly<Record<string, string>>,
): Pick<RunSettings, 'models'> & { readonly seesFigures: boolean } {
  const choice = chooseModel(wish, environment);
  const { vision } = wish;
  if (vision === undefined || vision === NO_VISION)
    return { models: forAllRoles(choice), seesFigures: false };
  return { models: forAllRoles(choice, visionBeside(choice, vision)), seesFigures: true };
}

/** The vision model of this name, asked where the other is. */
export function visionBeside(choice: ModelChoice, model: string): ModelChoice {
  if (model === choice.model || choice.baseUrl.startsWith('replay:')) return { ...choice, model };
  return { ...choice, model, price: priceOf(model) ?? null };
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

/** Whether what is spent can be told in dollars. */
export function isPriceKnown(models: RunSettings['models']): boolean {
  return Role.options.every((role) => models[role].price !== null);
}

function checkedBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '')
    return url;
  throw new UsageError(
    url?.password || url?.username
      ? 'The base URL holds a user name or password: give it without, and the key in the variable that --key-env names.'
      : `The base URL "${text}" is not an http or https address: give one such as ${OPENAI_BASE_URL}.`,
  );
}

function checkKey(keyEnv: string, key: string, baseUrl: URL): void {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(keyEnv))
    throw new UsageError(
      'Expected --key-env to be the name of an environment variable, such as OPENAI_API_KEY, not the key itself.',
    );
  if (key === '') {
    if (baseUrl.hostname !== 'api.openai.com') return;
    throw new UsageError(
      `${keyEnv} is not set, and ${baseUrl.host} needs a key: set it in the environment or in .env, or name another server with --base-url.`,
    );
  }
  if (/^[\x21-\x7e]+$/.test(key)) return;
  const strange = /[\r\n]/.test(key)
    ? 'a line break'
    : /\s/.test(key)
      ? 'white space'
      : 'a character that no key has';
  throw new UsageError(
    `${keyEnv} holds ${strange}: set it to the key alone, without spaces, quotes or line breaks around it.`,
  );
}
