import { APIError } from 'openai';
import { z } from 'zod';

/** What a provider said when it refused a request, read from whatever shape its body has. */
export interface Failure {
  /** The HTTP status, or a number of that kind that the body of a broken stream names. */
  readonly status: number | undefined;
  readonly code: string;
  readonly type: string;
  /** The parameter that the provider names, or empty. */
  readonly param: string;
  /** All the words of the answer, on one line, with what looks like a key taken out; for matching. */
  readonly text: string;
  readonly headers: Headers | undefined;
  readonly isHtml: boolean;
}

/** Longest part of a provider's words that we repeat to a person. */
const QUOTED_CHARACTERS = 400;

/** A server may answer with a page of any size; what it means stands at the front. */
const READ_CHARACTERS = 10_000;

const Named = z.union([z.string(), z.number()]).nullish().catch(undefined);
const ErrorBody = z.object({ code: Named, type: Named, param: Named, message: z.unknown() });

/** True for the SDK's errors: refusals, and errors that a stream carries. */
export function isApiError(error: unknown): error is APIError {
  return error instanceof APIError;
}

/** Reads an error of the SDK. `errorBody` is the raw text of the answer, which the SDK drops where it has no `error`. */
export function readFailure(error: APIError, errorBody: string, key: string): Failure {
  const body = ErrorBody.catch({ message: undefined }).parse(error.error);
  const contentType = error.headers?.get('content-type') ?? '';
  const words = [error.message, typeof body.message === 'string' ? '' : errorBody];
  return {
    status: statusOf(error.status, body.code),
    code: String(body.code ?? ''),
    type: String(body.type ?? ''),
    param: String(body.param ?? ''),
    text: redact(words.join(' ').slice(0, READ_CHARACTERS), key).replaceAll(/\s+/g, ' ').trim(),
    headers: error.headers,
    isHtml: contentType.includes('text/html') || /^\s*<(!doctype|html)/i.test(errorBody),
  };
}

/** The text without the key, anything that looks like one, or one that the provider masked in part. */
export function redact(text: string, key: string): string {
  // The dummy key of local servers is a common word.
  const withoutKey = key.length < 8 ? text : text.replaceAll(key, '[key]');
  return withoutKey
    .replaceAll(/\b((sk|pk|rk|gsk|xai)[-_]|AIza)[\w*-]{8,}/g, '[key]')
    .replaceAll(/Bearer\s+\S+/gi, 'Bearer [key]')
    .replaceAll(/(?<![\w-])[\w-]*\*{3,}[\w*-]*/g, '[key]');
}

/** A provider's words at a length that a person reads. */
export function quoted(failure: Failure): string {
  const { text } = failure;
  return text.length <= QUOTED_CHARACTERS ? text : `${text.slice(0, QUOTED_CHARACTERS)}…`;
}

function statusOf(status: number | undefined, code: unknown): number | undefined {
  if (status !== undefined) return status;
  const named = Number(code);
  return Number.isInteger(named) && named >= 400 && named < 600 ? named : undefined;
}
