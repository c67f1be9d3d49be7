import { readdir, readFile, rm, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';
import { createDurably, hasCode, replaceDurably } from './durable.ts';
import { requireFreeSpace } from './disk-problem.ts';
import type { Journal, JournalTotals, OpenCall, Opening, PastCalls } from './journal.ts';
import { isOwnerAlive, Owner, thisOwner } from './owner.ts';
import { parseStored } from './stored-json.ts';

/** A marker not touched for so long is of a process that hangs, if it lives at all. */
const STALE_MS = 30_000;
const MarkerFile = z.strictObject({ marker: JournalMarker, owner: Owner });
interface FoundMarker {
  readonly generation: number;
  readonly marker: JournalMarker;
  readonly isAlive: boolean;
}

/**
 * A journal in `folder/<seed>/<xx>/`: `<key>.json` is a reply, `<key>.open-<n>` the n-th call for it. The highest
 * marker holds the right to call; the lower ones, and a highest one whose owner is dead, are calls that may have been
 * paid. Markers are only ever removed by the call that made them, so what may have been paid is never forgotten.
 */
export function createFolderJournal(folder: string): Journal {
  const shelfOf = (seed: string, key: string) => join(folder, seed, key.slice(0, 2));

  async function open(seed: string, marker: JournalMarker): Promise<Opening> {
    const { key } = marker;
    const shelf = shelfOf(seed, key);
    for (;;) {
      const markers = await readMarkers(shelf, key);
      const entry = await readEntry(shelf, key);
      if (entry) return { kind: 'answered', entry, lost: lostOf(markers, entry) };
      const last = markers.at(-1);
      if (last?.isAlive) return { kind: 'busy' };
      const generation = (last?.generation ?? 0) + 1;
      const path = join(shelf, `${key}.open-${generation}`);
      const content = JSON.stringify({ marker, owner: thisOwner() });
      if (!(await createDurably(path, content, folder))) continue;
      await requireFreeSpace(folder).catch(async (error: unknown) => {
        await unlink(path);
        throw error;
      });
      const highest = generationOf((await listMarkers(shelf, key)).at(-1) ?? '');
      if (highest === generation && !(await readEntry(shelf, key))) {
        return { kind: 'open', call: openCall(shelf, path, marker, lostOf(markers)) };
      }
      await unlink(path);
    }
  }

  function openCall(
    shelf: string,
    path: string,
    marker: JournalMarker,
    lost: readonly JournalMarker[],
  ): OpenCall {
    return {
      lost,
      async touch() {
        const now = new Date();
        await utimes(path, now, now);
      },
      async close(entry) {
        const isFirst = await createDurably(
          join(shelf, `${entry.key}.json`),
          JSON.stringify(entry),
          folder,
        );
        if (isFirst) {
          await unlink(path).catch(ignoreMissing);
          return entry;
        }
        await endMarker(path, marker);
        return (await readEntry(shelf, entry.key)) ?? entry;
      },
      async abandon({ maybePaid }) {
        if (maybePaid) await endMarker(path, marker);
        else await unlink(path).catch(ignoreMissing);
      },
    };
  }

  async function entries(seed: string): Promise<JournalEntry[]> {
    const found = await everyFile(join(folder, seed), (name) => name.endsWith('.json'));
    const read = found.map(({ shelf, name }) => readEntry(shelf, name.slice(0, -'.json'.length)));
    return (await Promise.all(read)).filter((entry) => entry !== undefined);
  }

  /** Markers that no reply belongs to, also of calls that are still under way. */
  async function unanswered(
    seed: string,
    run: string,
    all: readonly JournalEntry[],
  ): Promise<FoundMarker[]> {
    const byKey = new Map(all.map((entry) => [entry.key, entry]));
    const found = await everyFile(join(folder, seed), (name) => name.includes('.open-'));
    return (await Promise.all(found.map(({ shelf, name }) => readMarker(shelf, name))))
      .filter((each) => each !== undefined)
      .filter(({ marker }) => marker.run === run && !isCallOf(marker, byKey.get(marker.key)));
  }

  async function lost(seed: string, run: string): Promise<JournalMarker[]> {
    const open = await unanswered(seed, run, await entries(seed));
    return open.filter(({ isAlive }) => !isAlive).map(({ marker }) => marker);
  }

  async function past(seed: string, run: string, prefix: string): Promise<PastCalls> {
    const isIn = ({ label }: { readonly label: string }): boolean => label.startsWith(prefix);
    const all = await entries(seed);
    const open = await unanswered(seed, run, all);
    const markers = (alive: boolean): JournalMarker[] =>
      open.flatMap(({ isAlive, marker }) => (isAlive === alive && isIn(marker) ? [marker] : []));
    const own = all.filter((entry) => entry.run === run && isIn(entry));
    return { entries: own, lost: markers(false), underWay: markers(true) };
  }

  async function totals(seed: string, run: string): Promise<JournalTotals> {
    const all = await entries(seed);
    const own = all.filter((entry) => entry.run === run);
    const markers = (await unanswered(seed, run, all)).map(({ marker }) => marker);
    return {
      spent: sum(own.map(({ cost }) => cost)),
      maybePaid: sum(markers.map(({ worstCost }) => worstCost)),
      calls: own.length,
      maybePaidCalls: markers.length,
    };
  }

  return {
    open,
    entries,
    lost,
    past,
    totals,
    seeds: () => listIfThere(folder),
    async remove(seed) {
      await rm(join(folder, seed), { recursive: true, force: true });
    },
  };
}

/** Leaves the marker as the record of a call that may have been paid for nothing. */
async function endMarker(path: string, marker: JournalMarker): Promise<void> {
  await replaceDurably(
    path,
    JSON.stringify({ marker: { ...marker, ended: true }, owner: thisOwner() }),
  );
}

function lostOf(markers: readonly FoundMarker[], entry?: JournalEntry): JournalMarker[] {
  return markers
    .filter(({ isAlive, marker }) => !isAlive && !isCallOf(marker, entry))
    .map(({ marker }) => marker);
}

/** Whether a marker is of the very call that brought the entry: a crash between the two writes of `close` leaves both. */
function isCallOf(marker: JournalMarker, entry: JournalEntry | undefined): boolean {
  return (
    entry !== undefined &&
    entry.startedAt === marker.startedAt &&
    entry.run === marker.run &&
    entry.incarnation === marker.incarnation
  );
}

async function readEntry(shelf: string, key: string): Promise<JournalEntry | undefined> {
  const path = join(shelf, `${key}.json`);
  const text = await readIfThere(path);
  return text === undefined
    ? undefined
    : parseStored(JournalEntry, text, `the journal entry ${path}`);
}

async function readMarkers(shelf: string, key: string): Promise<FoundMarker[]> {
  const names = await listMarkers(shelf, key);
  const markers = await Promise.all(names.map((name) => readMarker(shelf, name)));
  return markers.filter((marker) => marker !== undefined);
}

/** Names of a key's markers, in the order of their generations. */
async function listMarkers(shelf: string, key: string): Promise<string[]> {
  const names = (await listIfThere(shelf)).filter((name) => name.startsWith(`${key}.open-`));
  return names.sort((one, other) => generationOf(one) - generationOf(other));
}

function generationOf(name: string): number {
  return Number(name.slice(name.lastIndexOf('-') + 1));
}

async function readMarker(shelf: string, name: string): Promise<FoundMarker | undefined> {
  const path = join(shelf, name);
  const text = await readIfThere(path);
  if (text === undefined) return undefined;
  const { marker, owner } = parseStored(MarkerFile, text, `the journal marker ${path}`);
  const touchedAtMs = await touchedAt(path);
  // Its call ended while we looked: a marker that is gone is no lost call.
  if (touchedAtMs === undefined) return undefined;
  const isFresh = Date.now() - touchedAtMs < STALE_MS;
  const isAlive = !marker.ended && isFresh && isOwnerAlive(owner, touchedAtMs);
  return { generation: generationOf(name), marker, isAlive };
}

async function touchedAt(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

async function everyFile(
  folder: string,
  isWanted: (name: string) => boolean,
): Promise<{ shelf: string; name: string }[]> {
  const shelves = (await listIfThere(folder)).map((name) => join(folder, name));
  const names = await Promise.all(shelves.map(listIfThere));
  return shelves.flatMap((shelf, index) =>
    (names[index] ?? []).filter(isWanted).map((name) => ({ shelf, name })),
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    ignoreMissing(error);
    return undefined;
  }
}

async function listIfThere(folder: string): Promise<string[]> {
  try {
    // Names that start with a dot are still being written.
    return (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  } catch (error) {
    ignoreMissing(error);
    return [];
  }
}

function ignoreMissing(error: unknown): void {
  if (!hasCode(error, 'ENOENT')) throw error;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
