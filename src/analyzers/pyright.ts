import { createHash } from 'node:crypto';
import { typeFaults } from '../diagnostics/type-faults.ts';
import type { Problem } from '../domain/finding.ts';
import { createPyrightFolder, type PyrightFolder, type PythonTexts } from './pyright-folder.ts';
import { startPyrightServer, type OpenProgram, type PyrightServer } from './pyright-server.ts';

/** What the type checker found in a tree, or why it did not look. */
export type TypeCheck =
  | { readonly kind: 'checked'; readonly problems: readonly Problem[] }
  | { readonly kind: 'not-run'; readonly reason: string };

/** Checks the types of trees with one language server, which is started when it is first needed. */
export interface Pyright {
  /** Never rejects: a server that cannot start, dies twice or takes too long is a reason. The same texts give the same answer. */
  readonly check: (texts: PythonTexts) => Promise<TypeCheck>;
  /** The process of the running server, or undefined. */
  readonly pid: () => number | undefined;
  /** Ends the server and deletes its folder. */
  readonly end: () => Promise<void>;
}

/** How long one tree may take: a base, and for each file. */
export interface PyrightLimits {
  readonly baseMs: number;
  readonly perFileMs: number;
}

const LIMITS: PyrightLimits = { baseMs: 60_000, perFileMs: 1_000 };
/** A server that was killed once is started anew; one that dies again is not to be had. */
const MAX_TRIES = 2;
/** Trees whose answers are kept. */
const MOST_KEPT = 50;

interface Running {
  readonly server: PyrightServer;
  readonly folder: PyrightFolder;
}

/** A type checker that starts its program with `open`. */
export function createPyright(open: OpenProgram, limits: PyrightLimits = LIMITS): Pyright {
  const answers = new Map<string, TypeCheck>();
  let running: Running | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const stop = async (): Promise<void> => {
    const ending = running;
    running = undefined;
    ending?.server.kill();
    await ending?.folder.end();
  };
  const start = async (): Promise<Running> => {
    const folder = await createPyrightFolder();
    const program: { kill?: () => void } = {};
    const keep: OpenProgram = (request) => {
      const opened = open(request);
      program.kill = opened.kill;
      return opened;
    };
    try {
      const begun = startPyrightServer(keep, folder);
      return { folder, server: await within(limits.baseMs, begun) };
    } catch (error) {
      program.kill?.();
      await folder.end();
      throw error;
    }
  };
  const look = async (texts: PythonTexts): Promise<TypeCheck> => {
    running ??= await start();
    const { folder, server } = running;
    const changes = await folder.become(texts);
    const limitMs = limits.baseMs + limits.perFileMs * texts.size;
    const diagnostics = await within(limitMs, server.diagnose(texts, changes));
    return { kind: 'checked', problems: typeFaults(texts, diagnostics) };
  };
  const tryLook = async (texts: PythonTexts): Promise<TypeCheck> => {
    let reason = '';
    for (let tries = 1; tries <= MAX_TRIES; tries += 1)
      try {
        return await look(texts);
      } catch (error) {
        reason = error instanceof Error ? error.message : String(error);
        await stop();
        // What took too long once takes too long again.
        if (error instanceof TooLong) break;
      }
    return { kind: 'not-run', reason };
  };
  const checkOnce = async (texts: PythonTexts): Promise<TypeCheck> => {
    const key = keyOf(texts);
    const known = answers.get(key);
    if (known !== undefined) return known;
    const answer = await tryLook(texts);
    if (answers.size >= MOST_KEPT) answers.delete([...answers.keys()][0] ?? '');
    if (answer.kind === 'checked') answers.set(key, answer);
    return answer;
  };
  return {
    pid: () => running?.server.pid,
    async end() {
      await last;
      await stop();
    },
    check(texts) {
      const answer = last.then(() => checkOnce(texts));
      last = answer.catch(() => undefined);
      return answer;
    },
  };
}

class TooLong extends Error {
  override readonly name = 'TooLong';
}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TooLong(`it took longer than ${limitMs / 1_000} seconds`));
    }, limitMs);
  });
  work.catch(() => undefined);
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** By path and content, whatever their order. */
function keyOf(texts: PythonTexts): string {
  const hash = createHash('sha256');
  for (const [path, text] of [...texts].sort(([a], [b]) => (a < b ? -1 : 1)))
    hash.update(`${path}\0${text.length}\0${text}\0`);
  return hash.digest('hex');
}
