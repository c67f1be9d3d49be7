/** One call's connection. */
export interface Wire {
  /** What the SDK sends with, in place of the global `fetch`. */
  readonly fetch: typeof fetch;
  /** The raw text of an answer that was not a success, or empty; its beginning, where it is long. */
  errorBody: string;
  /** What the network reported when no answer came. */
  networkError: unknown;
}

/** What a call wants to know of its bytes. */
export interface WireWatch {
  /** Some have come. */
  readonly onBytes: () => void;
  /** An event, or a whole answer, has grown beyond what any reply fills: nobody is to wait for its end. */
  readonly onTooLong: () => void;
}

/** The longest reply, escaped, takes a third. */
const MOST_ANSWER_BYTES = 16 * 1024 * 1024;
/** Events are a few words each; a gateway may send a whole reply in one. The SDK's time grows with their square. */
const MOST_EVENT_BYTES = 2 * 1024 * 1024;
/** A page that stands for an error is quoted in one sentence. */
const MOST_ERROR_BYTES = 256 * 1024;

/**
 * Keeps what the SDK hides: the body of a refusal without `error`, what stands behind a time-out, and each sign of life,
 * such as the comments that providers send while a request waits in their queue.
 */
export function createWire(watch: WireWatch): Wire {
  const wire: Wire = {
    errorBody: '',
    networkError: undefined,
    async fetch(input, init) {
      try {
        const response = await fetch(input, init);
        if (response.ok) return watched(response, watch);
        wire.errorBody = await readBeginning(response);
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

function watched(response: Response, { onBytes, onTooLong }: WireWatch): Response {
  const isStream = (response.headers.get('content-type') ?? '').includes('event-stream');
  const most = isStream ? MOST_EVENT_BYTES : MOST_ANSWER_BYTES;
  let bytes = 0;
  const stream = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      onBytes();
      const end = isStream ? lastEventEnd(chunk) : -1;
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
      if (bytes > most) onTooLong();
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(stream) ?? null, { status, statusText, headers });
}

/** An end that falls between two chunks is missed; the next one is not. */
function lastEventEnd(chunk: Uint8Array): number {
  const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(...['\n\n', '\r\n\r\n', '\r\r'].map((end) => bytes.lastIndexOf(end)));
}

async function readBeginning(response: Response): Promise<string> {
  const reader: ReadableStreamDefaultReader<Uint8Array> | undefined = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    text += decoder.decode(part.value, { stream: true });
    bytes += part.value.length;
    if (bytes > MOST_ERROR_BYTES) {
      await reader?.cancel();
      break;
    }
  }
  return text + decoder.decode();
}
