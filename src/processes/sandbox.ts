import { lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand, type CommandResult } from './run-command.ts';
import {
  sandboxCommandLine,
  type ReadOnlyBind,
  type SandboxLimits,
  type SandboxSetup,
} from './sandbox-command.ts';

/** A command that nobody vouches for. */
export interface SandboxRequest {
  readonly command: string;
  readonly args: readonly string[];
  /**
   * The command's working folder, which it may change, as `/w`. As root we give it and all in it to an unprivileged
   * user, who must be able to reach it. Links in it may lead anywhere afterwards: do not follow them.
   */
  readonly workFolder: string;
  /** What it may read besides `/usr`, as an interpreter that is installed elsewhere. */
  readonly readOnly?: readonly ReadOnlyBind[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Where they differ from the usual. */
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
}

/** A limit that ended a command, or that it most likely failed at. */
export type SandboxLimit = 'time' | 'cpu' | 'memory' | 'file-size' | 'processes' | 'output';

/** How it went; without a sandbox nothing was run. */
export type SandboxResult =
  | { readonly kind: 'unavailable'; readonly reason: string }
  | {
      readonly kind: 'ran';
      /** Null when it was killed. */
      readonly exitCode: number | null;
      /** The ends of what it printed. */
      readonly stdout: string;
      readonly stderr: string;
      /** Null when it ended by itself and nothing points to a limit. */
      readonly hit: SandboxLimit | null;
      readonly cancelled: boolean;
    };

/** Whether commands can be run in the sandbox here; `reason` is a sentence on why not. */
export type SandboxAvailability =
  { readonly isAvailable: true } | { readonly isAvailable: false; readonly reason: string };

/** Half an hour of work, on a machine that people use besides. */
export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  wallMs: 1_800_000,
  cpuSeconds: 1_800,
  addressSpaceBytes: 8 * 1024 ** 3,
  fileBytes: 512 * 1024 ** 2,
  processes: 128,
  outputBytes: 4_000_000,
};

const PROBE_TIMEOUT_MS = 10_000;
const TAIL_CHARACTERS = 16_000;
/** The user and group "nobody" of Linux. */
const NOBODY = 65_534;

/**
 * Runs a command in bubblewrap: no network, none of the host's files but `/usr` and what is bound, an empty
 * environment, an unprivileged user, and limits. When it ends, or is ended, all that it started is gone. Never throws
 * for what the command does, and never runs it outside the sandbox.
 */
export async function runInSandbox(request: SandboxRequest): Promise<SandboxResult> {
  const setup = setupOf(request);
  await giveToUser(setup);
  const availability = await probe(setup);
  if (!availability.isAvailable) return { kind: 'unavailable', reason: availability.reason };
  const { limits } = setup;
  const result = await runCommand({
    ...sandboxCommandLine(setup),
    env: outerEnvironment(),
    timeoutMs: limits.wallMs,
    maxOutputBytes: limits.outputBytes,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  const hit = limitOf(result);
  const isEnded = result.cancelled || hit === 'time' || hit === 'output';
  return {
    kind: 'ran',
    // Ended by us, bubblewrap may still have named a code.
    exitCode: isEnded ? null : result.exitCode,
    stdout: result.stdout.slice(-TAIL_CHARACTERS),
    stderr: result.stderr.slice(-TAIL_CHARACTERS),
    hit,
    cancelled: result.cancelled,
  };
}

/** Tries the sandbox on a command that does nothing. */
export function sandboxAvailable(): Promise<SandboxAvailability> {
  return probe(setupOf({ command: 'true', args: [], workFolder: '/usr' }));
}

/** With the very mounts of what is to be run, so that a folder out of reach is told before anything has happened. */
async function probe(setup: SandboxSetup): Promise<SandboxAvailability> {
  if (process.platform !== 'linux')
    return missing(`The sandbox needs Linux, and this is ${process.platform}.`);
  const result = await runCommand({
    ...sandboxCommandLine({ ...setup, command: 'true', args: [] }),
    env: outerEnvironment(),
    timeoutMs: PROBE_TIMEOUT_MS,
  });
  if (result.exitCode === 0) return { isAvailable: true };
  const complaint = result.stderr.trim().split('\n').at(-1) ?? '';
  if (!result.started || /failed to execute (bwrap|prlimit)/.test(complaint))
    return missing(
      'The sandbox needs bwrap, prlimit and setpriv: install bubblewrap and util-linux (apt-get install bubblewrap util-linux).',
    );
  return missing(
    `bubblewrap cannot make a sandbox for ${setup.workFolder} here (${complaint || result.failure}): it needs user namespaces, and the folder must be within reach of user ${setup.uid ?? process.getuid?.() ?? ''}.`,
  );
}

function missing(reason: string): SandboxAvailability {
  return { isAvailable: false, reason };
}

function setupOf(request: SandboxRequest): SandboxSetup {
  return {
    command: request.command,
    args: request.args,
    workFolder: request.workFolder,
    readOnly: request.readOnly ?? [],
    variables: request.variables ?? {},
    limits: { ...DEFAULT_SANDBOX_LIMITS, ...request.limits },
    uid: process.getuid?.() === 0 ? NOBODY : undefined,
  };
}

/** The sandbox's own first process keeps this environment, and what runs inside can read it: nothing may be in it. */
function outerEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'] ?? '/usr/bin:/bin' };
}

/** Links are given away themselves, never what they lead to. */
async function giveToUser({ workFolder, uid }: SandboxSetup): Promise<void> {
  if (uid === undefined) return;
  const inside = await readdir(workFolder, { recursive: true });
  for (const name of ['', ...inside]) await lchown(join(workFolder, name), uid, uid);
}

/** A shell ends with 128 and the number of the signal that ended its command. */
const BY_EXIT_CODE: Readonly<Record<number, SandboxLimit>> = { 152: 'cpu', 153: 'file-size' };
/** What programs say when the kernel refuses them something. */
const BY_COMPLAINT: readonly (readonly [SandboxLimit, RegExp])[] = [
  ['memory', /\bMemoryError\b|cannot allocate|out of memory|std::bad_alloc|\bENOMEM\b/i],
  ['file-size', /File too large|\bEFBIG\b/],
  ['processes', /Resource temporarily unavailable|can't start new thread|\bEAGAIN\b/],
];

function limitOf(result: CommandResult): SandboxLimit | null {
  if (result.timedOut) return 'time';
  if (result.outputCut) return 'output';
  if (result.exitCode === 0 || result.exitCode === null) return null;
  const byCode = BY_EXIT_CODE[result.exitCode];
  if (byCode) return byCode;
  const end = result.stderr.slice(-TAIL_CHARACTERS);
  return BY_COMPLAINT.find(([, pattern]) => pattern.test(end))?.[0] ?? null;
}
