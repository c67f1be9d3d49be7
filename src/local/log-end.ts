import { open } from 'node:fs/promises';

const MAX_BYTES = 16_000;
const MAX_LINES = 12;

/** The last lines that were written to a log after `offset` bytes, for a sentence about why a process failed. */
export async function readLogEnd(path: string, offset: number): Promise<string> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const start = Math.max(offset, size - MAX_BYTES);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, start);
    const lines = buffer.subarray(0, bytesRead).toString('utf8').trimEnd().split('\n');
    return lines.slice(-MAX_LINES).join('\n');
  } finally {
    await file.close();
  }
}
