import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { LintMark } from '../diagnostics/check-lint.ts';

/** Looks for mistakes in a Python text. */
export type Lint = (text: string) => Promise<readonly LintMark[]>;

/** A text that takes longer is left without marks: lint is worth less than waiting for it. */
const MAX_WAIT_MS = 30_000;

const Answer = z.object({
  id: z.int(),
  marks: z.array(z.object({ code: z.string(), line: z.int(), message: z.string() })),
});

interface Waiting {
  readonly resolve: (marks: readonly LintMark[]) => void;
  readonly timer: NodeJS.Timeout;
}

/** Makes a linter in a thread of its own, started at the first text: a file takes it up to a tenth of a second, the first half of one. */
export function createLint(): Lint {
  let thread: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();
  const answer = (id: number, marks: readonly LintMark[]): void => {
    const one = waiting.get(id);
    waiting.delete(id);
    clearTimeout(one?.timer);
    one?.resolve(marks);
    // Nothing keeps a process alive that waits for no marks.
    if (waiting.size === 0) thread?.unref();
  };
  const giveUp = (): void => {
    void thread?.terminate();
    thread = undefined;
    for (const id of waiting.keys()) answer(id, []);
  };
  return (text) =>
    new Promise((resolve) => {
      thread ??= startThread((message) => {
        const { id, marks } = Answer.parse(message);
        answer(id, marks);
      }, giveUp);
      asked += 1;
      waiting.set(asked, { resolve, timer: setTimeout(giveUp, MAX_WAIT_MS) });
      thread.ref();
      thread.postMessage({ id: asked, text });
    });
}

function startThread(onMessage: (message: unknown) => void, onEnd: () => void): Worker {
  // Run from its sources, the thread needs the same loader as the process.
  const isSource = import.meta.url.endsWith('.ts');
  const file = new URL(isSource ? './lint-thread.ts' : './lint-thread.js', import.meta.url);
  const thread = new Worker(file, isSource ? { execArgv: ['--import', 'tsx'] } : {});
  thread.on('message', onMessage);
  thread.on('error', onEnd);
  return thread;
}
