import { z } from 'zod';

/** A running program's input and output, as far as messages need them. */
export interface Wire {
  write(text: string): void;
  onOutput(listener: (chunk: Buffer) => void): void;
}

/** Requests and notifications in the framing of language servers. */
export interface Messages {
  /** Rejects when the other side answers with an error; never when it is gone: race it with the end of the process. */
  request(method: string, params: unknown): Promise<unknown>;
  notify(method: string, params: unknown): void;
}

const Message = z.looseObject({
  id: z.union([z.number(), z.string()]).nullish(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ message: z.string() }).optional(),
});
type Message = z.infer<typeof Message>;

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Speaks over a wire; `answer` gives the result of each request that the other side makes. */
export function speak(wire: Wire, answer: (method: string, params: unknown) => unknown): Messages {
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  const send = (message: object): void => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    wire.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const settle = (id: number, { result, error }: Message): void => {
    const one = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) one?.resolve(result);
    else one?.reject(new Error(error.message));
  };
  const receive = (message: Message): void => {
    const { id, method, params } = message;
    if (method !== undefined) {
      if (id !== undefined && id !== null) send({ id, result: answer(method, params) });
    } else if (typeof id === 'number') settle(id, message);
  };
  const take = messageReader((body) => {
    const message = Message.safeParse(body);
    if (message.success) receive(message.data);
  });
  wire.onOutput(take);
  return {
    notify: (method, params) => send({ method, params }),
    request(method, params) {
      const id = (lastId += 1);
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        send({ id, method, params });
      });
    },
  };
}

const HEADER_END = '\r\n\r\n';

/** Cuts a stream of bytes into bodies; what is no JSON is skipped. */
function messageReader(use: (body: unknown) => void): (chunk: Buffer) => void {
  let chunks: Buffer[] = [];
  let size = 0;
  let wanted = 0;
  return (chunk) => {
    chunks.push(chunk);
    size += chunk.length;
    // Long bodies come in many pieces: they are put together once.
    while (size >= wanted) {
      const buffer = Buffer.concat(chunks);
      const head = buffer.indexOf(HEADER_END);
      const length = Number(
        /Content-Length: *(\d+)/i.exec(buffer.toString('latin1', 0, Math.max(head, 0)))?.[1] ?? 0,
      );
      const start = head + HEADER_END.length;
      if (head < 0 || buffer.length < start + length) {
        chunks = [buffer];
        wanted = head < 0 ? size + 1 : start + length;
        return;
      }
      const rest = buffer.subarray(start + length);
      [chunks, size, wanted] = [[rest], rest.length, 1];
      use(parsed(buffer.toString('utf8', start, start + length)));
    }
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
