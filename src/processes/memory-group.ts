import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from './kill-process.ts';
import { runCommand } from './run-command.ts';

/** A folder of the kernel's control groups in which groups of our own may be made, if it lets us. */
export interface GroupPlace {
  readonly version: 1 | 2;
  readonly folder: string;
}

/** A group of processes whose memory is limited together. */
export interface MemoryGroup {
  /** A process that writes 0 into this file joins, with all that it starts. */
  readonly entry: string;
  /** Whether a process was killed for the limit. */
  wasExceeded(): Promise<boolean>;
  /** Waits, a moment at most, until all of it has ended. */
  remove(): Promise<void>;
}

const PREFIX = 'deeprepro-';
/** The kernel keeps a group for some milliseconds after its last process was killed. */
const REMOVE_TRIES = 100;
const REMOVE_POLL_MS = 20;

let knownPlace: Promise<GroupPlace | undefined> | undefined;

/**
 * A new group with a limit on the memory of all its processes, page cache of scratch files included and without swap;
 * null where the system does not let us make one.
 */
export async function createMemoryGroup(limitBytes: number): Promise<MemoryGroup | null> {
  knownPlace ??= findPlace();
  const place = await knownPlace;
  return place === undefined ? null : makeGroup(place, limitBytes);
}

/**
 * Where a group may be made, best first: below the group that we are in, so that its limits hold as well. In version 2
 * no process may be in a group that hands memory on to others, so a group further up has to be open to us.
 */
export function groupPlaces(mountInfo: string, ownGroups: string): GroupPlace[] {
  const mounts = mountInfo.split('\n').flatMap((line) => {
    const [front = '', back = ''] = line.split(' - ');
    const [, , , root, folder] = front.split(' ');
    const [type, , options = ''] = back.split(' ');
    return root === undefined || folder === undefined ? [] : [{ root, folder, type, options }];
  });
  const groups = ownGroups.split('\n').map((line) => line.split(':'));
  const places = (version: 1 | 2): GroupPlace[] => {
    const mount = mounts.find(({ type, options }) =>
      version === 1 ? type === 'cgroup' && hasWord(options, 'memory') : type === 'cgroup2',
    );
    const own = groups.find(([number, names = '']) =>
      version === 1 ? hasWord(names, 'memory') : number === '0' && names === '',
    );
    if (!mount || !own) return [];
    const path = posix.join('/', posix.relative(mount.root, own.slice(2).join(':')));
    const above = version === 1 ? [path] : ancestorsOf(path);
    return above.map((group) => ({ version, folder: posix.join(mount.folder, group) }));
  };
  return [...places(1), ...places(2)];
}

/** Makes a group there, with the files that this version of the kernel's interface has. */
export async function makeGroup(
  { version, folder }: GroupPlace,
  limitBytes: number,
): Promise<MemoryGroup> {
  const group = join(folder, `${PREFIX}${process.pid}-${randomUUID().slice(0, 8)}`);
  await mkdir(group);
  const names = version === 1 ? VERSION_1 : VERSION_2;
  try {
    await writeFile(join(group, names.limit), `${limitBytes}`);
  } catch (error) {
    await rmdir(group);
    throw error;
  }
  // Absent where the kernel does not count swap.
  await writeFile(join(group, names.swap), version === 1 ? `${limitBytes}` : '0', {
    flag: 'r+',
  }).catch(() => undefined);
  return {
    entry: join(group, 'cgroup.procs'),
    async wasExceeded() {
      const text = await readFile(join(group, names.events), 'utf8').catch(() => '');
      return Number(/^oom_kill (\d+)$/m.exec(text)?.[1] ?? 0) > 0;
    },
    async remove() {
      for (let tries = 0; tries < REMOVE_TRIES; tries += 1) {
        if (await rmdir(group).then(always, never)) return;
        await sleep(REMOVE_POLL_MS);
      }
    },
  };
}

const VERSION_1 = {
  limit: 'memory.limit_in_bytes',
  swap: 'memory.memsw.limit_in_bytes',
  events: 'memory.oom_control',
};
const VERSION_2 = { limit: 'memory.max', swap: 'memory.swap.max', events: 'memory.events' };

async function findPlace(): Promise<GroupPlace | undefined> {
  const [mountInfo, ownGroups] = await Promise.all(
    ['/proc/self/mountinfo', '/proc/self/cgroup'].map((path) =>
      readFile(path, 'utf8').catch(() => ''),
    ),
  );
  for (const place of groupPlaces(mountInfo ?? '', ownGroups ?? '')) {
    if (!(await canJoin(place))) continue;
    await removeLeftGroups(place);
    return place;
  }
  return undefined;
}

/** Tries it, since rights to files do not tell all: a process may not be moved from everywhere to everywhere. */
async function canJoin(place: GroupPlace): Promise<boolean> {
  const group = await makeGroup(place, 64 * 1024 * 1024).catch(() => undefined);
  if (!group) return false;
  const { exitCode } = await runCommand({
    ...{ command: '/bin/sh', args: ['-c', 'echo 0 > "$1"', 'sh', group.entry], timeoutMs: 5000 },
  });
  await group.remove();
  return exitCode === 0;
}

/** Of processes of ours that were killed. */
async function removeLeftGroups({ folder }: GroupPlace): Promise<void> {
  for (const name of await readdir(folder)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? process.pid);
    if (!isAlive(pid)) await rmdir(join(folder, name)).catch(() => undefined);
  }
}

function hasWord(list: string, word: string): boolean {
  return list.split(',').includes(word);
}

function ancestorsOf(path: string): string[] {
  return path === '/' ? ['/'] : [path, ...ancestorsOf(posix.dirname(path))];
}

const always = () => true;
const never = () => false;
