import { access, constants, stat, statfs } from 'node:fs/promises';
import type { Check } from '../domain/check.ts';
import { runCommand } from '../processes/run-command.ts';
import { checkDataFolder } from './data-folder.ts';
import { findTemporalHere } from './temporal-binary.ts';

const OLDEST_NODE = [20, 19] as const;
const PROBE_TIMEOUT_MS = 5000;
const GIB = 1024 ** 3;
/** A run with its values, its journal and the server's database takes tens of megabytes. */
const LITTLE_SPACE_BYTES = GIB;

export function checkNode(version: string = process.versions.node): Check {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
  return {
    name: 'Node',
    result: isNew ? 'good' : 'bad',
    found: version,
    remedy: isNew ? '' : `Install Node ${OLDEST_NODE.join('.')} or newer.`,
  };
}

export async function checkGit(): Promise<Check> {
  const { exitCode, stdout } = await probe('git', ['--version']);
  const isThere = exitCode === 0;
  return {
    name: 'git',
    result: isThere ? 'good' : 'warning',
    found: isThere ? stdout.trim().replace(/^git version /, '') : 'not found',
    remedy: isThere ? '' : 'Install git: without it a repository is exported without its history.',
  };
}

/** The Temporal program, without downloading it. */
export async function checkTemporal(
  environment: NodeJS.ProcessEnv,
  isRemote: boolean,
): Promise<Check> {
  const name = 'Temporal';
  if (isRemote) return { name, result: 'good', found: 'a server elsewhere is named', remedy: '' };
  const here = await findTemporalHere(environment);
  if (here)
    return {
      ...{ name, result: 'good', remedy: '' },
      found: `server ${here.serverVersion} in ${here.path === 'temporal' ? '`temporal` on PATH' : here.path}`,
    };
  return {
    ...{ name, result: 'warning', found: 'not on this machine yet' },
    remedy: 'The first run downloads it; without a network, install its program `temporal` before.',
  };
}

/** The data folder: there or to be made, readable by this version, ours alone, with room. */
export async function checkHome(home: string): Promise<Check[]> {
  const name = 'data folder';
  const found = await stat(home).catch(() => undefined);
  if (!found)
    return [{ name, result: 'good', found: `${home}, made by the first run`, remedy: '' }];
  try {
    await checkDataFolder(home);
    await access(home, constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [
      { name, result: 'bad', found: reason, remedy: 'Set DEEPREPRO_HOME to a folder of yours.' },
    ];
  }
  const isOpen = (found.mode & 0o077) !== 0;
  const { bavail, bsize } = await statfs(home);
  const isLittle = bavail * bsize < LITTLE_SPACE_BYTES;
  return [
    {
      name,
      result: isOpen ? 'warning' : 'good',
      found: `${home}, mode ${(found.mode & 0o777).toString(8).padStart(4, '0')}`,
      remedy: isOpen ? `Others can look into it: run \`chmod 700 ${home}\`.` : '',
    },
    {
      name: 'free disk',
      result: isLittle ? 'warning' : 'good',
      found: `${((bavail * bsize) / GIB).toFixed(1)} GiB`,
      remedy: isLittle ? 'Free some space, or `deeprepro prune`.' : '',
    },
  ];
}

function probe(command: string, args: readonly string[]) {
  return runCommand({ command, args, timeoutMs: PROBE_TIMEOUT_MS });
}
