import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listProcesses } from './list-processes.ts';
import type { SandboxRequest, SandboxResult } from './sandbox.ts';
import type { ReadOnlyBind, SandboxLimits } from './sandbox-command.ts';
import { missing, ranOf, runWithin } from './sandbox-outcome.ts';
import { macSandboxCommandLine } from './sandbox-profile.ts';

/**
 * Runs a command under `sandbox-exec`. The host's own folder is what it sees, in its own place, and all that it may
 * change; links in it may lead anywhere afterwards.
 */
export async function runOnMac(
  request: SandboxRequest,
  limits: SandboxLimits,
): Promise<SandboxResult> {
  const scratchFolder = await mkdtemp(join(await realpath(tmpdir()), 'deeprepro-sandbox-'));
  try {
    const real = (binds: readonly ReadOnlyBind[] = []) =>
      Promise.all(binds.map(({ from }) => realpath(from)));
    const workFolder = await realpath(request.workFolder);
    const line = macSandboxCommandLine({
      ...{ command: request.command, args: request.args, workFolder, scratchFolder, limits },
      readOnly: await real(request.readOnly),
      readWrite: await real(request.readWrite),
      variables: request.variables ?? {},
      hasNetwork: request.hasNetwork ?? false,
      otherProcesses: (await listProcesses()).length,
    });
    const result = await runWithin(line, limits, request.signal, workFolder);
    return result.started
      ? ranOf(result)
      : missing(`sandbox-exec cannot be started: ${result.failure}`);
  } finally {
    await rm(scratchFolder, { recursive: true, force: true });
  }
}
