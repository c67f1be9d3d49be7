import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { hasCode } from '../store/durable.ts';
import { readRound, readStateAt, type RoundState } from '../store/round-states.ts';
import { claimFolder, openFolder } from './export-folder.ts';
import { OWN_FOLDER, writeMarker } from './export-marker.ts';
import { bringHistory, type HistoryDone } from './history.ts';
import type { RunPorts } from './ports.ts';
import { projectFiles, type Projected } from './project-files.ts';
import { repositoryFiles } from './repository-files.ts';
import { writeOwnFiles } from './write-own-files.ts';

/** What an export did. Paths are relative to the folder. */
export interface Exported {
  readonly run: string;
  readonly folder: string;
  /** The round that the files are of; 0 before the first. */
  readonly round: number;
  readonly written: number;
  readonly unchanged: number;
  readonly removed: readonly string[];
  /** Files that a person has changed since we wrote them: left alone. */
  readonly keptChanges: readonly string[];
  /** Those of them that no earlier export has told of. */
  readonly newlyKept: readonly string[];
  readonly history: HistoryDone;
}

/** How a folder is written. */
export interface ExportWish {
  /** Files as of this round; the newest by default. */
  readonly round?: number;
  /** How long to wait for another process that writes to the folder. */
  readonly waitMs?: number;
}

/** Another client writes in well under a second; a large history on a slow disk may take some. */
const WAIT_MS = 30_000;

/**
 * Brings `folder` up to the run's newest committed round, with the report and the record beside it in `.deeprepro/` and
 * a git history. What we did not write is never overwritten or removed. Throws `UsageError` for a folder with foreign
 * files, one of another run, one that cannot be used, a run without anything to write, or a round that is not there.
 */
export async function exportRun(
  ports: RunPorts,
  name: string,
  folder: string,
  wish: ExportWish = {},
): Promise<Exported> {
  const exported = await exportIfFree(ports, name, folder, { waitMs: WAIT_MS, ...wish });
  if (typeof exported !== 'number') return exported;
  throw new UsageError(
    `Process ${exported} is writing to ${folder}: try again when it has finished.`,
  );
}

/** The same, but where another process has the folder nothing is done, and its number returned. */
export async function exportIfFree(
  ports: RunPorts,
  name: string,
  folder: string,
  wish: ExportWish,
): Promise<Exported | number> {
  requireSomething(await ports.folders.read(name));
  await openFolder(folder, name);
  const lock = await claimFolder(folder, wish.waitMs ?? 0);
  if (typeof lock === 'number') return lock;
  try {
    // Read under the lock, so that whoever has it last writes the newest round.
    return await exportLocked(ports, await ports.folders.read(name), folder, wish.round);
  } finally {
    await lock.release().catch((error: unknown) => {
      // The folder was removed meanwhile, and the lock with it.
      if (!hasCode(error, 'ENOENT')) throw error;
    });
  }
}

/** Where files are made before they get their place, in our own folder. */
const TEMPORARIES = join(OWN_FOLDER, 'tmp');

async function exportLocked(
  ports: RunPorts,
  record: RunRecord,
  folder: string,
  round: number | undefined,
): Promise<Exported> {
  const { name, createdAt } = record;
  const temporaries = join(folder, TEMPORARIES);
  await rm(temporaries, { recursive: true, force: true });
  const head = await stateToWrite(ports, record, round);
  const files = head ? await repositoryFiles(ports.store, head.state) : [];
  const { files: known, told } = await openFolder(folder, name);
  const wanted = Object.fromEntries(files.map(({ path, sha256 }) => [path, sha256]));
  // Before the first file: an export that is cut off must know its own when it is repeated.
  await writeMarker(folder, { run: name, files: known, writing: wanted, told });
  const projected = await projectFiles(folder, files, known, temporaries);
  const history = head
    ? await bringHistory(ports, { folder, temporaries, run: name, createdAt, head })
    : { commits: 0, note: '' };
  await rm(temporaries, { recursive: true, force: true });
  await writeOwnFiles(ports, record, head, folder);
  const toldNow = toldOf(projected, wanted);
  await writeMarker(folder, { run: name, files: projected.files, writing: {}, told: toldNow });
  const { written, unchanged, removed, keptChanges } = projected;
  return {
    ...{ run: name, folder, round: head?.state.round ?? 0 },
    ...{ written, unchanged, removed, keptChanges, history },
    newlyKept: keptChanges.filter((path) => told[path] !== toldNow[path]),
  };
}

/** A person is told of their change once, and again when the run has yet another content for the file. */
function toldOf({ keptChanges }: Projected, wanted: Readonly<Record<string, string>>) {
  return Object.fromEntries(keptChanges.map((path) => [path, wanted[path] ?? 'removed']));
}

function requireSomething({ name, head, report }: RunRecord): void {
  if (head || report) return;
  throw new UsageError(
    `The run "${name}" has written nothing yet: \`deeprepro status ${name}\` says how far it is.`,
  );
}

async function stateToWrite(
  { store }: RunPorts,
  { name, head }: RunRecord,
  round: number | undefined,
): Promise<RoundState | undefined> {
  if (!head) return undefined;
  const { stateRef } = head;
  if (round === undefined) return readStateAt(store, stateRef);
  const found = await readRound(store, stateRef, round);
  if (found) return found;
  throw new UsageError(
    `The run "${name}" has no round ${round}: its newest is ${head.view.round}. \`deeprepro rounds ${name}\` lists them.`,
  );
}
