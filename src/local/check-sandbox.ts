import { chmod, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Check } from '../domain/check.ts';
import { listProcesses } from '../processes/list-processes.ts';
import { readProduced } from '../processes/read-produced.ts';
import { runInSandbox, sandboxAvailable, type SandboxAvailability } from '../processes/sandbox.ts';
import type { SandboxLimits } from '../processes/sandbox-command.ts';

/** What became of an attempt to get out of the sandbox, or over one of its limits. */
interface Probe {
  readonly name: string;
  /** What held, or what was reached, in a few words. */
  readonly found: string;
  readonly holds: boolean;
}

type MemoryLimit = Extract<SandboxAvailability, { isAvailable: true }>['memoryLimit'];

const SECRET = 'the sandbox must not see this';
const MIB = 1024 ** 2;
/** Of a probe; none waits for it but the one of processes, where a shell waits for room. */
const WALL_MS = 2000;
const MEMORY_BYTES = 96 * MIB;
const PROCESSES = 40;
const DISK_BYTES = 8 * MIB;

/**
 * Whether generated code can be run in a sandbox here, and whether that holds: a real attempt at each thing that a
 * program must not be able to do. Takes about two seconds.
 */
export async function checkSandbox(): Promise<Check[]> {
  const availability = await sandboxAvailable();
  if (!availability.isAvailable)
    return [
      {
        ...{ name: 'sandbox', result: 'warning', found: availability.reason },
        remedy: 'Runs go on without it, but generated code is not run, and so not proved.',
      },
    ];
  const { memoryLimit } = availability;
  const probes = await Promise.all([
    probeNetwork(),
    probeHostFiles(),
    probeProcesses(),
    probeMemory(),
    probeDisk(),
    probeLinks(),
    probeLeftovers(),
  ]);
  const isMac = memoryLimit === 'none';
  return [sandboxCheck(memoryLimit), ...probes.map((probe) => checkOf(probe, isMac))];
}

const MEMORY_LIMITS: Readonly<Record<MemoryLimit, string>> = {
  process: 'bubblewrap; memory is limited for each process by itself',
  none: 'sandbox-exec; memory is not limited',
};

function sandboxCheck(memoryLimit: MemoryLimit): Check {
  const isMac = memoryLimit === 'none';
  return {
    name: 'sandbox',
    result: isMac ? 'warning' : 'good',
    found: MEMORY_LIMITS[memoryLimit],
    remedy: isMac ? 'macOS offers no limit of memory; run what you do not trust on Linux.' : '',
  };
}

function checkOf({ name, found, holds }: Probe, isMac: boolean): Check {
  // The system has no means for these.
  const isKnown = isMac && ['memory', 'disk', 'leftovers'].includes(name);
  return {
    ...{ name, found },
    result: holds ? 'good' : isKnown ? 'warning' : 'bad',
    remedy: holds
      ? ''
      : isKnown
        ? 'macOS offers no limit here; run what you do not trust on Linux.'
        : 'Let no generated code run here, and report this: the sandbox does not hold.',
  };
}

async function probeNetwork(): Promise<Probe> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.end(SECRET);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const { stdout } = await inside(`cat < /dev/tcp/127.0.0.1/${port}`);
  await new Promise((resolve) => server.close(resolve));
  const holds = connections === 0 && !stdout.includes(SECRET);
  const found = holds
    ? "none inside: this machine's own server was not reached"
    : 'a server of this machine was reached';
  return { name: 'network', found, holds };
}

async function probeHostFiles(): Promise<Probe> {
  return withCanary(async (outside) => {
    const { stdout } = await inside(`cat ${outside}/canary; ls ${homedir()} ${outside}`);
    const holds = stdout === '';
    const found = holds ? 'not seen from inside' : `seen from inside: ${stdout.slice(0, 80)}`;
    return { name: 'host files', found, holds };
  });
}

