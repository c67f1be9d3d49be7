/** One call's connection. */
export interface Wire {
  /** What the SDK sends with, in place of the global `fetch`. */
  readonly fetch: typeof fetch;
  /** The raw text of an answer that was not a success, or empty. */
  errorBody: string;
  /** What the network reported when no answer came. */
  networkError: unknown;
}

/** Keeps what the SDK's errors lose: the body of a refusal without `error`, and what stands behind a time-out. */
export function createWire(): Wire {
  const wire: Wire = {
    errorBody: '',
    networkError: undefined,
    async fetch(input, init) {
      try {
        const response = await fetch(input, init);
        if (response.ok) return response;
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
