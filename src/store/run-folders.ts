import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BlobUnreadable, RetryLater, UsageError } from '../domain/errors.ts';
import { Event } from '../domain/event.ts';
import { RunName, RunRecord } from '../domain/run-record.ts';
import { diskProblem } from './disk-problem.ts';
import { hasCode, replaceDurably } from './durable.ts';
import { claim } from './lock.ts';
import { isFolder, makeFolder } from './make-folder.ts';
import { parseStored } from './stored-json.ts';
import { whileClaimed } from './wait-for-claim.ts';

/** The run folders: `<folder>/<name>/run.json` and `events.jsonl`. The record of every run, with or without Temporal. */
export interface RunFolders {
  /** Makes the folder of a new run, whole or not at all. Throws `UsageError` when the name is taken. */
  create(record: RunRecord): Promise<void>;
  /** Throws `UsageError` when there is no such run. */
  read(name: string): Promise<RunRecord>;
  /** Changes the record, one process at a time. Returning the same record changes nothing. */
  update(
    name: string,
    change: (record: RunRecord) => RunRecord | Promise<RunRecord>,
  ): Promise<RunRecord>;
  names(): Promise<readonly string[]>;
  /** Takes the run out of all lists in one step, and then its folder away. */
  remove(name: string): Promise<void>;
  append(name: string, event: Event): Promise<void>;
  /** Each fact once, in the order it was first told. A line cut by a crash is passed over. */
  events(name: string): Promise<readonly Event[]>;
  pathOf(name: string): string;
}

/** How an event begins as JSON; within it, quotes are escaped. */
const EVENT_START = '{"id":';

/** How many names a refusal shows. */
const SHOWN_NAMES = 10;

/** The run folders below `folder`; `isBatch` tells, for a name that no run has, whether a batch has it. */
export function createRunFolders(
  folder: string,
  isBatch: (name: string) => Promise<boolean> = async () => false,
): RunFolders {
  const pathOf = (name: string) => join(folder, name);

  async function read(name: string): Promise<RunRecord> {
    const path = join(pathOf(checkedName(name)), 'run.json');
    const text = await readFile(path, 'utf8').catch(async (error: unknown) => {
      if (!hasCode(error, 'ENOENT')) throw diskProblem(error, pathOf(name));
      if (await isFolder(pathOf(name)))
        throw new BlobUnreadable(`The run folder ${pathOf(name)} holds no run.json.`);
      if (await isBatch(name))
        throw new UsageError(
          `"${name}" is a batch and no run: \`deeprepro batch ${name}\` shows its runs.`,
        );
      const known = await names();
      throw new UsageError(
        `There is no run "${name}". ${known.length > 0 ? `Runs: ${firstOf(known)}.` : 'There are no runs yet.'} See \`deeprepro list\`.`,
      );
    });
    return parseStored(RunRecord, text, `the run record ${path}`);
  }

  async function names(): Promise<string[]> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
      if (hasCode(error, 'ENOENT')) return [];
      throw error;
    });
    return entries
      .filter((entry) => entry.isDirectory() && RunName.safeParse(entry.name).success)
      .map(({ name }) => name)
      .sort();
  }

  return {
    pathOf,
    read,
    names,
    async create(record) {
      await makeFolder(folder, 0o700).catch((error: unknown) => {
        throw diskProblem(error, folder);
      });
      const temporary = join(folder, `.${randomUUID()}.new`);
      try {
        await mkdir(temporary, { mode: 0o700 });
        await writeFile(join(temporary, 'events.jsonl'), '', { mode: 0o600 });
        await replaceDurably(join(temporary, 'run.json'), JSON.stringify(record, null, 2));
        await rename(temporary, pathOf(record.name));
      } catch (error) {
        await rm(temporary, { recursive: true, force: true });
        if (hasCode(error, 'ENOTEMPTY') || hasCode(error, 'EEXIST')) {
          throw new UsageError(
            `The run name "${record.name}" is taken: give another with --name, or go on with \`deeprepro resume ${record.name}\`.`,
          );
        }
        throw diskProblem(error, folder);
      }
    },
    async update(name, change) {
      return withLock(pathOf(checkedName(name)), async () => {
        const record = await read(name);
        const changed = await change(record);
        if (changed !== record) {
          await replaceDurably(join(pathOf(name), 'run.json'), JSON.stringify(changed, null, 2));
        }
        return changed;
      });
    },
    async remove(name) {
      // A name with a dot in front is no run's.
      const aside = join(folder, `.${randomUUID()}.removed`);
      await rename(pathOf(checkedName(name)), aside).catch((error: unknown) => {
        throw diskProblem(error, pathOf(name));
      });
      await rm(aside, { recursive: true, force: true });
    },
    async append(name, event) {
      // One write of a whole line: appends of several processes do not mix.
      await appendFile(join(pathOf(name), 'events.jsonl'), `${JSON.stringify(event)}\n`).catch(
        (error: unknown) => {
          throw diskProblem(error, pathOf(name));
        },
      );
    },
    async events(name) {
      const path = join(pathOf(checkedName(name)), 'events.jsonl');
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        // What happened is for people to read: without it the run still stands where it stood.
        if (hasCode(error, 'ENOENT')) return '';
        throw diskProblem(error, pathOf(name));
      });
      const seen = new Map<string, Event>();
      for (const line of text.split('\n')) {
        // A write that a full disk cut has no line end: what was appended after it stands on the same line.
        const event = Event.safeParse(
          tryJson(line.slice(Math.max(0, line.lastIndexOf(EVENT_START)))),
        );
        if (event.success && !seen.has(event.data.id)) seen.set(event.data.id, event.data);
      }
      return [...seen.values()];
    },
  };
}

function firstOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_NAMES);
  return [...shown, ...(names.length > shown.length ? ['…'] : [])].join(', ');
}

/** Throws `UsageError` for what cannot be a run's name, before it becomes part of a path. */
function checkedName(name: string): string {
  const parsed = RunName.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new UsageError(
    `"${name.slice(0, 80)}" cannot be a run's name. ${parsed.error.issues[0]?.message ?? ''}`,
  );
}

function withLock<Result>(folder: string, work: () => Promise<Result>): Promise<Result> {
  return whileClaimed(
    () =>
      claim(folder, 'run.lock').catch((error: unknown) => {
        if (hasCode(error, 'ENOENT'))
          throw new UsageError(`There is no run folder ${folder}: see \`deeprepro list\`.`);
        throw diskProblem(error, folder);
      }),
    ({ pid }) =>
      new RetryLater(`The run folder ${folder} has been held by process ${pid} for long.`),
    work,
  );
}

function tryJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
