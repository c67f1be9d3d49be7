import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntilGone } from './kill-process.ts';
import { runCommand, type CommandResult } from './run-command.ts';
import type { SandboxRequest, SandboxResult } from './sandbox.ts';
import { makeBinds } from './sandbox-binds.ts';
import {
  MAX_KEPT_ENTRIES,
  sandboxCommandLine,
  type SandboxFiles,
  type SandboxLimits,
} from './sandbox-command.ts';
import { missing, ranOf, runWithin } from './sandbox-outcome.ts';
import { systemCallFilter } from './system-call-filter.ts';
import { unpackArchive } from './unpack-archive.ts';

/** A killed process that writes to a slow disk may take a while to go. */
const END_MS = 10_000;
const PACK_MS = 120_000;
/** The user and group "nobody" of Linux. */
const NOBODY = 65_534;

/** Runs a command in bubblewrap, on a copy of its work folder in memory. */
export async function runOnLinux(
  request: SandboxRequest,
  limits: SandboxLimits,
): Promise<SandboxResult> {
  const folder = await mkdtemp(join(tmpdir(), 'deeprepro-sandbox-'));
  try {
    return await runBetween(request, limits, folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Packs the work folder, runs the command on it, and unpacks what became of it; `folder` lives as long as that. */
async function runBetween(
  request: SandboxRequest,
  limits: SandboxLimits,
  folder: string,
): Promise<SandboxResult> {
  const { workFolder, keepsChanges = true } = request;
  const files = {
    given: join(folder, 'given.tar'),
    kept: keepsChanges ? join(folder, 'kept.tar') : undefined,
    status: join(folder, 'status'),
    begun: join(folder, 'begun'),
    filter: await writeFilter(folder),
  };
  const uid = process.getuid?.() === 0 ? NOBODY : undefined;
  const packed = await pack(workFolder, files.given);
  if (!packed.started) return missing(reasonOf(packed));
  if (packed.exitCode !== 0) return missing(`${workFolder} cannot be packed: ${packed.failure}`);
  const line = sandboxCommandLine({
    ...{ command: request.command, args: request.args, files, limits, uid },
    variables: request.variables ?? {},
    hasNetwork: request.hasNetwork ?? false,
    binds: await makeBinds(request, folder, uid),
  });
  const result = await runWithin(line, limits, request.signal);
  await waitForEnd(files);
  const begun = await readFile(files.begun, 'utf8').catch(() => '');
  const isStopped = result.timedOut || request.signal?.aborted === true;
  if (begun === '' && !isStopped) return missing(reasonOf(result));
  const ran = ranOf(result);
  if (files.kept === undefined || ran.exitCode === null) return ran;
  const isKept = await unpackArchive(files.kept, workFolder, MAX_KEPT_ENTRIES);
  return isKept ? ran : { ...ran, hit: ran.hit ?? 'disk' };
}

async function writeFilter(folder: string): Promise<string | undefined> {
  const filter = systemCallFilter(process.arch);
  if (filter === undefined) return undefined;
  const path = join(folder, 'filter');
  await writeFile(path, filter);
  return path;
}

/** The sandbox's first process ends after all others in it; what we started may be gone before. */
async function waitForEnd({ status }: SandboxFiles): Promise<void> {
  const text = await readFile(status, 'utf8').catch(() => '');
  const pid = /"child-pid": *(\d+)/.exec(text)?.[1];
  if (pid === undefined || (await waitUntilGone(Number(pid), END_MS))) return;
  throw new Error(`Process ${pid} of a sandbox does not end, not even by SIGKILL.`);
}

function pack(folder: string, archive: string): Promise<CommandResult> {
  return runCommand({
    command: 'tar',
    args: ['-cf', archive, '-C', folder, '.'],
    timeoutMs: PACK_MS,
  });
}

function reasonOf(result: CommandResult): string {
  const complaint = result.stderr.trim().split('\n').at(-1) ?? '';
  if (!result.started || /failed to execute|not found|ENOENT/.test(complaint))
    return 'The sandbox needs bwrap, prlimit, setpriv and tar: install bubblewrap, util-linux and tar (apt-get install bubblewrap util-linux tar).';
  return `bubblewrap cannot make a sandbox here (${complaint || result.failure}): it needs user namespaces, and what is bound must be within reach.`;
}
