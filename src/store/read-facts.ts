import { Blueprint } from '../domain/blueprint.ts';
import type { JournalEntry } from '../domain/journal-entry.ts';
import { ModelReply, Role } from '../domain/message.ts';
import { statusOf } from '../domain/progress.ts';
import { changeBetween, type RoundChange } from '../domain/round-change.ts';
import type { RunFacts, StatedDoubt } from '../domain/run-facts.ts';
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
 * Gathers what can be said of a run at one of its states (null before its first): for reports, and for programs. What
 * was spent is of the whole run. Throws `BlobUnreadable` where something that was kept is damaged.
 */
export async function readFacts(
  kept: Kept,
  record: RunRecord,
  at: RoundState | null,
): Promise<RunFacts> {
  const { store, journal, folders } = kept;
  const { name, paper, createdAt, outcome, failure, account, seed } = record;
  const settings = await getJson(store, RunSettings, record.settings);
  const state = at?.state ?? null;
  const blueprint = state && (await readBlueprint(store, state.blueprint));
  const entries = await journal.entries(seed);
  const events = await folders.events(name);
  // The end itself is told after the report on it: a report that is written twice must say the same.
  const updatedAt = events.findLast(({ kind }) => kind !== 'run-ended')?.at ?? createdAt;
  return {
    ...{ run: name, paper, createdAt, updatedAt, outcome, failure, account, state, blueprint },
    statuses: new Map(
      (state && blueprint ? blueprint.files : []).map(({ path }) => [
        path,
        state ? statusOf(state, path, settings.limits.staticRepairs) : 'planned',
      ]),
    ),
    rounds: at ? await readChanges(store, at) : [],
    replies: entries.filter(({ run }) => run === name),
    lost: await journal.lost(seed, name),
    doubts: state ? await readDoubts(store, state, entries) : [],
    notices: events.filter(({ kind }) => kind === 'notice').map(({ text }) => text),
    models: Role.options.map((role) => ({ role, model: settings.models[role].model })),
  };
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
