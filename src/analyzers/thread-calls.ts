import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { AnalysisReply, AnalysisRequest } from './analysis-messages.ts';

/** An answer, or that the thread ended, or was ended, before it gave one. */
export type ThreadAnswer = AnalysisReply | { readonly kind: 'ended'; readonly reason: string };

/** Calls to one warm thread, one after the other. */
export interface ThreadCalls {
  /** After a thread ended, the next call starts another. Throws when that can't start. */
  readonly ask: (request: AnalysisRequest, limitMs: number) => Promise<ThreadAnswer>;
  readonly end: () => Promise<void>;
}

/** Loading the grammar may take this long on a busy machine. */
const START_LIMIT_MS = 60_000;
/** A thread that needs more is working on something that no one wrote by hand. */
const MAX_HEAP_MIB = 1_024;

/** Starts the thread; resolves when it is ready. Throws when it can't start, as when the grammar's package is not installed whole. */
export async function startThread(): Promise<ThreadCalls> {
  let thread: Worker | undefined = await launch();
  let last: Promise<unknown> = Promise.resolve();
  const call = async (request: AnalysisRequest, limitMs: number): Promise<ThreadAnswer> => {
    const current = thread === undefined || thread.threadId < 0 ? await launch() : thread;
    thread = current;
    const answer = await answerOf(current, limitMs, () => current.postMessage(request));
    if (answer.kind === 'ended') {
      thread = undefined;
      await current.terminate();
    }
    return answer;
  };
  return {
    ask(request, limitMs) {
      const answer = last.then(() => call(request, limitMs));
      last = answer.catch(() => undefined);
      return answer;
    },
    async end() {
      await thread?.terminate();
    },
  };
}

async function launch(): Promise<Worker> {
  const isSource = import.meta.url.endsWith('.ts');
  const entry = new URL(`./analysis-thread.${isSource ? 'ts' : 'js'}`, import.meta.url);
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MIB };
  const thread = isSource
    ? new Worker(throughLoader(entry), { eval: true, resourceLimits })
    : new Worker(entry, { resourceLimits });
  // One that fails between two calls is found ended by the next.
  thread.on('error', () => undefined);
  const ready = await answerOf(thread, START_LIMIT_MS, () => undefined);
  if (ready.kind !== 'ended') return thread;
  await thread.terminate();
  throw new Error(`The thread that reads source files did not start: ${ready.reason}.`);
}

/** TypeScript, in tests only, needs a loader, which each thread registers for itself. */
function throughLoader(entry: URL): string {
  // Its CommonJS entry, which is what `resolve` finds, cannot register in a thread.
  const api = createRequire(import.meta.url)
    .resolve('tsx/esm/api')
    .replace(/\.cjs$/, '.mjs');
  const url = pathToFileURL(api).href;
  return `import('${url}').then(({ register }) => { register(); return import('${entry.href}'); })`;
}

/** The next message of a thread. While it is waited for, the thread keeps the process alive, else not. */
async function answerOf(thread: Worker, limitMs: number, start: () => void): Promise<ThreadAnswer> {
  thread.ref();
  return new Promise<ThreadAnswer>((resolve) => {
    const settle = (answer: ThreadAnswer): void => {
      clearTimeout(timer);
      thread.off('message', settle).off('error', onError).off('exit', onExit).unref();
      resolve(answer);
    };
    const fail = (reason: string): void => settle({ kind: 'ended', reason });
    const onError = (error: Error): void => fail(`it failed with "${error.message}"`);
    const onExit = (): void => fail('its thread ended');
    const timer = setTimeout(() => fail(`it took longer than ${limitMs / 1_000} seconds`), limitMs);
    thread.on('message', settle).on('error', onError).on('exit', onExit);
    start();
  });
}
