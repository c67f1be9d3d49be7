/** What a command in the sandbox may use. */
export interface SandboxLimits {
  /** From its start to the end of all that it started. */
  readonly wallMs: number;
  /** Of each process. */
  readonly cpuSeconds: number;
  /** Of each process's address space; what it keeps in `/w`, `/tmp` and `/dev/shm` has limits of its own. */
  readonly memoryBytes: number;
  /** Of each file that is written. */
  readonly fileBytes: number;
  /** Of the work folder as a whole, what was given included. */
  readonly diskBytes: number;
  /** Of `/tmp`, and as much again of `/dev/shm`; they live in memory. */
  readonly scratchBytes: number;
  /** Processes and threads at once, three of the sandbox's own included. */
  readonly processes: number;
  /** Of each of stdout and stderr. */
  readonly outputBytes: number;
}

/** A host folder or file that the command may read, and where it sees it. */
export interface ReadOnlyBind {
  readonly from: string;
  readonly to: string;
}

/** A bind as the sandbox's program makes it. */
export interface Bind extends ReadOnlyBind {
  readonly isWritable: boolean;
  /** Where root mounts it first, for a user who cannot reach `from`; undefined where that is not needed. */
  readonly by: string | undefined;
}

/** The files of the host by which the sandbox and we talk. */
export interface SandboxFiles {
  /** An archive that is unpacked in `/w` before the command starts. */
  readonly given: string;
  /** An archive of `/w` when the command has ended; undefined where nothing is kept. */
  readonly kept: string | undefined;
  /** What bubblewrap says of its processes, as JSON. */
  readonly status: string;
  /** Holds something once the sandbox stands. */
  readonly begun: string;
  /** A filter of system calls in the kernel's form; undefined where the machine's are not known. */
  readonly filter: string | undefined;
}

/** What is to be run, and what it sees. */
export interface SandboxSetup {
  readonly command: string;
  readonly args: readonly string[];
  readonly files: SandboxFiles;
  readonly binds: readonly Bind[];
  /** Variables besides `PATH`, `HOME`, `USER` and `LANG`, or in their place. */
  readonly variables: Readonly<Record<string, string>>;
  readonly limits: SandboxLimits;
  /** Whether it has the host's network, as an installer needs. */
  readonly hasNetwork: boolean;
  /** The user on the host; undefined keeps our own. Needed as root, for whom the kernel does not count processes. */
  readonly uid: number | undefined;
}

/** A program with its arguments. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
}

/** Files and folders that are kept of a work folder; a command that leaves more has failed at the limit of the disk. */
export const MAX_KEPT_ENTRIES = 20_000;

const OPEN_FILES = 1024;
/** The user's number inside, which stands for nobody of the host. */
const INNER_ID = '1000';
const INNER_PATH = '/usr/local/bin:/usr/bin:/bin';
/** Heads and padding of an archive of the work folder. */
const ARCHIVE_BYTES = 64 * 1024 * 1024;
/** What a program needs to find servers and trust them. */
const NETWORK_FILES = [
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/gai.conf'],
  ...['/etc/ssl', '/etc/pki', '/etc/ca-certificates'],
];

/**
 * The command line that runs a command without the host's files but `/usr`, without network, and within limits. The
 * number of processes and the size of a file are limited from inside: there only the sandbox's own processes count,
 * and the archive of a whole folder may be larger than a file. All else is limited from outside, so that nothing in
 * the sandbox is without limits.
 */
export function sandboxCommandLine(setup: SandboxSetup): CommandLine {
  const { limits, uid } = setup;
  const user = ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'];
  const line = [
    ...(uid === undefined ? [] : user),
    'prlimit',
    `--as=${limits.memoryBytes}`,
    `--fsize=${Math.max(limits.fileBytes, limits.diskBytes + ARCHIVE_BYTES)}`,
    `--nofile=${OPEN_FILES}`,
    // At the soft limit a process is told why; one that takes no notice is killed a second later.
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    '--core=0',
    '--',
    // Its first process keeps this environment, and what runs inside can read it: not even our PATH may be in it.
    ...['env', '-i', `PATH=${INNER_PATH}`],
    ...bubblewrap(setup),
    ...['sh', '-c', insideScript(setup), 'sandbox'],
    ...['prlimit', `--nproc=${limits.processes}`, `--fsize=${limits.fileBytes}`, '--'],
    ...[setup.command, ...setup.args],
  ];
  const args = ['-c', outsideScript(setup), 'sandbox', ...line];
  return uid === undefined
    ? { command: 'sh', args }
    : { command: 'unshare', args: ['--mount', '--propagation', 'private', '--', 'sh', ...args] };
}

