import { NeedsPerson, RetryLater } from '../domain/errors.ts';
import type { Model } from './model.ts';

/**
 * The same model, but an endpoint that could not be reached for `limitMs`, without one answer in between, becomes a
 * matter for a person: the run waits, and shows it. Counted over all calls to a base URL, from the first that failed.
 */
export function withOutageLimit(
  model: Model,
  { limitMs, nowMs }: { readonly limitMs: number; readonly nowMs: () => number },
): Model {
  /** When the first of an unbroken row of failures was, by base URL. */
  const failingSince = new Map<string, number>();
  return {
    async reply(request, signal, onProgress) {
      const { baseUrl } = request.endpoint;
      try {
        const reply = await model.reply(request, signal, onProgress);
        failingSince.delete(baseUrl);
        return reply;
      } catch (error) {
        if (!(error instanceof RetryLater) || !error.isUnreachable) {
          // A refusal is an answer; a call that we cut ourselves says nothing.
          if (!signal.aborted) failingSince.delete(baseUrl);
          throw error;
        }
        const sinceMs = failingSince.get(baseUrl) ?? nowMs();
        failingSince.set(baseUrl, sinceMs);
        if (nowMs() - sinceMs < limitMs) throw error;
        throw unreachable(error, sinceMs, baseUrl);
      }
    },
  };
}

function unreachable(cause: RetryLater, sinceMs: number, baseUrl: string): NeedsPerson {
  const since = new Date(sinceMs).toISOString().slice(0, 16).replace('T', ' ');
  const reason = /\(([^()]*)\)/.exec(cause.message)?.[1];
  return new NeedsPerson(
    'network',
    `The endpoint ${baseUrl} cannot be reached since ${since} UTC${reason === undefined ? '' : ` (${reason})`}.`,
    'Check the network and the base URL; it is tried again every few minutes.',
    { cause },
  );
}
