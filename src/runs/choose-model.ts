import { UsageError } from '../domain/errors.ts';
import { parsePrice, priceOf } from '../domain/pricing.ts';
import type { ModelChoice, Price } from '../domain/run-settings.ts';

/** How a person names one model. */
export interface OneModelWish {
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  /** Name of the variable that holds the key. */
  readonly keyEnv: string;
  /** `IN,OUT` in USD per million tokens. */
  readonly price: string | undefined;
  /** Folder with recorded replies, absolute, instead of a provider. */
  readonly replay: string | undefined;
}

export const OPENAI_BASE_URL = 'https://api.openai.com/v1';
export const DEFAULT_KEY_ENV = 'OPENAI_API_KEY';
const REPLAY = 'replay:';

/** What a model costs that is not paid. */
export const FREE: Price = { input: 0, cached: 0, output: 0 };

/**
 * The model that a wish stands for. Throws `UsageError` when none is named, or the base URL or the key cannot be
 * used; the key itself is never in the message.
 */
export function chooseModel(
  wish: OneModelWish,
  environment: Readonly<Record<string, string>>,
): ModelChoice {
  if (wish.replay !== undefined)
    return {
      model: wish.model ?? 'recorded',
      baseUrl: `${REPLAY}${wish.replay}`,
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

/** What is another in the place of a model; what is undefined stays. */
export type ModelPatch = {
  readonly [Field in Exclude<keyof OneModelWish, 'replay'>]?: string | undefined;
};

/** Another model in the place of one: what is not wished stays. Throws as `chooseModel` does. */
export function chooseInstead(
  before: ModelChoice,
  wish: ModelPatch,
  environment: Readonly<Record<string, string>>,
): ModelChoice {
  const isReplay = before.baseUrl.startsWith(REPLAY) && wish.baseUrl === undefined;
  const choice = chooseModel(
    {
      model: wish.model ?? before.model,
      baseUrl: wish.baseUrl ?? before.baseUrl,
      keyEnv: wish.keyEnv ?? before.keyEnv,
      price: wish.price,
      replay: isReplay ? before.baseUrl.slice(REPLAY.length) : undefined,
    },
    environment,
  );
  // The same model elsewhere costs what it did, unless we are told otherwise.
  const isSame = choice.model === before.model && wish.price === undefined;
  return isSame ? { ...choice, price: before.price } : choice;
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
    if (baseUrl.hostname === 'api.openai.com')
      throw new UsageError(
        `${keyEnv} is not set, and ${baseUrl.host} needs a key: set it in the environment or in .env, or name another server with --base-url.`,
      );
    // Many servers of one's own ask for none; but whoever names a variable means it to hold one.
    if (keyEnv === DEFAULT_KEY_ENV) return;
    throw new UsageError(
      `${keyEnv} is not set, and is named for the key of ${baseUrl.host}: set it in the environment or in .env, or name no variable where no key is needed.`,
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
