import { readFile, readdir } from 'node:fs/promises';
import { runCommand } from './run-command.ts';

/** A running process and its command line, arguments joined by single spaces. */
export interface RunningProcess {
  readonly pid: number;
  readonly commandLine: string;
}

const PS_TIMEOUT_MS = 10_000;

/** All processes that we may see. Throws when the system cannot say. */
export async function listProcesses(): Promise<RunningProcess[]> {
  return process.platform === 'linux' ? readProcFolder() : askPs();
}

async function readProcFolder(): Promise<RunningProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const found = await Promise.all(
    pids.map(async (pid) => {
      // A process may end while we read.
      const text = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return { pid, commandLine: text.split('\0').join(' ').trimEnd() };
    }),
  );
  return found.filter(({ commandLine }) => commandLine !== '');
}

async function askPs(): Promise<RunningProcess[]> {
  const result = await runCommand({
    command: 'ps',
    args: ['-A', '-ww', '-o', 'pid=,args='],
    timeoutMs: PS_TIMEOUT_MS,
  });
  if (result.exitCode !== 0) throw new Error(`Running processes are unknown: ${result.failure}`);
  return result.stdout.split('\n').flatMap((line) => {
    const [, pid, commandLine] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid !== undefined && commandLine !== undefined
      ? [{ pid: Number(pid), commandLine }]
      : [];
  });
}