/** Our own, with our rights: opens the files before anything else is started. */
function outsideScript({ binds, files }: SandboxSetup): string {
  return [
    'set -e',
    // Where memory runs out it goes first; as root this also keeps it from saying otherwise.
    'echo 1000 2>/dev/null > /proc/self/oom_score_adj || :',
    ...binds.flatMap(({ from, by }) =>
      by === undefined ? [] : [`mount --bind ${quoted(from)} ${quoted(by)}`],
    ),
    // What is in these files is nobody else's business.
    'umask 077',
    `exec 3< ${quoted(files.given)} 4> ${quoted(files.kept ?? '/dev/null')}`,
    `exec 5> ${quoted(files.status)} 6> ${quoted(files.begun)}`,
    ...(files.filter === undefined ? [] : [`exec 7< ${quoted(files.filter)}`]),
    'umask 022',
    'exec "$@"',
  ].join('\n');
}

/** Also of folders that the command may no longer look into. Too many files are not packed at all. */
const PACK = [
  `[ $(find /w -printf x 2>/dev/null | wc -c) -le ${MAX_KEPT_ENTRIES} ] || exit $code`,
  'chmod -R u+rwX /w 2>/dev/null',
  'tar --hard-dereference -cf - -C /w . >&4 2>/dev/null',
];

/**
 * Around the command, as its user: nothing of what it does is trusted. Whatever still runs when the command ends is
 * killed before the folder is packed.
 */
function insideScript({ files }: SandboxSetup): string {
  return [
    'echo begun >&6',
    'exec 5>&- 6>&- 7>&-',
    'tar -xf - -C /w <&3 || exit 125',
    'exec 3<&-',
    '"$@" 4>&-',
    'code=$?',
    'kill -KILL -1 2>/dev/null',
    ...(files.kept === undefined ? [] : PACK),
    'exit $code',
  ].join('\n');
}

function bubblewrap({ files, binds, variables, limits, hasNetwork }: SandboxSetup): string[] {
  const scratch = ['--size', `${limits.scratchBytes}`, '--tmpfs'];
  return [
    ...['bwrap', '--unshare-all', ...(hasNetwork ? ['--share-net'] : [])],
    ...['--die-with-parent', '--new-session', '--disable-userns', '--json-status-fd', '5'],
    ...(files.filter === undefined ? [] : ['--seccomp', '7']),
    ...['--cap-drop', 'ALL', '--unshare-user', '--uid', INNER_ID, '--gid', INNER_ID],
    ...['--hostname', 'sandbox', '--clearenv'],
    ...Object.entries({
      PATH: INNER_PATH,
      HOME: '/tmp',
      USER: 'sandbox',
      LANG: 'C.UTF-8',
      ...variables,
    }).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--ro-bind', '/usr', '/usr', '--symlink', 'usr/lib', '/lib'],
    ...['--symlink', 'usr/lib64', '/lib64', '--symlink', 'usr/bin', '/bin'],
    // Links and an index of libraries, without which some programs of /usr do not start.
    ...['/etc/alternatives', '/etc/ld.so.cache', ...(hasNetwork ? NETWORK_FILES : [])].flatMap(
      (path) => ['--ro-bind-try', path, path],
    ),
    ...['--proc', '/proc', '--dev', '/dev', ...scratch, '/dev/shm', '--remount-ro', '/dev'],
    ...[...scratch, '/tmp', '--size', `${limits.diskBytes}`, '--tmpfs', '/w', '--chdir', '/w'],
    // After /tmp and /w, so that something may be bound below them.
    ...binds.flatMap(({ from, to, by, isWritable }) => [
      ...[isWritable ? '--bind' : '--ro-bind', by ?? from, to],
    ]),
    ...['--remount-ro', '/'],
    '--',
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
