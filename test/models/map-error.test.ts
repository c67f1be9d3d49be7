import assert from 'node:assert/strict';
import { APIConnectionError, APIConnectionTimeoutError, APIError, APIUserAbortError } from 'openai';
import { ContextTooLong, NeedsPerson, RetryLater } from '../../src/domain/errors.ts';
import { mapError, type FailedCall } from '../../src/models/map-error.ts';

const KEY = 'sk-proj-abcdefghijklmnop';
const NOW_MS = Date.parse('2026-01-01T00:00:00Z');

const call = (parts: Partial<FailedCall> = {}): FailedCall => ({
  baseUrl: 'https://models.test/v1',
  model: 'some-model',
  keyEnv: 'SOME_KEY',
  key: KEY,
  nowMs: NOW_MS,
  ...parts,
});

/** The error that the SDK makes of an answer. */
function answered(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): APIError {
  const text = typeof body === 'string' ? body : undefined;
  const json = typeof body === 'object' && body !== null ? body : undefined;
  return APIError.generate(status, json, text, new Headers(headers));
}

const said = (status: number, error: Readonly<Record<string, unknown>>) =>
  answered(status, { error });

/** In one word what an error means. */
function meaning(error: unknown, parts: Partial<FailedCall> = {}): string {
  const mapped = mapError(error, call(parts));
  if (mapped instanceof NeedsPerson) return mapped.kind;
  if (mapped instanceof ContextTooLong) return 'too long';
  return mapped.maybePaid ? 'later, maybe paid' : 'later';
}

const fetchFailed = (code: string, parts: Readonly<Record<string, string>> = {}) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code, ...parts }) });

