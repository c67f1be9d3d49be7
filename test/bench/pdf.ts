import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { tinyPdf } from '../fakes/tiny-pdf.ts';
import { readPeakMiB } from './memory.ts';

const PROGRAM = fileURLToPath(new URL('../../dist/papers/pdf-main.js', import.meta.url));
const PAGES = 15;
const POLL_MS = 20;

/** What reading a paper of 15 full pages costs: from starting the PDF program to its answer, and its most memory. */
export async function readLongPdf(): Promise<{ wallMs: number; peakMiB: number }> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'ignore', 'inherit'] });
  child.stdin.end(fullPages());
  let isOver = false;
  const ended = once(child, 'exit').then(() => (isOver = true));
  let peakMiB = 0;
  while (!isOver) {
    peakMiB = Math.max(peakMiB, (await readPeakMiB(child.pid ?? 0)) ?? 0);
    await Promise.race([ended, wait(POLL_MS)]);
  }
  if (child.exitCode !== 0) throw new Error(`The PDF program ended with ${child.exitCode}.`);
  return { wallMs: performance.now() - startedAt, peakMiB };
}

function fullPages(): Uint8Array {
  const line =
    'The method adds a constant to each of the values that it is given, one after the other';
  return tinyPdf(
    Array.from({ length: PAGES }, (_, page) => ({
      texts: Array.from({ length: 54 }, (__, row) => ({
        x: 72,
        y: 730 - row * 12.4,
        text: row % 18 === 0 ? `${page + 1}.${row / 18 + 1} Part` : `${line} ${page} ${row}`,
        bold: row % 18 === 0,
      })),
    })),
  );
}
