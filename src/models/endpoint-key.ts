import { NeedsPerson } from '../domain/errors.ts';
import type { Endpoint } from './model.ts';

/** What we send to servers that need no key; the header itself must be there for some. */
export const NO_KEY = 'none';

/**
 * The key of an endpoint, read anew at each call, so that a person can repair it. Throws `NeedsPerson` of kind `key`
 * when OpenAI's own is missing, or a key cannot be a header; the key itself is never in the message.
 */
export function readKey(
  environment: (name: string) => string | undefined,
  { baseUrl, keyEnv }: Endpoint,
): string {
  const key = environment(keyEnv) ?? '';
  if (key === '') {
    if (new URL(baseUrl).hostname !== 'api.openai.com') return NO_KEY;
    throw new NeedsPerson(
      'key',
      `${keyEnv} is not set, and ${baseUrl} needs a key.`,
      `Set ${keyEnv} to your API key, in the environment or in .env.`,
    );
  }
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new NeedsPerson(
    'key',
    `${keyEnv} holds ${strangeCharacter(key)}, which no API key has.`,
    `Set ${keyEnv} to the key alone, without spaces, quotes or line breaks around it.`,
  );
}

/** Checks that a base URL is one. Throws `NeedsPerson` of kind `request`. */
export function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return;
  throw new NeedsPerson(
    'request',
    `The base URL "${baseUrl}" is not an http or https address.`,
    'Set the base URL to the address of an OpenAI-compatible API, such as https://api.openai.com/v1.',
  );
}

function strangeCharacter(key: string): string {
  if (/[\r\n]/.test(key)) return 'a line break';
  if (/\s/.test(key)) return 'white space';
  return /[^\0-\x7f]/.test(key) ? 'a character beyond ASCII' : 'a control character';
}
