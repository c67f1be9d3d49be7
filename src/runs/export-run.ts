import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, lstat, readdir, readFile, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { UsageError } from '../domain/errors.ts';
import type { Ref } from '../domain/ref.ts';
import { RunState } from '../domain/run-state.ts';
import type { Tree } from '../domain/tree.ts';
import { hasCode } from '../store/durable.ts';
import { diskProblem } from '../store/disk-problem.ts';
import { claim, type Claim } from '../store/lock.ts';
import { isFolder, makeFolder } from '../store/make-folder.ts';
import { getJson } from '../store/stored-json.ts';
import { OWN_FOLDER, readMarker, writeMarker, type ExportMarker } from './export-marker.ts';
import type { RunPorts } from './ports.ts';
import { writePlainly } from './write-plainly.ts';

/** What an export did. Paths are relative to the folder. */
export interface Exported {
  readonly folder: string;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that a person has changed since we wrote them: left alone. */
  readonly keptChanges: readonly string[];
}

/**
 * Brings `folder` up to the run's newest committed round, with the report and the record beside it in `.deeprepro/`.
 * What we did not write is never overwritten or removed. Throws `UsageError` for a folder with foreign files, one of
 * another run, one that cannot be used, or a run without anything to write.
 */
export async function exportRun(ports: RunPorts, name: string, folder: string): Promise<Exported> {
  const record = await ports.folders.read(name);
  if (!record.head && !record.report)
    throw new UsageError(
      `The run "${name}" has written nothing yet: \`deeprepro status ${name}\` says how far it is.`,
    );
  const tree = record.head ? (await getJson(ports.store, RunState, record.head.stateRef)).tree : {};
  const known = await openFolder(folder, name);
  const lock = await lockFolder(folder);
  try {
    await rm(join(folder, TEMPORARIES), { recursive: true, force: true });
    // Before the first file: an export that is cut off must know its own when it is repeated.
    await writeMarker(folder, { run: name, files: known, writing: hashesOf(tree) });
    const exported = await project(ports, folder, tree, known);
    await rm(join(folder, TEMPORARIES), { recursive: true, force: true });
    if (record.report)
      await writePlainly(
        join(folder, OWN_FOLDER, 'REPORT.md'),
        await ports.store.get(record.report),
      );
    await writePlainly(
      join(folder, OWN_FOLDER, 'run.json'),
      `${JSON.stringify(record, null, 2)}\n`,
    );
    await writeMarker(folder, { run: name, files: exported.files, writing: {} });
    return exported.result;
  } finally {
    await lock.release();
  }
}

/** Where files are made before they get their place, in our own folder. */
const TEMPORARIES = join(OWN_FOLDER, 'tmp');

/**
 * Throws `UsageError` where the repository of `run` could not be written to `folder`: said before anything is paid.
 * Makes nothing.
 */
export async function requireUsableFolder(folder: string, run: string): Promise<void> {
  await openFolder(folder, run);
  let there = folder;
  while (!(await isFolder(there)) && dirname(there) !== there) there = dirname(there);
  await access(there, constants.W_OK | constants.X_OK).catch((error: unknown) => {
    throw unusable(folder, error);
  });
}

function unusable(folder: string, cause: unknown): UsageError {
  return new UsageError(
    `${folder} cannot be used as the folder of the repository: name another with --out.`,
    { cause },
  );
}

/** What we wrote there before, also in an export that was cut off; empty for a new folder. */
async function openFolder(folder: string, run: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return [];
    throw unusable(folder, error);
  });
  const marker = await readMarker(folder);
  if (marker && marker.run !== run)
    throw new UsageError(
      `${folder} holds the repository of the run "${marker.run}": name another folder with --out.`,
    );
  if (!marker && entries.some((entry) => entry !== OWN_FOLDER))
    throw new UsageError(
      `${folder} holds files that deeprepro did not write: name an empty or new folder with --out.`,
    );
  return marker ? filesOf(folder, marker) : {};
}

async function filesOf(folder: string, { files, writing }: ExportMarker) {
  const known = { ...files };
  for (const [path, hash] of Object.entries(writing))
    if ((await hashOf(folder, path)) === hash) known[path] = hash;
  return known;
}

function hashesOf(tree: Tree): Record<string, string> {
  return Object.fromEntries(Object.entries(tree).map(([path, { sha256 }]) => [path, sha256]));
}

async function lockFolder(folder: string): Promise<Claim> {
  const own = join(folder, OWN_FOLDER);
  await makeFolder(own).catch((error: unknown) => {
    throw hasCode(error, 'ENOENT') ? unusable(folder, error) : diskProblem(error, folder);
  });
  const lock = await claim(own, 'export.lock');
  if ('release' in lock) return lock;
  throw new UsageError(
    `Process ${lock.heldBy.pid} is writing to ${folder}: try again when it has finished.`,
  );
}

async function project(
  { store }: Pick<RunPorts, 'store'>,
  folder: string,
  tree: Tree,
  known: Readonly<Record<string, string>>,
): Promise<{ result: Exported; files: Record<string, string> }> {
  const files: Record<string, string> = {};
  const keptChanges: string[] = [];
  const removed: string[] = [];
  let written = 0;
  let unchanged = 0;
  for (const [path, was] of Object.entries(known)) {
    if (tree[path]) continue;
    const found = await hashOf(folder, path);
    if (found === was) {
      await removeFile(folder, path);
      removed.push(path);
    } else if (found !== undefined) {
      keptChanges.push(path);
      files[path] = was;
    }
  }
  for (const [path, ref] of Object.entries(tree).sort(byPath)) {
    const found = await hashOf(folder, path);
    if (found !== undefined && found !== known[path] && found !== ref.sha256) {
      keptChanges.push(path);
      files[path] = known[path] ?? ref.sha256;
      continue;
    }
    files[path] = ref.sha256;
    if (found === ref.sha256) unchanged += 1;
    else {
      await writePlainly(join(folder, path), await store.get(ref), join(folder, TEMPORARIES));
      written += 1;
    }
  }
  return { result: { folder, written, unchanged, removed, keptChanges }, files };
}

function byPath([one]: [string, Ref], [other]: [string, Ref]): number {
  return one < other ? -1 : 1;
}

async function hashOf(folder: string, path: string): Promise<string | undefined> {
  const target = join(folder, path);
  try {
    // Whatever else stands there, a link or a folder, is a person's.
    if (!(await lstat(target)).isFile()) return 'no file';
    return createHash('sha256')
      .update(await readFile(target))
      .digest('hex');
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** Removes a file and the folders that it leaves empty. */
async function removeFile(folder: string, path: string): Promise<void> {
  await rm(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== '.'; parent = dirname(parent)) {
    const isRemoved = await rmdir(join(folder, parent)).then(
      () => true,
      () => false,
    );
    if (!isRemoved) return;
  }
}
