import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { downLocal } from '../../src/local/connect.ts';
import { openLink } from '../../src/local/supervisor-link.ts';
import { SUPERVISOR_CLAIM } from '../../src/local/supervisor-claim.ts';
import type { SupervisorStatus } from '../../src/local/supervisor-messages.ts';
import { killProcess, waitUntilGone } from '../../src/processes/kill-process.ts';
import type { RunPorts } from '../../src/runs/ports.ts';
import { foldersOf } from '../../src/settings.ts';
import { createFolderJournal } from '../../src/store/folder-journal.ts';
import { createFolderStore } from '../../src/store/folder-store.ts';
import { readHolder } from '../../src/store/lock.ts';
import { createRunFolders } from '../../src/store/run-folders.ts';
import type { Kill } from './crash-check.ts';
import { aPaperText } from './plan-scenario.ts';

/** What can be killed under a command: its own process, the supervisor, and what that one keeps. */
export type Victim = 'client' | 'supervisor' | 'worker' | 'server';

/** The real command line on a data folder of its own. */
export interface CommandHome {
  readonly home: string;
  readonly ports: Pick<RunPorts, 'store' | 'folders' | 'journal'>;
  readonly kills: readonly Kill[];
  /** Starts `deeprepro …`; only one at a time. */
  start(...words: readonly string[]): void;
  /** `run` on a paper, with the model server's answers. */
  run(name: string): void;
  /** The command's exit code, or null when it was killed. */
  exitCode(): Promise<number | null>;
  kill(...victims: readonly Victim[]): Promise<void>;
  /** Takes the Temporal database away; nothing may be running. */
  forget(): Promise<void>;
  logOf(name: 'client' | 'supervisor' | 'worker'): string;
  end(): Promise<void>;
}

const CLIENT = fileURLToPath(new URL('../../dist/client.js', import.meta.url));
const STATUS_TIMEOUT_MS = 5_000;
const GONE_TIMEOUT_MS = 20_000;

export async function openCommandHome(baseUrl: string, heartbeatMs = 3_000): Promise<CommandHome> {
  const home = await realpath(await mkdtemp(join(tmpdir(), 'crash-')));
  await mkdir(join(home, 'logs'));
  await writeFile(join(home, 'paper.md'), aPaperText());
  const folders = foldersOf(home);
  const kills: Kill[] = [];
  let client: ChildProcess | undefined;
  let exited: Promise<number | null> = Promise.resolve(null);

  function start(...words: readonly string[]): void {
    const log = openSync(join(home, 'logs', 'client.log'), 'a');
    const child = spawn(process.execPath, [CLIENT, ...words], {
      cwd: home,
      stdio: ['ignore', log, log],
      env: environmentFor(home, heartbeatMs),
    });
    closeSync(log);
    client = child;
    exited = new Promise((resolve) => child.once('exit', (code) => resolve(code)));
  }

  return {
    home,
    kills,
    ports: {
      store: createFolderStore(folders.store),
      journal: createFolderJournal(folders.journal),
      folders: createRunFolders(folders.runs),
    },
    start,
    run: (name) =>
      start(
        ...['run', 'paper.md', '--name', name, '--model', name, '--base-url', baseUrl],
        ...['--price', '1,4', '--max-output-tokens', '8000', '--mode', 'fast'],
      ),
    exitCode: () => exited,
    async kill(...victims) {
      const status = await askSupervisor(home);
      const pids: Readonly<Record<Victim, number | null | undefined>> = {
        client: client?.pid,
        supervisor: status?.pid,
        worker: status?.workerPid,
        server: status?.serverPid,
      };
      const hit = victims.flatMap((victim) => pids[victim] ?? []);
      const at = Date.now();
      for (const pid of hit) killProcess(pid, 'SIGKILL');
      await Promise.all(hit.map((pid) => waitUntilGone(pid, GONE_TIMEOUT_MS)));
      const what = victims.filter((victim) => typeof pids[victim] === 'number').join(' + ');
      kills.push({ what, at, goneAt: Date.now() });
    },
    async forget() {
      const folder = join(home, 'temporal');
      const names = (await readdir(folder)).filter((name) => name.includes('.db'));
      await Promise.all(names.map((name) => rm(join(folder, name))));
    },
    logOf: (name) => join(home, 'logs', `${name}.log`),
    async end() {
      client?.kill('SIGKILL');
      await exited;
      await downLocal(home);
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Ours, without what would lead the command elsewhere. */
function environmentFor(home: string, heartbeatMs: number): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(DEEPREPRO|TEMPORAL)_/.test(name));
  return {
    ...Object.fromEntries(own),
    DEEPREPRO_HOME: home,
    DEEPREPRO_HEARTBEAT_MS: `${heartbeatMs}`,
    OPENAI_API_KEY: 'no-secret',
  };
}

/** Undefined when none answers. */
async function askSupervisor(home: string): Promise<SupervisorStatus | undefined> {
  const holder = await readHolder(home, SUPERVISOR_CLAIM);
  const link = await openLink(holder?.details['socket'] ?? '');
  if (!link) return undefined;
  link.send({ kind: 'status' });
  const status = await link.waitFor(
    (message) => (message.kind === 'status' ? message : undefined),
    STATUS_TIMEOUT_MS,
  );
  link.close();
  return status;
}
