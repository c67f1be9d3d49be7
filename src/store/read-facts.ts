import { Blueprint } from '../domain/blueprint.ts';
import type { Event } from '../domain/event.ts';
import type { JournalEntry } from '../domain/journal-entry.ts';
import { ModelReply, Role } from '../domain/message.ts';
import { statusOf } from '../domain/progress.ts';
import { changeBetween, type RoundChange } from '../domain/round-change.ts';
import type { LostCall, PaidReply, RunFacts, StatedDoubt } from '../domain/run-facts.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { RunSettings } from '../domain/run-settings.ts';
import type { RunState } from '../domain/run-state.ts';
import { fileOf, stageOf } from '../domain/spend.ts';
import { statedDoubts } from '../domain/stated-doubts.ts';
import type { Journal } from './journal.ts';
import { keptJson } from './kept-reader.ts';
import { readRoundStates, type RoundState } from './round-states.ts';
import type { RunFolders } from './run-folders.ts';
import type { Store } from './store.ts';
import { getJson, getText } from './stored-json.ts';

/** Where all that is known of runs is kept. */
export interface Kept {
  readonly store: Store;
  readonly journal: Journal;
  readonly folders: RunFolders;
}

const readBlueprint = keptJson(Blueprint);

/**
 * Gathers what can be said of a run at one of its states (null before its first): for reports, and for programs. With
 * `isEarlier`, the state is not the newest, and spend, time and notices are of what came up to its commit. Before the
 * end, the account is what the journal holds: the record's is as old as the last note. Throws `BlobUnreadable` where something that was kept is damaged.
 */
export async function readFacts(
  kept: Kept,
  record: RunRecord,
  at: RoundState | null,
  isEarlier = false,
): Promise<RunFacts> {
  const { store, journal, folders } = kept;
  const { name, paper, createdAt, seed, head } = record;
  const later = isEarlier && head ? { round: head.view.round, outcome: record.outcome } : null;
  const { outcome, failure } = later ? { outcome: null, failure: '' } : record;
  const settings = await getJson(store, RunSettings, record.settings);
  const state = at?.state ?? null;
  const blueprint = state && (await readBlueprint(store, state.blueprint));
  const entries = await journal.entries(seed);
  const all = await folders.events(name);
  const untilMs = later ? committedMs(all, state?.round ?? 0) : Infinity;
  const events = all.filter((event) => Date.parse(event.at) <= untilMs);
  const isUpToIt = ({ startedAt }: { readonly startedAt: string }) =>
    Date.parse(startedAt) <= untilMs;
  const replies = entries.filter(({ run }) => run === name).filter(isUpToIt);
  const lost = (await journal.lost(seed, name)).filter(isUpToIt);
  // The end itself is told after the report on it: a report that is written twice must say the same.
  const told = events.findLast(({ kind }) => kind !== 'run-ended')?.at ?? createdAt;
  return {
    ...{ run: name, paper, createdAt, outcome, later, failure, state, blueprint, replies, lost },
    updatedAt: outcome === null && !later ? lastOf(told, replies) : told,
    account:
      outcome === null
        ? { ...record.account, ...paidFor(replies, lost), ...(later ? { reused: 0 } : {}) }
        : record.account,
    statuses: new Map(
      (state && blueprint ? blueprint.files : []).map(({ path }) => [
        path,
        state ? statusOf(state, path, settings.limits) : 'planned',
      ]),
    ),
    rounds: at ? await readChanges(store, at) : [],
    doubts: state ? await readDoubts(store, state, entries) : [],
    notices: events.filter(({ kind }) => kind === 'notice').map(({ text }) => text),
    mode: settings.mode,
    models: Role.options.map((role) => ({ role, model: settings.models[role].model })),
  };
}

/** When a round was committed, in milliseconds since 1970; unbounded where nobody told. */
function committedMs(events: readonly Event[], round: number): number {
  const commit = events.findLast(
    (event) => event.kind === 'round-committed' && event.round === round,
  );
  return commit ? Date.parse(commit.at) : Infinity;
}

/** The later of the last fact told and the end of the last reply. */
function lastOf(told: string, replies: readonly PaidReply[]): string {
  const ends = replies.map(({ startedAt, durationMs }) => Date.parse(startedAt) + durationMs);
  return new Date(Math.max(Date.parse(told), ...ends)).toISOString();
}

function paidFor(replies: readonly PaidReply[], lost: readonly LostCall[]) {
  const maybePaid = lost.reduce((sum, { worstCost }) => sum + worstCost, 0);
  const spent = replies.reduce((sum, { cost }) => sum + cost, maybePaid);
  return { spent, maybePaid, calls: replies.length + lost.length };
}

async function readChanges(store: Store, { stateRef }: RoundState): Promise<RoundChange[]> {
  const { before, rounds } = await readRoundStates(store, stateRef);
  return rounds.map(({ state }, index) => changeBetween(rounds[index - 1]?.state ?? before, state));
}

/** Of each file that stands, what the reply that holds its content was unsure of. */
async function readDoubts(
  store: Store,
  { tree }: RunState,
  entries: readonly JournalEntry[],
): Promise<StatedDoubt[]> {
  const writes = entries
    .filter(({ label }) => stageOf(label) === 'writing')
    .sort((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
  const doubts = Object.entries(tree).map(async ([path, file]) => {
    const content = (await getText(store, file)).trimEnd();
    for (const { reply } of writes.filter(({ label }) => fileOf(label) === path)) {
      const { text } = await getJson(store, ModelReply, reply);
      if (text.replaceAll('\r\n', '\n').includes(content))
        return { path, text: statedDoubts(text) };
    }
    return { path, text: '' };
  });
  return (await Promise.all(doubts))
    .filter(({ text }) => text !== '')
    .sort((one, other) => (one.path < other.path ? -1 : 1));
}