describe('the map of errors', () => {
  it('tries later what passes by itself', () => {
    for (const status of [408, 409, 429, 500, 502, 503, 504, 529])
      assert.equal(meaning(said(status, { message: 'Busy.' })), 'later', String(status));
  });

  it('asks a person where only a person can help', () => {
    const cases: readonly (readonly [string, APIError])[] = [
      ['key', said(401, { message: 'Invalid API Key' })],
      ['key', answered(401, { detail: 'Not authenticated' })],
      ['key', said(403, { message: 'Forbidden' })],
      ['key', said(400, { message: 'API key not valid. Please pass a valid API key.' })],
      ['key', said(400, { message: 'No connected db.', type: 'no_db_connection', code: '400' })],
      ['quota', said(402, { message: 'Insufficient Balance' })],
      [
        'quota',
        said(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }),
      ],
      ['quota', said(403, { message: 'x', code: 'billing_not_active' })],
      ['quota', said(400, { message: 'Your credit balance is too low to access the API.' })],
      [
        'model',
        said(404, { message: 'The model `gpt-9` does not exist', code: 'model_not_found' }),
      ],
      [
        'model',
        said(404, { message: 'model "x" not found, try pulling it first', type: 'api_error' }),
      ],
      ['model', said(400, { message: 'Model Not Exist' })],
      ['model', said(403, { message: 'Project does not have access to model `o3`' })],
      ['model', said(410, { message: 'Gone' })],
      ['request', answered(404, '404 page not found')],
      ['request', answered(404, { detail: 'Not Found' })],
      ['request', said(400, { message: 'messages: at least one is required' })],
      ['request', said(422, { message: 'Unprocessable' })],
      ['request', said(403, { message: 'x', code: 'unsupported_country_region_territory' })],
    ];
    for (const [kind, error] of cases) assert.equal(meaning(error), kind, error.message);
  });

  it('takes the wrong key that litellm reports as a type for a wrong key', () => {
    const body = { error: { message: 'No connected db.', type: 'no_db_connection', code: '400' } };
    assert.equal(meaning(answered(400, body), { errorBody: JSON.stringify(body) }), 'key');
  });

  it('knows a request that is too long by code, type or words', () => {
    const cases = [
      said(400, { message: 'x', code: 'context_length_exceeded' }),
      said(400, { message: 'x', type: 'exceed_context_size_error', code: 400 }),
      said(400, {
        message: 'request (5031 tokens) exceeds the available context size (2048 tokens)',
      }),
      said(400, { message: "This model's maximum context length is 8192 tokens." }),
      said(400, { message: 'litellm.ContextWindowExceededError: …', code: '400' }),
      said(400, { message: 'prompt is too long: 210000 tokens > 200000 maximum' }),
      said(400, {
        message: 'The input token count (1200000) exceeds the maximum number of tokens allowed',
      }),
      said(413, { message: 'Payload Too Large' }),
      said(429, {
        message:
          'Request too large for gpt-4o on tokens per min (TPM): Limit 30000, Requested 45000',
      }),
    ];
    for (const error of cases) assert.equal(meaning(error), 'too long', error.message);
  });

  it('tries later when a server reports bad input as its own fault', () => {
    assert.equal(meaning(said(500, { message: 'ValidationError: messages.0.content' })), 'later');
  });

  it('follows x-should-retry where the status says otherwise', () => {
    const headers = (value: string) => ({ 'x-should-retry': value });
    const body = { error: { message: 'x' } };
    assert.equal(meaning(answered(400, body, headers('true'))), 'later');
    assert.equal(meaning(answered(500, body, headers('false'))), 'request');
    assert.equal(meaning(answered(429, body, headers('false'))), 'quota');
  });

  it('waits as long as the provider asks, from 1 s to 10 min', () => {
    const delay = (headers: Readonly<Record<string, string>>, message = 'Slow down.') => {
      const mapped = mapError(answered(429, { error: { message } }, headers), call());
      assert.ok(mapped instanceof RetryLater);
      return mapped.retryAfterMs;
    };
    assert.equal(delay({}), undefined);
    assert.equal(delay({ 'retry-after': '7' }), 7_000);
    assert.equal(delay({ 'retry-after': '7', 'retry-after-ms': '2500' }), 2_500);
    assert.equal(delay({ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }), 30_000);
    assert.equal(delay({ 'retry-after': '0' }), 1_000);
    assert.equal(delay({ 'retry-after': '86400' }), 600_000);
    assert.equal(delay({ 'retry-after': 'soon' }), undefined);
    assert.equal(delay({}, 'Please try again in 6m1.5s.'), 361_500);
  });

  it('takes words about a quota for a rate limit when they come with a delay', () => {
    const message = 'You exceeded your current quota, please check your plan and billing details.';
    assert.equal(meaning(said(429, { message })), 'quota');
    assert.equal(meaning(answered(429, { error: { message } }, { 'retry-after': '20' })), 'later');
    assert.equal(meaning(said(429, { message: `${message} Please retry in 34.07s.` })), 'later');
  });

  it('knows whether a request was sent when the network fails', () => {
    const lost = new APIConnectionError({ message: 'Connection error.' });
    for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])
      assert.equal(meaning(lost, { networkError: fetchFailed(code) }), 'later', code);
    const both = new AggregateError([fetchFailed('ECONNREFUSED').cause, new Error('x')]);
    assert.equal(meaning(new APIConnectionError({ message: 'x', cause: both })), 'later');
    const unreachable = fetchFailed('ETIMEDOUT', { syscall: 'connect' });
    assert.equal(meaning(new APIConnectionTimeoutError(), { networkError: unreachable }), 'later');
    for (const code of ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_HEADERS_TIMEOUT', 'ETIMEDOUT'])
      assert.equal(meaning(lost, { networkError: fetchFailed(code) }), 'later, maybe paid', code);
    assert.equal(meaning(new TypeError('terminated')), 'later, maybe paid');
    assert.equal(meaning(new APIConnectionTimeoutError()), 'later, maybe paid');
    assert.equal(meaning(new APIUserAbortError()), 'later, maybe paid');
  });

  it('asks a person about a connection that cannot be trusted', () => {
    const lost = new APIConnectionError({ message: 'Connection error.' });
    for (const code of [
      'DEPTH_ZERO_SELF_SIGNED_CERT',
      'CERT_HAS_EXPIRED',
      'ERR_SSL_WRONG_VERSION_NUMBER',
    ])
      assert.equal(meaning(lost, { networkError: fetchFailed(code) }), 'request', code);
  });

  it('reads an error inside a stream by the status that it names', () => {
    const inStream = (error: Record<string, unknown>) =>
      new APIError(undefined, error, undefined, new Headers());
    assert.equal(meaning(inStream({ code: 500, message: 'died' })), 'later, maybe paid');
    assert.equal(meaning(inStream({ message: 'died', type: 'server_error' })), 'later, maybe paid');
    assert.equal(meaning(inStream({ code: 'context_length_exceeded', message: 'x' })), 'too long');
    assert.equal(meaning(inStream({ code: 'insufficient_quota', message: 'x' })), 'quota');
  });

  it('passes on what is mapped already', () => {
    const error = new NeedsPerson('disk', 'The disk is full.', 'Make room.');
    assert.equal(mapError(error, call()), error);
  });

  it('keeps keys out of its messages, and pages too', () => {
    const message = `Incorrect API key provided: ${KEY}. Also sk-other-0123456789 and abcd*****wxyz.`;
    const mapped = mapError(said(401, { message }), call());
    assert.doesNotMatch(mapped.message, /sk-|wxyz|abcdefgh/);
    assert.match(mapped.message, /Incorrect API key provided: \[key\]/);
    const page = answered(502, `<html>${'x'.repeat(5_000_000)}</html>`, {
      'content-type': 'text/html',
    });
    assert.ok(mapError(page, call()).message.length < 200);
  });

  it('says what to do in whole sentences that name the setting', () => {
    const mapped = mapError(said(401, { message: 'x' }), call());
    assert.ok(mapped instanceof NeedsPerson);
    assert.equal(mapped.message, 'https://models.test/v1 said: 401 x.');
    assert.equal(mapped.remedy, 'Set SOME_KEY to a key that is valid for https://models.test/v1.');
  });
});
