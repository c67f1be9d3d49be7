import { Blueprint } from '../domain/blueprint.ts';
import { UsageError } from '../domain/errors.ts';
import type { Event } from '../domain/event.ts';
import type { JournalEntry } from '../domain/journal-entry.ts';
import { ChatMessage, ModelReply, type ToolCall } from '../domain/message.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { getJson } from '../store/stored-json.ts';
import type { RunPorts } from './ports.ts';

/** One turn on a file: what was asked, what came back, and what was made of it. */
export interface TranscriptTurn {
  readonly label: string;
  readonly round: number;
  readonly turn: number;
  readonly model: string;
  /** ISO 8601, UTC. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly usage: JournalEntry['usage'];
  readonly cost: number;
  /** The run that paid for it: another one where this is a fork. */
  readonly paidBy: string;
  /** Null where an older version did not keep them, or they were pruned. */
  readonly messages: readonly ChatMessage[] | null;
  readonly reply: string;
  /** Calls of tools that came with it. */
  readonly calls: readonly ToolCall[];
  readonly finish: ModelReply['finish'];
  /** Why it was refused; empty where it was accepted, or that was not told. */
  readonly refusal: string;
}

/** `r3/write/src/model.py/t2`, with `/fit1` behind it where the window was too small. */
const LABEL = /^r(\d+)\/write\/(.+?)\/t(\d+)(?:\/.*)?$/;

/** All turns on a file, in the order they were asked. Throws `UsageError` when none was answered. */
export async function readTranscript(
  ports: Pick<RunPorts, 'folders' | 'store' | 'journal'>,
  name: string,
  path: string,
): Promise<readonly TranscriptTurn[]> {
  const record = await ports.folders.read(name);
  const [entries, events] = await Promise.all([
    ports.journal.entries(record.seed),
    ports.folders.events(name),
  ]);
  const turns = entries.flatMap((entry) => {
    const [, round, file, turn] = LABEL.exec(entry.label) ?? [];
    return file === undefined ? [] : [{ entry, file, round: Number(round), turn: Number(turn) }];
  });
  const asked = turns
    .filter(({ file }) => file === path)
    .filter(({ entry, round }) => isOf(record, entry, round))
    .sort((one, other) => (one.entry.startedAt < other.entry.startedAt ? -1 : 1));
  if (asked.length === 0) {
    if (await isPlanned(ports, record, path))
      throw new UsageError(
        `The run "${name}" has no reply for ${path} yet: it is planned, or being written now.`,
      );
    throw nothingAsked(name, path, [...new Set(turns.map(({ file }) => file))]);
  }
  return Promise.all(
    asked.map(async ({ entry, round, turn }) => ({
      ...{ label: entry.label, round, turn, model: entry.model, paidBy: entry.run },
      ...{ startedAt: entry.startedAt, durationMs: entry.durationMs },
      ...{ usage: entry.usage, cost: entry.cost },
      messages: await readMessages(ports, entry),
      ...(await readReply(ports, entry)),
      refusal: refusalOf(events, { path, round, turn }),
    })),
  );
}

/** A journal is shared with forks: theirs are other turns, but those before a fork left its run are its own too. */
function isOf({ name, forkedFrom }: RunRecord, { run }: JournalEntry, round: number): boolean {
  return run === name || (forkedFrom !== undefined && round <= (forkedFrom.round ?? 0));
}

async function isPlanned(
  { store }: Pick<RunPorts, 'store'>,
  { blueprint: planned, head }: RunRecord,
  path: string,
): Promise<boolean> {
  const blueprint = head?.blueprint ?? planned;
  if (!blueprint) return false;
  const { files } = await getJson(store, Blueprint, blueprint);
  return files.some((file) => file.path === path);
}

async function readMessages(
  { store }: Pick<RunPorts, 'store'>,
  { messages }: JournalEntry,
): Promise<ChatMessage[] | null> {
  if (!messages) return null;
  const read = messages.map((ref) => getJson(store, ChatMessage, ref));
  return Promise.all(read).catch(() => null);
}

async function readReply({ store }: Pick<RunPorts, 'store'>, { reply }: JournalEntry) {
  const { text, toolCalls, finish } = await getJson(store, ModelReply, reply);
  return { reply: text, calls: toolCalls, finish };
}

function refusalOf(
  events: readonly Event[],
  { path, round, turn }: { readonly path: string; readonly round: number; readonly turn: number },
): string {
  const refused = events.find(
    (event) =>
      event.kind === 'file-refused' &&
      event.round === round &&
      event.subject === `${path} t${turn}`,
  );
  return refused?.text ?? '';
}

function nothingAsked(name: string, path: string, known: readonly string[]): UsageError {
  const others =
    known.length > 0
      ? `Files that it was asked for: ${[...known].sort().slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`
      : 'It has not asked for any file yet.';
  return new UsageError(`The run "${name}" was never asked for ${path}. ${others}`);
}
