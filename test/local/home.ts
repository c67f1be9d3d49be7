import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { connectLocal, downLocal } from '../../src/local/connect.ts';
import type { LocalConnection } from '../../src/local/connect.ts';
import { listProcesses } from '../../src/processes/list-processes.ts';

/** The compiled supervisor, which starts in a third of the time, unless it is older than its sources. */
const SUPERVISOR_MODULE = chooseSupervisorModule();

function chooseSupervisorModule(): string {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const compiled = join(root, 'dist/local/supervisor-main.js');
  const sources = ['local', 'processes', 'store'].flatMap((folder) =>
    readdirSync(join(root, 'src', folder)).map((name) => join(root, 'src', folder, name)),
  );
  const isFresh =
    existsSync(compiled) &&
    sources.every((path) => statSync(path).mtimeMs < statSync(compiled).mtimeMs);
  return isFresh ? compiled : join(root, 'src/local/supervisor-main.ts');
}

/** What the fake worker wrote down. */
export const WorkerNote = z.object({
  pid: z.int(),
  kind: z.enum(['started', 'finished']),
  key: z.string().nullish(),
  why: z.string().optional(),
});
export type WorkerNote = z.infer<typeof WorkerNote>;

/** A fresh data folder, and what a test asks of it. */
export class Home {
  readonly path: string;
  readonly lines: string[] = [];

  private constructor(path: string) {
    this.path = path;
  }

  static async make(): Promise<Home> {
    return new Home(await realpath(await mkdtemp(join(tmpdir(), 'home-'))));
  }

  /** A folder in this one, which need not exist. */
  inside(name: string): Home {
    return new Home(join(this.path, name));
  }

  connect(environment: Record<string, string> = { FAKE_KEY: 'first' }): Promise<LocalConnection> {
    return connectLocal({
      home: this.path,
      environment,
      supervisorModule: SUPERVISOR_MODULE,
      workerModule: fileURLToPath(new URL('fakes/worker.mjs', import.meta.url)),
      onProgress: (line) => this.lines.push(line),
    });
  }

  notes(): WorkerNote[] {
    const path = join(this.path, 'worker-notes.jsonl');
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    return lines.map((line) => WorkerNote.parse(JSON.parse(line)));
  }

  /** Command lines of all processes that name this folder. */
  async processes(): Promise<string[]> {
    const all = await listProcesses();
    return all.map(({ commandLine }) => commandLine).filter((line) => line.includes(this.path));
  }

  async remove(): Promise<void> {
    await downLocal(this.path);
    await rm(this.path, { recursive: true });
  }
}

/** Resolves when `question` is answered with something; fails after 20 s, naming what it waited for. */
export async function eventually<T>(
  what: string,
  question: () => T | undefined | false | Promise<T | undefined | false>,
): Promise<T> {
  const deadline = Date.now() + 20_000;
  while (Date.now() < deadline) {
    const answer = await question();
    if (answer !== undefined && answer !== false) return answer;
    await sleep(10);
  }
  throw new Error(`Waited 20 s in vain for ${what}.`);
}
