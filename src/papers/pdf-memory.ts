import { Worker } from 'node:worker_threads';

/** A paper of 100 pages takes 400 MB; a hostile one takes all there is. */
export const MOST_MEMORY_MB = 1_024;
const LOOK_EVERY_MS = 100;

/**
 * Ends this process when it holds more memory than a paper needs. Node's own limit does not see what pdfjs unpacks,
 * and a timer would wait for the unpacking to end: so it is a thread that looks.
 */
export function watchMemory(): void {
  const code = `
    const { writeSync } = require('node:fs');
    setInterval(() => {
      if (process.memoryUsage.rss() < ${MOST_MEMORY_MB} * 1024 * 1024) return;
      writeSync(2, 'out of memory');
      process.kill(process.pid, 'SIGKILL');
    }, ${LOOK_EVERY_MS});`;
  new Worker(code, { eval: true }).unref();
}
