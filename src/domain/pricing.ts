import { UsageError } from './errors.ts';
import { PRICE_TABLE, type Price } from './price-table.ts';

const TOKENS_PER_PRICE = 1_000_000;

/** Above this many USD per million tokens, a price is a slip of the pen. */
const HIGHEST_PRICE = 10_000;

/** What follows a known name when the model is the same: `-2025-08-07`, `-20250929`, `-0613`, `-latest`, `-preview-05-06`. */
const VERSION_SUFFIX = /^(?:[-@](?:\d{2,8}|latest|preview|exp))+$/;

/**
 * The list price of a model by its name, with or without provider prefix (`openai/`) and date.
 * Undefined when it is not known: a model served at home is not free either, its person may say `--price`.
 */
export function priceOf(model: string): Price | undefined {
  const name = model.trim().toLowerCase().replace(/^.*\//, '');
  const known = Object.keys(PRICE_TABLE)
    .filter((key) => name === key || isVersionOf(name, key))
    .sort((a, b) => b.length - a.length)[0];
  return known === undefined ? undefined : PRICE_TABLE[known];
}

/** Reads `IN,OUT`, USD per million tokens; cached input costs as much as other input. Throws `UsageError`. */
export function parsePrice(text: string): Price {
  const parts = text.split(',').map((part) => part.trim());
  const numbers = parts.map((part) => (/^\d+(\.\d+)?$/.test(part) ? Number(part) : NaN));
  const [input, output] = numbers;
  const isPrice = (value: number | undefined) => value !== undefined && value <= HIGHEST_PRICE;
  if (
    numbers.length !== 2 ||
    input === undefined ||
    output === undefined ||
    !numbers.every(isPrice)
  )
    throw new UsageError(
      `Expected the price as IN,OUT, in USD per million tokens from 0 to ${HIGHEST_PRICE}, such as 1.25,10; got "${text}".`,
    );
  return { input, cached: input, output };
}

/** What a finished call cost, in USD. */
export function costUsd(
  usage: {
    readonly inputTokens: number;
    readonly cachedTokens: number;
    readonly outputTokens: number;
  },
  price: Price,
): number {
  const cached = Math.min(usage.cachedTokens, usage.inputTokens);
  const fresh = usage.inputTokens - cached;
  return (
    (fresh * price.input + cached * price.cached + usage.outputTokens * price.output) /
    TOKENS_PER_PRICE
  );
}

/** The most that a call may cost, in USD: nothing from the cache, and all the output it may make. */
export function worstCaseUsd(
  call: { readonly inputTokens: number; readonly maxOutputTokens: number },
  price: Price,
): number {
  return costUsd(
    { inputTokens: call.inputTokens, cachedTokens: 0, outputTokens: call.maxOutputTokens },
    price,
  );
}

function isVersionOf(name: string, key: string): boolean {
  return name.startsWith(key) && VERSION_SUFFIX.test(name.slice(key.length));
}
