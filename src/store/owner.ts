import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname, uptime } from 'node:os';
import { z } from 'zod';

/** A process that owns something on disk, described so that another process can tell whether it still lives. */
export const Owner = z.object({
  /** Made once by each process. */
  token: z.string(),
  pid: z.int().min(0),
  host: z.string(),
  /** The machine's boot: the kernel's id on Linux, elsewhere the second of the boot. */
  boot: z.string(),
  /** When the kernel started the process, in its own units; empty where it does not say. */
  processStart: z.string(),
  /** ISO 8601, UTC. */
  startedAt: z.string(),
  details: z.record(z.string(), z.string()),
});
export type Owner = Readonly<z.infer<typeof Owner>>;

/** An owner on another host counts as alive for so long after it last touched its file. */
const FOREIGN_OWNER_LIVES_MS = 30_000;
/** Where a boot is known by its second only, adjusting the clock moves it; two boots are further apart than this. */
const BOOT_TOLERANCE_SECONDS = 60;

let current: Owner | undefined;

/** This process. */
export function thisOwner(): Owner {
  current ??= {
    token: randomUUID(),
    pid: process.pid,
    host: hostname(),
    boot: readBoot(),
    processStart: readProcess(process.pid)?.start ?? '',
    startedAt: new Date().toISOString(),
    details: {},
  };
  return current;
}

/**
 * Whether the owner's process lives. On this host and boot the process table decides; an owner elsewhere lives while
 * `touchedAtMs`, when it last touched its file (milliseconds since 1970), is less than 30 s ago.
 */
export function isOwnerAlive(owner: Owner, touchedAtMs: number = Date.now()): boolean {
  const me = thisOwner();
  if (owner.host !== me.host) return Date.now() - touchedAtMs < FOREIGN_OWNER_LIVES_MS;
  if (!isSameBoot(owner.boot, me.boot)) return false;
  if (owner.token === me.token) return true;
  if (owner.pid === me.pid && owner.processStart === '') return false;
  return isSameProcessAlive(owner);
}

/** Numbers of processes are used again, so the start must agree; a process that ended but was not reaped is dead. */
function isSameProcessAlive({ pid, processStart }: Owner): boolean {
  if (!isInProcessTable(pid)) return false;
  const found = readProcess(pid);
  if (!found) return processStart === '';
  return found.state !== 'Z' && (processStart === '' || found.start === processStart);
}

function isInProcessTable(pid: number): boolean {
  if (pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it exists, and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** State and start of a process as Linux tells them; undefined elsewhere, or when there is no such process. */
function readProcess(pid: number): { state: string; start: string } | undefined {
  const line = readIfThere(`/proc/${pid}/stat`);
  // The second field, the command's name in brackets, may hold spaces and brackets itself.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields?.[0], fields?.[19]];
  return state !== undefined && start !== undefined ? { state, start } : undefined;
}

function readBoot(): string {
  const id = readIfThere('/proc/sys/kernel/random/boot_id');
  return id?.trim() ?? `${Math.round(Date.now() / 1000 - uptime())}`;
}

function isSameBoot(one: string, other: string): boolean {
  if (one === other) return true;
  const seconds = /^\d+$/;
  if (!seconds.test(one) || !seconds.test(other)) return false;
  return Math.abs(Number(one) - Number(other)) < BOOT_TOLERANCE_SECONDS;
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
