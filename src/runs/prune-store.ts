import { UsageError } from '../domain/errors.ts';
import type { StoredValue } from '../store/folder-keeper.ts';
import type { KeeperPorts } from './ports.ts';

/** What pruning did, or would do. */
export interface Pruned {
  readonly removed: number;
  readonly removedBytes: number;
  readonly kept: number;
  readonly keptBytes: number;
  /** Unreachable, but too young to be removed: a run under way may hold on to them. */
  readonly tooYoung: number;
  /** Replies of runs that have been removed, as whole journals. */
  readonly journals: number;
  /** Runs that have not ended: what was put since they began is kept. */
  readonly openRuns: readonly string[];
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A value's name, wherever it stands in another value. More is kept than need be where some other hash looks so. */
const HASH = /\b[0-9a-f]{64}\b/g;

/**
 * Marks what any run or journal leads to, and sweeps all else out of the store that nobody has put for a day, and since
 * any run that has not ended was begun: such a run may know of values that only its workflow names. Throws
 * `UsageError` where a run's record cannot be read, since nobody knows then what it needs.
 */
export async function pruneStore(
  ports: KeeperPorts,
  { isDry, nowMs }: { readonly isDry: boolean; readonly nowMs: number },
): Promise<Pruned> {
  // Listed first: what is put from now on is not in question.
  const values = await ports.keeper.list();
  // Before the runs: a run's record is there before its journal.
  const known = await ports.journal.seeds();
  const { texts, openRuns, seeds } = await readRuns(ports);
  const journals = known.filter((seed) => !seeds.has(seed));
  const reachable = await mark(ports, [...texts, ...(await journalTexts(ports, journals))]);
  const begun = openRuns.map(({ createdAtMs }) => createdAtMs);
  const putBeforeMs = Math.min(nowMs, ...begun) - DAY_MS;
  const unreachable = values.filter(({ sha256 }) => !reachable.has(sha256));
  const old = unreachable.filter(({ putAtMs }) => putAtMs < putBeforeMs);
  if (!isDry) for (const seed of journals) await ports.journal.remove(seed);
  const gone = isDry ? old : await ports.keeper.sweep(old, putBeforeMs);
  const removedBytes = bytesOf(gone);
  return {
    removed: gone.length,
    removedBytes,
    kept: values.length - gone.length,
    keptBytes: bytesOf(values) - removedBytes,
    tooYoung: unreachable.length - old.length,
    journals: journals.length,
    openRuns: openRuns.map(({ name }) => name),
  };
}

interface RunTexts {
  readonly texts: readonly string[];
  readonly openRuns: readonly { readonly name: string; readonly createdAtMs: number }[];
  readonly seeds: ReadonlySet<string>;
}

async function readRuns({ folders }: KeeperPorts): Promise<RunTexts> {
  const texts: string[] = [];
  const openRuns: { name: string; createdAtMs: number }[] = [];
  const seeds = new Set<string>();
  for (const name of await folders.names()) {
    const record = await folders.read(name).catch((error: unknown) => {
      throw new UsageError(
        `The run "${name}" cannot be read, so that nobody knows what it needs: repair it, or \`deeprepro remove ${name}\`. Nothing was removed.`,
        { cause: error },
      );
    });
    texts.push(JSON.stringify(record), JSON.stringify(await folders.events(name)));
    seeds.add(record.seed);
    if (record.outcome === null) openRuns.push({ name, createdAtMs: Date.parse(record.createdAt) });
  }
  return { texts, openRuns, seeds };
}

async function journalTexts(
  { journal }: KeeperPorts,
  without: readonly string[],
): Promise<string[]> {
  const seeds = (await journal.seeds()).filter((seed) => !without.includes(seed));
  const entries = await Promise.all(seeds.map((seed) => journal.entries(seed)));
  return entries.map((each) => JSON.stringify(each));
}

/** All that can be reached from `roots`, by name. */
async function mark({ keeper }: KeeperPorts, roots: readonly string[]): Promise<Set<string>> {
  const reached = new Set<string>();
  const queue = roots.flatMap(namesIn);
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    const text = await keeper.text(name);
    if (text !== undefined) queue.push(...namesIn(text));
  }
  return reached;
}

function namesIn(text: string): string[] {
  return text.match(HASH) ?? [];
}

function bytesOf(values: readonly StoredValue[]): number {
  return values.reduce((sum, { bytes }) => sum + bytes, 0);
}
