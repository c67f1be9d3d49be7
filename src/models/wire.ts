/** One call's connection. */
export interface Wire {
  /** What the SDK sends with, in place of the global `fetch`. */
  readonly fetch: typeof fetch;
  /** The raw text of an answer that was not a success, or empty. */
  errorBody: string;
  /** What the network reported when no answer came. */
  networkError: unknown;
}

/**
 * Keeps what the SDK hides: the body of a refusal without `error`, what stands behind a time-out, and each sign of life,
 * such as the comments that providers send while a request waits in their queue.
 */
export function createWire(onBytes: () => void): Wire {
  const wire: Wire = {
    errorBody: '',
    networkError: undefined,
    async fetch(input, init) {
      try {
        const response = await fetch(input, init);
        if (response.ok) return watched(response, onBytes);
        wire.errorBody = await response.text();
        const { status, headers } = response;
        return new Response(wire.errorBody, { status, headers });
      } catch (error) {
        wire.networkError = error;
        throw error;
      }
    },
  };
  return wire;
}

function watched(response: Response, onBytes: () => void): Response {
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onBytes();
      controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(watch) ?? null, { status, statusText, headers });
}
