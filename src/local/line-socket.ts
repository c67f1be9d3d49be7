import type { Socket } from 'node:net';
import { StringDecoder } from 'node:string_decoder';
import type { z } from 'zod';

/** No message is near this long; a peer that sends more is not one of ours. */
const MAX_LINE_CHARACTERS = 1_000_000;

/** One end of a local socket that carries a JSON object a line. */
export interface LineSocket<Out> {
  send(message: Out): void;
  close(): void;
  readonly isOpen: boolean;
}

/**
 * Reads lines from `socket` and hands each message that fits `schema` to `onMessage`. A peer that sends anything else
 * is disconnected. `onClose` is called once, whoever closed.
 */
export function openLineSocket<In, Out>(
  socket: Socket,
  schema: z.ZodType<In>,
  onMessage: (message: In) => void,
  onClose: () => void,
): LineSocket<Out> {
  const decoder = new StringDecoder('utf8');
  let pending = '';
  socket.on('data', (chunk) => {
    const lines = (pending + decoder.write(chunk)).split('\n');
    pending = lines.pop() ?? '';
    if (pending.length > MAX_LINE_CHARACTERS) socket.destroy();
    for (const line of lines) {
      const message = parseLine(line, schema);
      if (!message) socket.destroy();
      else if (!socket.destroyed) onMessage(message.value);
    }
  });
  // An error is always followed by `close`.
  socket.on('error', () => undefined);
  socket.once('close', onClose);
  return {
    send(message) {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    },
    close: () => void socket.end(),
    get isOpen() {
      return socket.writable;
    },
  };
}

function parseLine<In>(line: string, schema: z.ZodType<In>): { value: In } | undefined {
  try {
    return { value: schema.parse(JSON.parse(line)) };
  } catch {
    return undefined;
  }
}
