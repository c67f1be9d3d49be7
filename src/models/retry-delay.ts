/** Shorter delays would hammer a server that asked for patience; longer ones would look like a hang. */
const SHORTEST_DELAY_MS = 1_000;
const LONGEST_DELAY_MS = 600_000;

/**
 * How long a provider asks us to wait, in milliseconds from 1 s to 10 min: `retry-after-ms`, else `retry-after` as
 * seconds or date, else words such as "try again in 34.1s". Undefined when it does not say.
 */
export function retryDelayMs(
  headers: Headers | undefined,
  text: string,
  nowMs: number,
): number | undefined {
  const delayMs =
    finite(headers?.get('retry-after-ms'), 1) ??
    finite(headers?.get('retry-after'), 1_000) ??
    untilDate(headers?.get('retry-after'), nowMs) ??
    fromWords(text);
  if (delayMs === undefined) return undefined;
  return Math.round(Math.min(LONGEST_DELAY_MS, Math.max(SHORTEST_DELAY_MS, delayMs)));
}

function finite(value: string | null | undefined, unitMs: number): number | undefined {
  if (value === null || value === undefined || !/^\s*\d+(\.\d+)?\s*$/.test(value)) return undefined;
  return Number(value) * unitMs;
}

function untilDate(value: string | null | undefined, nowMs: number): number | undefined {
  const dateMs = Date.parse(value ?? '');
  return Number.isNaN(dateMs) ? undefined : dateMs - nowMs;
}

function fromWords(text: string): number | undefined {
  const [, minutes, amount, unit] =
    /(?:retry|try again) in (?:(\d+)m)?([\d.]+) ?(ms|s)\b/i.exec(text) ?? [];
  if (amount === undefined) return undefined;
  return Number(minutes ?? 0) * 60_000 + Number(amount) * (unit === 'ms' ? 1 : 1_000);
}
