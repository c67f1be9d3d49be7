import type OpenAI from 'openai';
import { APIError } from 'openai';
import { Stream } from 'openai/streaming';
import { NeedsPerson, RetryLater } from '../domain/errors.ts';
import { baseUrlRemedy } from './map-error.ts';
import { ChatEvent } from './reply-assembly.ts';

/**
 * The events of an answer, streamed or whole. Throws `NeedsPerson` for an HTML page, `RetryLater` for events of another
 * kind, and whatever the SDK and the network throw.
 */
export async function* readEvents(
  response: Response,
  client: OpenAI,
  baseUrl: string,
): AsyncGenerator<ChatEvent> {
  const contentType = response.headers.get('content-type') ?? '';
  if (contentType.includes('text/html'))
    throw new NeedsPerson(
      'request',
      `${baseUrl} answered with an HTML page.`,
      baseUrlRemedy(baseUrl),
    );
  const events = contentType.includes('application/json')
    ? [await readWhole(response)]
    : Stream.fromSSEResponse<unknown>(response, new AbortController(), client);
  for await (const event of events) {
    const parsed = ChatEvent.safeParse(event);
    if (parsed.success) yield parsed.data;
    else
      throw new RetryLater(`${baseUrl} sent an event that is not of a chat completion.`, {
        maybePaid: true,
      });
  }
}

/** A server that does not stream answers whole; one that fails may say so with status 200. */
async function readWhole(response: Response): Promise<unknown> {
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'error' in body && body.error)
    throw new APIError(undefined, body.error, undefined, response.headers);
  return body;
}
