import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listProcesses } from '../../src/processes/list-processes.ts';
import { startOpenAiServer } from '../fakes/openai-server.ts';
import { aPaperText } from '../fakes/plan-scenario.ts';
import { LATENCY_MS } from './latency-model.ts';
import { benchAnswer, PAPER_CHARACTERS, type BenchPlan } from './plans.ts';

/** The most memory that each process of the product had, in MiB, and how long its command took. */
export interface ProductRun {
  readonly peakMiB: ReadonlyMap<ProcessKind, number>;
  readonly wallMs: number;
}

type ProcessKind = 'client' | 'supervisor' | 'worker' | 'server';

const CLIENT = fileURLToPath(new URL('../../dist/client.js', import.meta.url));
const POLL_MS = 100;
/** A run takes half a minute; what hangs must not hold up the bench. */
const TIMEOUT_MS = 180_000;

/** Runs the built product as a person does, `deeprepro run`, against an HTTP server of the fixed latency. */
export async function runProduct(plan: BenchPlan): Promise<ProductRun> {
  const home = await mkdtemp(join(tmpdir(), 'deeprepro-bench-'));
  const answer = ({ prompt }: { prompt: string }) => ({
    kind: 'reply' as const,
    text: benchAnswer(prompt, plan, 'of ours'),
  });
  const server = await startOpenAiServer({ answer, latencyMs: LATENCY_MS, keepBodies: false });
  try {
    const paper = join(home, 'paper.md');
    await writeFile(paper, aPaperText(PAPER_CHARACTERS));
    const startedAt = performance.now();
    const models = ['--model', 'bench', '--base-url', server.baseUrl, '--price', '0,0'];
    const run = ['run', paper, '--mode', 'fast', '--parallel', '16', '--name', 'bench'];
    const client = start(home, [...run, ...models]);
    const peaks = await watchPeaks(home, client);
    return { peakMiB: peaks, wallMs: performance.now() - startedAt };
  } finally {
    await once(start(home, ['down']), 'exit');
    await server.close();
    await rm(home, { recursive: true, force: true });
  }
}

function start(home: string, args: readonly string[]) {
  // An empty variable is one that is not set: the server is the data folder's own.
  const own = { DEEPREPRO_HOME: home, OPENAI_API_KEY: 'bench', TEMPORAL_ADDRESS: '' };
  const env = { ...process.env, ...own };
  return spawn(process.execPath, [CLIENT, ...args], {
    timeout: TIMEOUT_MS,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/** Looks at the processes of the data folder until the client ends; a peak is the kernel's own, so that none is missed. */
async function watchPeaks(
  home: string,
  client: ReturnType<typeof spawn>,
): Promise<Map<ProcessKind, number>> {
  const peaks = new Map<ProcessKind, number>();
  let isOver = false;
  client.once('exit', () => (isOver = true));
  while (!isOver) {
    for (const { pid, kind } of await processesOf(home, client.pid ?? 0)) {
      const peak = await readPeakMiB(pid);
      if (peak !== undefined) peaks.set(kind, Math.max(peak, peaks.get(kind) ?? 0));
    }
    await wait(POLL_MS);
  }
  if (client.exitCode !== 0) {
    throw new Error(
      `deeprepro run ended with ${client.exitCode ?? client.signalCode ?? 'nothing'}.`,
    );
  }
  return peaks;
}

async function processesOf(
  home: string,
  clientPid: number,
): Promise<{ pid: number; kind: ProcessKind }[]> {
  const found: { pid: number; kind: ProcessKind }[] = [{ pid: clientPid, kind: 'client' }];
  for (const { pid, commandLine } of await listProcesses()) {
    if (commandLine.includes(`--db-filename ${home}/`)) found.push({ pid, kind: 'server' });
    if (!/\/(supervisor-main|worker)\.js/.test(commandLine)) continue;
    if (!(await isOf(pid, home))) continue;
    found.push({ pid, kind: commandLine.includes('supervisor-main') ? 'supervisor' : 'worker' });
  }
  return found;
}

/** Whether a process works on the data folder, told by its environment or command line. */
async function isOf(pid: number, home: string): Promise<boolean> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '');
  return `${await read('environ')}\0${await read('cmdline')}`.includes(home);
}

/** VmHWM: the most that was resident so far; undefined where the system does not say. */
export async function readPeakMiB(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kibibytes = /^VmHWM:\s+(\d+) kB/m.exec(status)?.[1];
  return kibibytes === undefined ? undefined : Number(kibibytes) / 1024;
}
