import { dirname } from 'node:path';
import type { CommandLine, SandboxLimits } from './sandbox-command.ts';

/** What is to be run on macOS, and what it sees. All paths are real ones: the system compares them after links. */
export interface MacSandboxSetup {
  readonly command: string;
  readonly args: readonly string[];
  /** Its working folder, which it may change. */
  readonly workFolder: string;
  /** In place of `/tmp`. */
  readonly scratchFolder: string;
  /** Folders and files that it may read and run; they stand where they stand. */
  readonly readOnly: readonly string[];
  readonly readWrite: readonly string[];
  readonly variables: Readonly<Record<string, string>>;
  readonly hasNetwork: boolean;
  readonly limits: Pick<SandboxLimits, 'cpuSeconds' | 'fileBytes' | 'processes'>;
  /** Processes that run on the machine now: the system counts all of a user's. */
  readonly otherProcesses: number;
}

/** Of the system, for every program; no one's own files are there. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/System', '/Library/Frameworks', '/Library/Apple/usr'],
  // The python3 of /usr/bin is a stub for the one here.
  ...['/Library/Developer/CommandLineTools', '/private/var/db/dyld', '/private/etc/localtime'],
  ...['/private/var/db/timezone', '/dev/random', '/dev/urandom', '/dev/zero', '/dev/null'],
];
const NETWORK = ['/private/etc/resolv.conf', '/private/etc/hosts', '/private/etc/ssl'];
const FILE_BLOCK = 512;

/**
 * The command line that runs a command under macOS's `sandbox-exec`: no network, none of a person's files but what is
 * named, and limits for each process. The system knows no limit there for memory, for the disk as a whole, or for a
 * process that has left its group; these hold on Linux alone.
 */
export function macSandboxCommandLine(setup: MacSandboxSetup): CommandLine {
  const { limits, otherProcesses, scratchFolder, variables } = setup;
  const script = [
    `ulimit -c 0 -n 1024 -t ${limits.cpuSeconds} -f ${Math.ceil(limits.fileBytes / FILE_BLOCK)}`,
    `ulimit -u ${limits.processes + otherProcesses}`,
    'exec "$@"',
  ].join(' && ');
  const environment = Object.entries({
    ...{ PATH: '/usr/bin:/bin', HOME: scratchFolder, TMPDIR: scratchFolder },
    ...{ USER: 'sandbox', LANG: 'en_US.UTF-8', ...variables },
  }).map(([name, value]) => `${name}=${value}`);
  return {
    command: '/usr/bin/env',
    args: [
      ...['-i', ...environment, '/usr/bin/sandbox-exec', '-p', macProfile(setup)],
      ...['/bin/sh', '-c', script, 'sandbox', setup.command, ...setup.args],
    ],
  };
}

/** The rules, in the language of `sandbox-exec`: what is not allowed is denied. */
export function macProfile(setup: MacSandboxSetup): string {
  const { workFolder, scratchFolder, readOnly, readWrite, hasNetwork } = setup;
  const writable = [workFolder, scratchFolder, ...readWrite];
  const readable = [...SYSTEM, ...(hasNetwork ? NETWORK : []), ...readOnly, ...writable];
  const above = [...new Set(readable.flatMap(ancestorsOf))].sort();
  return [
    '(version 1)',
    '(deny default)',
    '(allow process-fork)',
    '(allow process-info* (target same-sandbox))',
    '(allow signal (target same-sandbox))',
    '(allow sysctl-read)',
    // Locks and queues between a program's own processes.
    '(allow ipc-posix-sem)',
    `(allow process-exec ${subpaths(readable)})`,
    `(allow file-read* ${subpaths(readable)})`,
    // The way to what may be read, without what else lies beside it.
    `(allow file-read-metadata ${above.map((path) => `(literal ${quoted(path)})`).join(' ')})`,
    `(allow file-write* ${subpaths(writable)} (literal "/dev/null"))`,
    ...(hasNetwork
      ? [
          '(allow network-outbound)',
          '(allow system-socket)',
          '(allow mach-lookup (global-name "com.apple.trustd") (global-name "com.apple.SystemConfiguration.configd"))',
        ]
      : []),
    '',
  ].join('\n');
}

function subpaths(paths: readonly string[]): string {
  return paths.map((path) => `(subpath ${quoted(path)})`).join(' ');
}

function ancestorsOf(path: string): string[] {
  const above = dirname(path);
  return above === path ? [path] : [above, ...ancestorsOf(above)];
}

function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