async function probeProcesses(): Promise<Probe> {
  const { stdout } = await inside(
    'i=0; while [ $i -lt 200 ]; do sleep 9 & i=$((i + 1)); echo $i; done',
    { processes: PROCESSES },
  );
  const started = Number(stdout.trim().split('\n').at(-1));
  const holds = started > 0 && started <= PROCESSES;
  return { name: 'fork bomb', found: `ended at ${started} of ${PROCESSES} processes`, holds };
}

async function probeMemory(): Promise<Probe> {
  const bytes = 2 * MEMORY_BYTES;
  const { exitCode } = await inside(`head -c ${bytes} /dev/zero | tail -c ${bytes} > /dev/null`, {
    memoryBytes: MEMORY_BYTES,
  });
  const holds = exitCode !== 0;
  const limit = `${MEMORY_BYTES / MIB} MiB`;
  const found = holds ? `ended at ${limit}` : `more than ${limit} could be used`;
  return { name: 'memory', found, holds };
}

async function probeDisk(): Promise<Probe> {
  const { stdout } = await inside(
    `for i in 1 2 3 4 5 6 7 8; do head -c ${DISK_BYTES / 4} /dev/zero > $i; done; cat [1-8] | wc -c`,
    { diskBytes: DISK_BYTES },
  );
  const written = Number(stdout);
  const holds = written > 0 && written <= DISK_BYTES;
  const mib = (bytes: number) => (bytes / MIB).toFixed(0);
  const found = `${mib(written)} of ${mib(DISK_BYTES)} MiB could be written, over several files`;
  return { name: 'disk', found, holds };
}

async function probeLinks(): Promise<Probe> {
  return withCanary(async (outside) => {
    const folder = await mkdtemp(join(tmpdir(), 'deeprepro-probe-'));
    try {
      await symlink(outside, join(folder, 'given'));
      const { stdout } = await runBash(
        folder,
        `cat given/canary; echo changed > given/canary; ln -s ${outside} planted; echo changed > planted/canary; exit 0`,
      );
      const canary = await readFile(join(outside, 'canary'), 'utf8');
      const produced = await readProduced(folder, 'planted/canary', MIB);
      const holds = stdout === '' && canary === SECRET && produced.kind !== 'file';
      const found = holds ? 'followed neither inside nor afterwards' : 'a link led out';
      return { name: 'links', found, holds };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

async function probeLeftovers(): Promise<Probe> {
  const mark = `86400.${process.pid}`;
  await inside(
    `(setsid nohup sleep ${mark} > /dev/null 2>&1 &); (trap '' TERM HUP; sleep ${mark} &); exit 0`,
  );
  const left = (await listProcesses()).filter(
    ({ commandLine }) => commandLine === `sleep ${mark}`,
  ).length;
  const found = left === 0 ? 'no process outlives its program' : `${left} processes were left`;
  return { name: 'leftovers', found, holds: left === 0 };
}

async function inside(script: string, limits: Partial<SandboxLimits> = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'deeprepro-probe-'));
  try {
    return await runBash(folder, script, limits);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function runBash(
  workFolder: string,
  script: string,
  limits: Partial<SandboxLimits> = {},
): Promise<{ readonly exitCode: number | null; readonly stdout: string }> {
  const result = await runInSandbox({
    ...{ command: 'bash', args: ['-c', script], workFolder },
    limits: { wallMs: WALL_MS, ...limits },
  });
  // What no longer stands reached nothing, and its limits are not proved: no number is printed.
  return result.kind === 'ran' ? result : { exitCode: 0, stdout: '' };
}

/** A folder of the host that anybody may enter, read and change, with a file in it. */
async function withCanary(probe: (outside: string) => Promise<Probe>): Promise<Probe> {
  const outside = await mkdtemp(join(tmpdir(), 'deeprepro-probe-'));
  try {
    await writeFile(join(outside, 'canary'), SECRET);
    await chmod(join(outside, 'canary'), 0o666);
    await chmod(outside, 0o777);
    return await probe(outside);
  } finally {
    await rm(outside, { recursive: true, force: true });
  }
}
