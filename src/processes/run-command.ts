import { execa } from 'execa';
import { killGroup } from './kill-process.ts';

/** A command to run to its end. */
export interface CommandRequest {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment of the command; the caller's own by default. */
  readonly env?: NodeJS.ProcessEnv;
  /** After so long the command and all that it started are killed. */
  readonly timeoutMs: number;
  /** Text or bytes for its standard input, which is empty by default. */
  readonly input?: string | Uint8Array;
  /** Kept of each of stdout and stderr; a command that prints more is killed. Default 10 MB. */
  readonly maxOutputBytes?: number;
  readonly signal?: AbortSignal;
}

/** How a command ended. */
export interface CommandResult {
  /** Null when it was killed, or never started. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  /** It printed more than `maxOutputBytes` and was killed for it. */
  readonly outputCut: boolean;
  /** Whether the program was found and started. */
  readonly started: boolean;
  /** One line on why it failed; empty when the exit code is 0. */
  readonly failure: string;
}

const DEFAULT_MAX_OUTPUT_BYTES = 10_000_000;

/**
 * Runs a command in a process group of its own, so that a time limit or `signal` ends it with all that it started.
 * Never throws: every failure is a value.
 */
export async function runCommand(request: CommandRequest): Promise<CommandResult> {
  const { command, args, cwd, env, timeoutMs, signal } = request;
  if (signal?.aborted) return notRun(`${command} was cancelled before it started.`);
  const subprocess = execa(command, args, {
    ...(cwd === undefined ? {} : { cwd }),
    ...(env === undefined ? {} : { env, extendEnv: false }),
    input: request.input ?? '',
    detached: true,
    reject: false,
    stripFinalNewline: false,
    encoding: 'utf8',
    maxBuffer: request.maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES,
  });
  const limits = watchLimits(subprocess.pid, timeoutMs, signal);
  try {
    const result = await subprocess;
    const { timedOut, cancelled } = limits;
    if (result.isMaxBuffer) limits.kill();
    const outcome = {
      exitCode: result.exitCode ?? null,
      stdout: result.stdout,
      stderr: result.stderr,
      timedOut,
      cancelled,
      outputCut: result.isMaxBuffer,
      started: subprocess.pid !== undefined,
    };
    if (result.exitCode === 0) return { ...outcome, failure: '' };
    return { ...outcome, failure: describeFailure(request, outcome, result.shortMessage ?? '') };
  } catch (error) {
    return notRun(`${command} could not be started: ${String(error)}`);
  } finally {
    limits.clear();
  }
}

function watchLimits(pid: number | undefined, timeoutMs: number, signal: AbortSignal | undefined) {
  const kill = () => {
    if (pid !== undefined) killGroup(pid, 'SIGKILL');
  };
  const limits = {
    timedOut: false,
    cancelled: false,
    kill,
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener('abort', cancel);
      process.off('exit', kill);
    },
  };
  const cancel = () => {
    limits.cancelled = true;
    kill();
  };
  const timer = setTimeout(() => {
    limits.timedOut = true;
    kill();
  }, timeoutMs);
  signal?.addEventListener('abort', cancel, { once: true });
  // The command's group does not get the terminal's Ctrl-C, so it must not outlive us.
  process.on('exit', kill);
  return limits;
}

function describeFailure(
  { command, timeoutMs, maxOutputBytes }: CommandRequest,
  outcome: Omit<CommandResult, 'failure'>,
  fallback: string,
): string {
  if (!outcome.started) return `${command} could not be started: ${fallback}`;
  if (outcome.timedOut) return `${command} took more than ${timeoutMs} ms and was ended.`;
  if (outcome.cancelled) return `${command} was cancelled.`;
  if (outcome.outputCut)
    return `${command} printed more than ${maxOutputBytes ?? DEFAULT_MAX_OUTPUT_BYTES} bytes and was ended.`;
  const lastLine = outcome.stderr.trimEnd().split('\n').at(-1) ?? '';
  if (outcome.exitCode === null) return `${command} was killed. ${lastLine}`.trimEnd();
  return `${command} ended with exit code ${outcome.exitCode}. ${lastLine}`.trimEnd();
}

function notRun(failure: string): CommandResult {
  return {
    exitCode: null,
    stdout: '',
    stderr: '',
    timedOut: false,
    cancelled: false,
    outputCut: false,
    started: false,
    failure,
  };
}
