import type { ExceededLimit } from '../domain/exceeded-limit.ts';
import { runCommand, type CommandResult } from './run-command.ts';
import type { CommandLine, SandboxLimits } from './sandbox-command.ts';

const TAIL_CHARACTERS = 16_000;
/** A shell ends with 128 and the number of the signal that ended its command. */
const BY_EXIT_CODE: Readonly<Record<number, ExceededLimit>> = { 152: 'cpu', 153: 'file-size' };
/** What programs say when the kernel refuses them something. */
const BY_COMPLAINT: readonly (readonly [ExceededLimit, RegExp])[] = [
  ['memory', /\bMemoryError\b|cannot allocate|out of memory|std::bad_alloc|\bENOMEM\b/i],
  ['file-size', /File too large|\bEFBIG\b/],
  ['disk', /No space left on device|\bENOSPC\b/],
  ['processes', /Resource temporarily unavailable|can't start new thread|cannot fork|\bEAGAIN\b/i],
];

/** Runs a command line of the sandbox within its limits on time and output; nothing of our environment comes along. */
export function runWithin(
  line: CommandLine,
  limits: SandboxLimits,
  signal: AbortSignal | undefined,
  cwd = '/',
): Promise<CommandResult> {
  return runCommand({
    ...line,
    cwd,
    // For finding the sandbox's programs.
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    timeoutMs: limits.wallMs,
    maxOutputBytes: limits.outputBytes,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** How a command that was run ended. */
export function ranOf(result: CommandResult) {
  const hit = limitOf(result);
  const isEnded = result.cancelled || hit === 'time' || hit === 'output';
  return {
    kind: 'ran',
    // Ended by us, bubblewrap may still have named a code.
    exitCode: isEnded ? null : result.exitCode,
    stdout: result.stdout.slice(-TAIL_CHARACTERS),
    stderr: result.stderr.slice(-TAIL_CHARACTERS),
    hit,
    cancelled: result.cancelled || !result.started,
  } as const;
}

/** Without a sandbox nothing is run. */
export function missing(reason: string) {
  return { kind: 'unavailable', reason } as const;
}

/** Which limit a command met, by how it ended and by the last that it said. */
function limitOf(result: CommandResult): ExceededLimit | null {
  if (result.timedOut) return 'time';
  if (result.outputCut) return 'output';
  if (result.exitCode === 0 || result.exitCode === null) return null;
  const byCode = BY_EXIT_CODE[result.exitCode];
  if (byCode) return byCode;
  const end = result.stderr.slice(-TAIL_CHARACTERS);
  return BY_COMPLAINT.find(([, pattern]) => pattern.test(end))?.[0] ?? null;
}
