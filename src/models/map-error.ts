import {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIUserAbortError,
  type APIError,
} from 'openai';
import { ContextTooLong, NeedsPerson, RetryLater } from '../domain/errors.ts';
import { isApiError, quoted, readFailure, redact, type Failure } from './failure.ts';
import { mapNetworkError } from './network-error.ts';
import { retryDelayMs } from './retry-delay.ts';

/** What is known about the call that failed. */
export interface FailedCall {
  readonly baseUrl: string;
  readonly model: string;
  readonly keyEnv: string;
  /** The key that was sent, so that it can be kept out of messages. */
  readonly key: string;
  /** Milliseconds since 1970, for a `Retry-After` that is a date. */
  readonly nowMs: number;
  /** The raw text of an answer that was not a success; empty when there was none. */
  readonly errorBody?: string;
  /** What the network reported, where the SDK's own error has lost it. */
  readonly networkError?: unknown;
  /** Whether the request showed pictures. */
  readonly hasImages?: boolean;
}

/** Statuses that pass by themselves: timeout, conflict of locks, too early, rate limit. */
const PASSING = new Set([408, 409, 425, 429]);

const CONTEXT =
  /context[ _-]?(length|window|size)[ _-]?exceed|exceed\w*\s(the\s)?(available |maximum |model'?s? )*context|maximum (context|prompt) length|contextwindowexceeded|(prompt|input|request)\b[^.]{0,40}\b(too long|too large)|exceeds the maximum number of (input )?tokens|reduce the length of the (messages|prompt|input)/i;
const UNUSABLE_OUTPUT =
  /output that does not match the expected|(error|failed)( to)? pars(e|ing) tool call/i;
const QUOTA =
  /insufficient[ _](quota|balance|credit|funds)|exceeded your current quota|billing|credit balance|out of credits|payment required/i;
const WRONG_KEY =
  /no_db_connection|no api key|invalid[ _]api[ _-]?key|incorrect api key|api[ _-]?key[ _](is )?(not valid|invalid|missing)|authentication ?error/i;
const NO_MODEL =
  /model[ _]not[ _]found|model_decommissioned|(no such|unknown|invalid|unsupported) model\b|model\b[^.]{0,80}\b(not found|not exist|does not exist|not available|deprecated|decommissioned|retired|no access)|access to (the )?model/i;

const IMAGES =
  /image_url|\bimages?\b|\bvision\b|multi-?modal|mmproj|content[^.]{0,40}(must be|should be|valid) a? ?(valid )?string|invalid type: sequence, expected a string/i;

/**
 * What an error of the SDK, of the network or of reading a stream means for the run: try later, wait for a person, or
 * shrink the request. Errors that are mapped already pass through. Aborts are the caller's business: see `APIUserAbortError`.
 */
export function mapError(
  error: unknown,
  call: FailedCall,
): RetryLater | NeedsPerson | ContextTooLong {
  if (isMapped(error)) return error;
  if (error instanceof APIUserAbortError)
    return new RetryLater('The request was aborted.', { maybePaid: true }, { cause: error });
  // An unknown network error under a time-out of the SDK may have come after the request was sent.
  if (error instanceof APIConnectionTimeoutError || error instanceof APIConnectionError)
    return mapNetworkError(call.networkError ?? error, call.baseUrl);
  if (isApiError(error)) return mapRefusal(error, call);
  if (error instanceof SyntaxError)
    return new RetryLater(
      `${call.baseUrl} sent a stream that is not JSON: ${redact(error.message, call.key).slice(0, 200)}`,
      { maybePaid: true },
      { cause: error },
    );
  return mapNetworkError(error, call.baseUrl);
}

/** True when a provider's filter refused the request itself; the reply is "refused", and asking again is no use. */
export function isContentFilter(failure: Failure): boolean {
  const isRefusal = failure.status === 400 || failure.status === 403;
  return isRefusal && /^content_(filter|policy_violation)$/.test(failure.code);
}

/** True when the provider could not read what its own model wrote: an unusable reply, which was worked on and paid for. */
export function isUnusableOutput(failure: Failure): boolean {
  if (/^(tool_use_failed|json_validate_failed)$/.test(failure.code)) return true;
  const isFault = failure.status === undefined || failure.status >= 500;
  return isFault && UNUSABLE_OUTPUT.test(failure.text);
}

function isMapped(error: unknown): error is RetryLater | NeedsPerson | ContextTooLong {
  return (
    error instanceof RetryLater || error instanceof NeedsPerson || error instanceof ContextTooLong
  );
}

function mapRefusal(error: APIError, call: FailedCall): RetryLater | NeedsPerson | ContextTooLong {
  const failure = readFailure(error, call.errorBody ?? '', call.key);
  const options = { cause: undefined };
  const said = sayingOf(failure, call.baseUrl);
  const person = (kind: 'key' | 'quota' | 'model' | 'request', remedy: string) =>
    new NeedsPerson(kind, said, remedy);
  const retryAfterMs = retryDelayMs(failure.headers, failure.text, call.nowMs);
  const later = () =>
    // A broken stream has no status of its own: the provider had begun to answer.
    new RetryLater(said, { retryAfterMs, maybePaid: error.status === undefined });

  if (call.hasImages === true && isBlind(failure)) return person('model', visionRemedy(call));
  if (isTooLong(failure)) return new ContextTooLong(said, options);
  if (isQuota(failure, retryAfterMs !== undefined)) return person('quota', quotaRemedy(call));
  const shouldRetry = failure.headers?.get('x-should-retry');
  if (shouldRetry === 'true') return later();
  if (isWrongKey(failure)) return person('key', keyRemedy(call));
  if (isNoModel(failure)) return person('model', modelRemedy(call));
  if (isNoApi(failure)) return person('request', baseUrlRemedy(call.baseUrl));
  const { status } = failure;
  const passes = status === undefined || PASSING.has(status) || status >= 500;
  if (passes && shouldRetry !== 'false') return later();
  if (status === 429) return person('quota', quotaRemedy(call));
  return person('request', requestRemedy(call));
}

/** What the provider answered, as a sentence: a remedy may follow it. */
function sayingOf(failure: Failure, baseUrl: string): string {
  if (failure.isHtml) return `${baseUrl} answered with an HTML page (status ${failure.status}).`;
  const words = quoted(failure);
  return `${baseUrl} said: ${words}${/[.!?…]["')\]]?$/.test(words) ? '' : '.'}`;
}

function isTooLong(failure: Failure): boolean {
  const { status, code, type, text } = failure;
  if (status === 413) return true;
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true;
  // More tokens than the account may send in a minute: the same request never passes, a shorter one does.
  if (status === 429) return /request too large/i.test(text);
  // A server's fault may quote anything.
  if (status !== undefined && status >= 500) return /ContextWindowExceeded/.test(text);
  return !failure.isHtml && CONTEXT.test(text);
}

function isQuota(failure: Failure, namesDelay: boolean): boolean {
  const { status, code, type, text } = failure;
  if (status === 402) return true;
  if (/insufficient_quota|billing/.test(`${code} ${type}`)) return true;
  if (status === undefined || status >= 500 || failure.isHtml) return false;
  // Some providers use the same words for a limit per minute; then they say when it ends.
  return QUOTA.test(text) && !namesDelay && !/retryDelay/.test(text);
}

function isWrongKey({ status, code, type, text }: Failure): boolean {
  if (status === 401) return true;
  if (status === 403) return !NO_MODEL.test(text) && !/unsupported_country/.test(`${code} ${text}`);
  return (
    (status === 400 || status === 422 || status === 500) &&
    WRONG_KEY.test(`${code} ${type} ${text}`)
  );
}

function isNoModel({ status, code, text, isHtml }: Failure): boolean {
  if (isHtml || status === undefined || status >= 500 || PASSING.has(status)) return false;
  if (status === 410 || NO_MODEL.test(`${code} ${text}`)) return true;
  return status === 404 && /\bmodel/i.test(text);
}

/** The model, or its server, takes words alone. */
function isBlind({ status, text, param, isHtml }: Failure): boolean {
  if (isHtml || status === undefined || PASSING.has(status)) return false;
  return IMAGES.test(`${param} ${text}`);
}

/** The address answers, but there is no chat API under it. */
function isNoApi({ status, isHtml }: Failure): boolean {
  return status === 404 || status === 405 || (isHtml && status !== undefined && status < 500);
}

function keyRemedy({ keyEnv, baseUrl }: FailedCall): string {
  return `Set ${keyEnv} to a key that is valid for ${baseUrl}.`;
}

function quotaRemedy({ keyEnv, baseUrl }: FailedCall): string {
  return `Add credit or raise the limit of the account at ${baseUrl}, or set ${keyEnv} to a key of another account.`;
}

function modelRemedy({ model, baseUrl }: FailedCall): string {
  return `Choose a model that ${baseUrl} serves to your key instead of "${model}".`;
}

function visionRemedy({ model }: FailedCall): string {
  return `The model "${model}" cannot be shown figures: name one that sees images with --vision, or go on from captions alone with --vision none.`;
}

function requestRemedy({ model, baseUrl }: FailedCall): string {
  return `Read what the provider says above and change the setting it names, or choose another model than "${model}" at ${baseUrl}.`;
}

/** What to do when the base URL is not that of an OpenAI-compatible API. */
export function baseUrlRemedy(baseUrl: string): string {
  return `Set the base URL to the address of an OpenAI-compatible API instead of ${baseUrl}; it mostly ends in /v1, such as https://api.openai.com/v1.`;
}
