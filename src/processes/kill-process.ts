import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** How often we look whether a process that is not our child has ended. */
const POLL_MS = 20;

/** Whether a process of that number runs. One that ended but was not reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return isErrorCode(error, 'EPERM');
  }
  return readState(pid) !== 'Z';
}

/** Sends a signal to one process; false when it is gone already. */
export function killProcess(pid: number, signal: NodeJS.Signals): boolean {
  return sendSignal(pid, signal);
}

/** Sends a signal to every process of the group that `pid` leads; false when none is left. */
export function killGroup(pid: number, signal: NodeJS.Signals): boolean {
  return sendSignal(-pid, signal);
}

/** Waits until the process is gone; false when it still runs after `timeoutMs`. */
export async function waitUntilGone(pid: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}

/** Asks a process to end, kills it after `graceMs`, and resolves once it is gone. Throws when it cannot be killed. */
export async function endProcess(pid: number, graceMs: number): Promise<void> {
  killProcess(pid, 'SIGTERM');
  if (await waitUntilGone(pid, graceMs)) return;
  killProcess(pid, 'SIGKILL');
  if (await waitUntilGone(pid, 10_000)) return;
  throw new Error(`Process ${pid} does not end, not even by SIGKILL.`);
}

function sendSignal(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal);
  } catch (error) {
    // EPERM: on macOS, a group of which only unreaped processes are left.
    if (isErrorCode(error, 'ESRCH') || isErrorCode(error, 'EPERM')) return false;
    throw error;
  }
}

function readState(pid: number): string | undefined {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return line[line.lastIndexOf(')') + 2];
  } catch {
    return undefined;
  }
}

function isErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
