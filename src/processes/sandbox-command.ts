/** What a command in the sandbox may use. */
export interface SandboxLimits {
  /** From its start to the end of all that it started. */
  readonly wallMs: number;
  /** Of each process. */
  readonly cpuSeconds: number;
  /** Of each process; coarse, since some libraries reserve far more than they use. */
  readonly addressSpaceBytes: number;
  /** Of each file that is written. */
  readonly fileBytes: number;
  /** Processes and threads at once, two of the sandbox's own included. */
  readonly processes: number;
  /** Of each of stdout and stderr. */
  readonly outputBytes: number;
}

/** A host folder or file that the command may read, and where it sees it. */
export interface ReadOnlyBind {
  readonly from: string;
  readonly to: string;
}

/** What is to be run, and what it sees. */
export interface SandboxSetup {
  readonly command: string;
  readonly args: readonly string[];
  /** The host folder that the command sees as `/w`, its working folder; the only thing that outlives it. */
  readonly workFolder: string;
  readonly readOnly: readonly ReadOnlyBind[];
  /** Variables besides `PATH`, `HOME`, `USER` and `LANG`. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** The user on the host; undefined keeps our own. Needed as root, for whom the kernel does not count processes. */
  readonly uid: number | undefined;
}

/** A program with its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

const OPEN_FILES = 256;
/** Of `/tmp` and of `/dev/shm`; they live in memory. */
const SCRATCH_BYTES = 64 * 1024 * 1024;
/** The user's number inside, which stands for nobody of the host. */
const INNER_ID = '1000';
const INNER_PATH = '/usr/local/bin:/usr/bin:/bin';

/**
 * The command line that runs a command without network, without the host's files but `/usr`, and within limits. The
 * number of processes is limited from inside, where only the sandbox's own count: from outside, all processes of the
 * user would. All else is limited from outside, so that nothing in the sandbox is without limits.
 */
export function sandboxCommandLine(setup: SandboxSetup): CommandLine {
  const { limits, uid } = setup;
  const asUser =
    uid === undefined
      ? []
      : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];
  const line = [
    ...asUser,
    'prlimit',
    `--as=${limits.addressSpaceBytes}`,
    `--fsize=${limits.fileBytes}`,
    `--nofile=${OPEN_FILES}`,
    // At the soft limit a process is told why; one that takes no notice is killed two seconds later.
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 2}`,
    '--core=0',
    '--',
    ...bubblewrap(setup),
    ...['prlimit', `--nproc=${limits.processes}`, '--', setup.command, ...setup.args],
  ];
  const [command = 'bwrap', ...args] = line;
  return { command, args };
}

function bubblewrap({ workFolder, readOnly, variables }: SandboxSetup): string[] {
  const scratch = ['--size', `${SCRATCH_BYTES}`, '--tmpfs'];
  return [
    ...['bwrap', '--unshare-all', '--die-with-parent', '--new-session', '--disable-userns'],
    ...['--cap-drop', 'ALL', '--unshare-user', '--uid', INNER_ID, '--gid', INNER_ID],
    ...['--hostname', 'sandbox', '--clearenv'],
    ...Object.entries({
      ...variables,
      PATH: INNER_PATH,
      HOME: '/tmp',
      USER: 'sandbox',
      LANG: 'C.UTF-8',
    }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib'],
    ...['--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/bin', '/bin'],
    // Links and an index of libraries, without which some programs of /usr do not start.
    ...['/etc/alternatives', '/etc/ld.so.cache'].flatMap((path) => ['--ro-bind-try', path, path]),
    ...readOnly.flatMap(({ from, to }) => ['--ro-bind', from, to]),
    ...['--proc', '/proc', '--dev', '/dev', ...scratch, '/dev/shm', '--remount-ro', '/dev'],
    ...[...scratch, '/tmp', '--bind', workFolder, '/w', '--chdir', '/w', '--remount-ro', '/'],
    '--',
  ];
}
