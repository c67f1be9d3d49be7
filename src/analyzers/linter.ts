import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { LintMark } from '../diagnostics/check-lint.ts';

/** Looks for mistakes in a Python text. Throws when ruff is not installed whole. */
export type Lint = (text: string) => Promise<readonly LintMark[]>;

/** A text that takes longer is left without marks: lint is worth less than waiting for it. */
const MAX_WAIT_MS = 60_000;

/** Rules about mistakes, none about style; undefined names are found by our own check, which knows what is never evaluated. */
const RULES = [
  ...['F404', 'F50', 'F521', 'F524', 'F525', 'F601', 'F62', 'F63', 'F70', 'F811', 'F823'],
  ...['PLE', 'B002', 'B003', 'B015', 'B016', 'B025', 'B029', 'B032', 'B035'],
];
/** These only concern what `import *` would export. */
const LEFT_OUT = ['PLE0604', 'PLE0605'];

/** JavaScript as text, since the sources and the compiled program would name a file of it differently. */
const THREAD = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { PositionEncoding, Workspace } = require(workerData.ruff);
  const workspace = new Workspace(workerData.options, PositionEncoding.Utf32);
  parentPort.on('message', ({ id, text }) => {
    parentPort.postMessage({ id, diagnostics: workspace.check(text) });
  });
`;

const Answer = z.object({
  id: z.int(),
  diagnostics: z.array(
    z.object({
      code: z.string().nullable(),
      message: z.string(),
      start_location: z.object({ row: z.int() }),
    }),
  ),
});

interface Waiting {
  readonly resolve: (marks: readonly LintMark[]) => void;
  readonly reject: (reason: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** Makes a linter in a thread of its own, started at the first text: that takes it half a second, a long file a tenth of one. */
export function createLint(): Lint {
  let thread: Worker | undefined;
  let asked = 0;
  const waiting = new Map<number, Waiting>();
  const settle = (id: number, how: (one: Waiting) => void): void => {
    const one = waiting.get(id);
    waiting.delete(id);
    // A process that waits for no marks may end.
    if (waiting.size === 0) thread?.unref();
    if (one === undefined) return;
    clearTimeout(one.timer);
    how(one);
  };
  const stop = (how: (one: Waiting) => void): void => {
    void thread?.terminate();
    thread = undefined;
    for (const id of [...waiting.keys()]) settle(id, how);
  };
  const start = (): Worker => {
    const started = startThread();
    started.on('message', (message: unknown) => {
      const { id, diagnostics } = Answer.parse(message);
      settle(id, ({ resolve }) => resolve(diagnostics.map(markOf)));
    });
    started.on('error', (error: Error) => stop(({ reject }) => reject(error)));
    return started;
  };
  return (text) =>
    new Promise((resolve, reject) => {
      thread ??= start();
      asked += 1;
      const timer = setTimeout(() => stop((one) => one.resolve([])), MAX_WAIT_MS);
      waiting.set(asked, { resolve, reject, timer });
      thread.ref();
      thread.postMessage({ id: asked, text });
    });
}

function startThread(): Worker {
  const ruff = createRequire(import.meta.url).resolve('@astral-sh/ruff-wasm-nodejs');
  const options = { 'target-version': 'py313', lint: { select: RULES, ignore: LEFT_OUT } };
  return new Worker(THREAD, { eval: true, workerData: { ruff, options } });
}

function markOf({
  code,
  message,
  start_location: { row },
}: z.infer<typeof Answer>['diagnostics'][number]): LintMark {
  return { code: code ?? 'invalid-syntax', line: row, message: message.replace(/\.$/, '') };
}
