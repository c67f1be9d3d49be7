import { spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync } from 'node:fs';
import { killGroup, killProcess } from './kill-process.ts';

/** Logs longer than this are begun anew when a process starts to write to them. */
const MAX_LOG_BYTES = 10_000_000;

/** A long-lived child. */
export interface SpawnRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The child's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Both its outputs are appended here. */
  readonly logPath: string;
  /** Opens a channel for messages; the child sees `disconnect` when we die. */
  readonly ipc?: boolean;
  /** It must not keep this process alive. */
  readonly unreferenced?: boolean;
}

/** How a process ended: by its own exit code, by a signal, or it never started. */
export interface ProcessEnd {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly failure: string;
}

/** A child that was started. `pid` is 0 when it could not be. */
export interface SpawnedProcess {
  readonly pid: number;
  /** Where its output begins in the log file, in bytes. */
  readonly logOffset: number;
  /** Resolves, never rejects, when it has ended. */
  readonly ended: Promise<ProcessEnd>;
  onMessage(listener: (message: unknown) => void): void;
  /** To the process alone. */
  kill(signal: NodeJS.Signals): void;
  /** To all that it started too. */
  killGroup(signal: NodeJS.Signals): void;
}

/**
 * Starts a child in a session and process group of its own, with its output in a file: it survives this process and
 * gets no Ctrl-C from the terminal. Throws when the log file cannot be opened.
 */
export function spawnProcess(request: SpawnRequest): SpawnedProcess {
  const log = openLog(request.logPath);
  const child = spawn(request.command, request.args, {
    ...(request.cwd === undefined ? {} : { cwd: request.cwd }),
    env: request.env,
    detached: true,
    stdio: ['ignore', log.descriptor, log.descriptor, ...(request.ipc ? (['ipc'] as const) : [])],
  });
  closeSync(log.descriptor);
  const pid = child.pid ?? 0;
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      if (pid === 0) resolve({ exitCode: null, signal: null, failure: error.message });
    });
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, failure: '' }));
  });
  if (request.unreferenced) child.unref();
  return {
    pid,
    logOffset: log.offset,
    ended,
    onMessage: (listener) => void child.on('message', listener),
    kill(signal) {
      if (pid > 0) killProcess(pid, signal);
    },
    killGroup(signal) {
      if (pid > 0) killGroup(pid, signal);
    },
  };
}

function openLog(path: string): { descriptor: number; offset: number } {
  const descriptor = openSync(path, 'a', 0o600);
  const { size } = fstatSync(descriptor);
  if (size <= MAX_LOG_BYTES) return { descriptor, offset: size };
  closeSync(descriptor);
  // Opening with 'w' empties the file; a process that still appends to it goes on at its new end.
  closeSync(openSync(path, 'w', 0o600));
  return { descriptor: openSync(path, 'a', 0o600), offset: 0 };
}
