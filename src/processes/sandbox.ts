import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExceededLimit } from '../domain/exceeded-limit.ts';
import type { ReadOnlyBind, SandboxLimits } from './sandbox-command.ts';
import { runOnLinux } from './sandbox-linux.ts';
import { runOnMac } from './sandbox-mac.ts';
import { missing } from './sandbox-outcome.ts';

/** A command that nobody vouches for. */
export interface SandboxRequest {
  readonly command: string;
  readonly args: readonly string[];
  /**
   * The folder of the host that the command sees a copy of, as `/w`, its working folder. When the command ends by
   * itself the folder is made to hold what `/w` holds: regular files and folders, no links. Whoever else reads what a
   * command made uses `readProduced`.
   */
  readonly workFolder: string;
  /** False throws away what the command changes in `/w`. */
  readonly keepsChanges?: boolean;
  /** What it may read besides `/usr`, as an interpreter that is installed elsewhere. */
  readonly readOnly?: readonly ReadOnlyBind[];
  /**
   * Folders of the host that it may change at once and for good, within no limit but that of each file: for an
   * installer, never for generated code. As root we give them (not what is in them) to an unprivileged user.
   */
  readonly readWrite?: readonly ReadOnlyBind[];
  readonly variables?: Readonly<Record<string, string>>;
  /** Gives it the host's network, as an installer needs; never for generated code. */
  readonly hasNetwork?: boolean;
  /** Where they differ from the usual. */
  readonly limits?: Partial<SandboxLimits>;
  readonly signal?: AbortSignal;
}

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
      readonly hit: ExceededLimit | null;
      readonly cancelled: boolean;
    };

/** Whether commands can be run in the sandbox here; `reason` is a sentence on why not. */
export type SandboxAvailability =
  | {
      readonly isAvailable: true;
      /** What `memoryBytes` holds for: each process by itself, or nothing. */
      readonly memoryLimit: 'process' | 'none';
    }
  | { readonly isAvailable: false; readonly reason: string };

const MIB = 1024 ** 2;

/** Half an hour of work, on a machine that people use besides. */
export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  wallMs: 1_800_000,
  cpuSeconds: 1_800,
  memoryBytes: 8192 * MIB,
  fileBytes: 512 * MIB,
  diskBytes: 2048 * MIB,
  scratchBytes: 256 * MIB,
  processes: 128,
  outputBytes: 4_000_000,
};

const TRY_MS = 10_000;

/**
 * Runs a command without network, without the host's files but `/usr` and what is bound, with an empty environment, as
 * an unprivileged user and within limits. When it ends, or is ended, all that it started is gone. Of a command that was
 * ended, `workFolder` keeps nothing. Never throws for what the command does, and never runs it outside a sandbox.
 */
export async function runInSandbox(request: SandboxRequest): Promise<SandboxResult> {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...request.limits };
  if (process.platform === 'linux') return runOnLinux(request, limits);
  if (process.platform === 'darwin') return runOnMac(request, limits);
  return missing(`The sandbox needs Linux or macOS, and this is ${process.platform}.`);
}

/** Tries the sandbox on a command that does nothing. */
export async function sandboxAvailable(): Promise<SandboxAvailability> {
  const workFolder = await mkdtemp(join(tmpdir(), 'deeprepro-sandbox-'));
  try {
    const result = await runInSandbox({
      ...{ command: 'true', args: [], workFolder, keepsChanges: false },
      limits: { wallMs: TRY_MS },
    });
    if (result.kind === 'unavailable') return { isAvailable: false, reason: result.reason };
    return { isAvailable: true, memoryLimit: process.platform === 'darwin' ? 'none' : 'process' };
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}
