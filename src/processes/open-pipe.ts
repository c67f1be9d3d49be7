import { spawn } from 'node:child_process';
import { killGroup } from './kill-process.ts';
import type { ProcessEnd } from './spawn-process.ts';

/** A child that is talked to over its standard input and output. */
export interface PipeRequest {
  readonly command: string;
  readonly args: readonly string[];
  /** The child's whole environment. */
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

/** The open pipe. Its end is a value; writing to a child that has ended does nothing. */
export interface Pipe {
  /** 0 when it could not be started. */
  readonly pid: number;
  write(text: string): void;
  onOutput(listener: (chunk: Buffer) => void): void;
  /** Resolves, never rejects, when the child has ended. */
  readonly ended: Promise<ProcessEnd>;
  /** Kills it with all that it started. */
  kill(): void;
}

/** Starts a child in a process group of its own that does not outlive us. What it says on stderr is dropped. */
export function openPipe({ command, args, env, cwd }: PipeRequest): Pipe {
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const pid = child.pid ?? 0;
  const kill = (): void => {
    if (pid > 0) killGroup(pid, 'SIGKILL');
  };
  // Its group does not get the terminal's Ctrl-C.
  process.on('exit', kill);
  const ended = new Promise<ProcessEnd>((resolve) => {
    child.once('error', (error) => {
      if (pid === 0) resolve({ exitCode: null, signal: null, failure: error.message });
    });
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal, failure: '' }));
  });
  void ended.then(() => process.off('exit', kill));
  // A child that ends while we write is known by `ended`.
  child.stdin.on('error', () => undefined);
  return {
    pid,
    ended,
    kill,
    write: (text) => void child.stdin.write(text),
    onOutput: (listener) => void child.stdout.on('data', listener),
  };
}
