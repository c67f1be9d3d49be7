import type { Event } from '../domain/event.ts';
import type { JournalEntry } from '../domain/journal-entry.ts';
import { changesBetween, countOpen, type RoundChanges } from '../domain/round-changes.ts';
import type { RunRecord } from '../domain/run-record.ts';
import type { RunPorts } from './ports.ts';
import { statesOf, type KeptState } from './walk-states.ts';
import { UsageError } from '../domain/errors.ts';

/** One round of a run, or its planning (round 0), as its folder, store and journal tell it. */
export interface RoundReport {
  readonly round: number;
  /** Null for planning, and for rounds before the run was forked: their spend is the other run's. */
  readonly spent: number | null;
  readonly calls: number;
  /** From the end of what came before to its commit, in milliseconds; null where that was not told. */
  readonly durationMs: number | null;
  readonly changes: RoundChanges;
  /** Findings open right after it. */
  readonly open: { readonly all: number; readonly blocking: number };
  /** What the quality gate found after it; null where it did not look. */
  readonly inspection: {
    readonly opened: number;
    readonly closed: number;
    readonly stop: string | null;
  } | null;
}

/** All committed rounds of a run, the first first. */
export async function readRounds(
  ports: Pick<RunPorts, 'folders' | 'store' | 'journal'>,
  name: string,
): Promise<{ readonly record: RunRecord; readonly rounds: readonly RoundReport[] }> {
  const record = await ports.folders.read(name);
  const [states, events, entries] = await Promise.all([
    statesOf(ports, record),
    ports.folders.events(name),
    ports.journal.entries(record.seed),
  ]);
  const own = entries.filter(({ run }) => run === name);
  const newest = states.at(-1)?.state.round ?? -1;
  const rounds = Array.from({ length: newest + 1 }, (_, round) =>
    reportOf(round, { record, states, events, entries: own }),
  );
  return { record, rounds };
}

/** One round. Throws `UsageError` when there is none of that number, or none yet. */
export async function readRound(
  ports: Pick<RunPorts, 'folders' | 'store' | 'journal'>,
  name: string,
  round: number,
): Promise<{ readonly record: RunRecord; readonly report: RoundReport }> {
  const { record, rounds } = await readRounds(ports, name);
  const report = rounds[round];
  if (report) return { record, report };
  throw new UsageError(
    rounds.length === 0
      ? `The run "${name}" has no committed round yet: \`deeprepro status ${name}\` says how far it is.`
      : `The run "${name}" has no round ${round}: its newest is ${rounds.length - 1}. \`deeprepro rounds ${name}\` lists them.`,
  );
}

interface Sources {
  readonly record: RunRecord;
  readonly states: readonly KeptState[];
  readonly events: readonly Event[];
  readonly entries: readonly JournalEntry[];
}

function reportOf(round: number, sources: Sources): RoundReport {
  const { record, states } = sources;
  const isOf = ({ state }: KeptState) => state.round === round;
  const first = states.findIndex(isOf);
  const after = states[first]?.state;
  if (!after) throw new Error(`No state of round ${round}.`);
  const before = states[first - 1]?.state ?? after;
  const last = states.findLast(isOf)?.state ?? after;
  const written = sources.events.filter(
    (event) => event.kind === 'file-written' && event.round === round,
  );
  const gate = changesBetween(after, last, new Set());
  const [fromMs, untilMs] = [startOf(round, sources), endOf(round, sources)];
  const isBefore = record.forkedFrom !== undefined && round <= (record.forkedFrom.round ?? -1);
  const calls = sources.entries.filter(({ startedAt }) => {
    const atMs = Date.parse(startedAt);
    return atMs > (fromMs ?? -Infinity) && atMs <= (untilMs ?? Infinity);
  });
  return {
    round,
    spent: isBefore ? null : calls.reduce((sum, { cost }) => sum + cost, 0),
    calls: isBefore ? 0 : calls.length,
    durationMs: fromMs === undefined || untilMs === undefined ? null : untilMs - fromMs,
    changes: changesBetween(before, after, new Set(written.map(({ subject }) => subject))),
    open: countOpen(after),
    inspection:
      last === after || last.commits === after.commits
        ? null
        : { opened: gate.opened.length, closed: gate.closed.length, stop: last.stop },
  };
}

/** When what came before it ended; in a fork, its first round of its own begins with the fork. */
function startOf(round: number, sources: Sources): number | undefined {
  const { forkedFrom, createdAt } = sources.record;
  const isFirst = forkedFrom !== undefined && round === (forkedFrom.round ?? -1) + 1;
  return isFirst ? Date.parse(createdAt) : endOf(round - 1, sources);
}

/** When a round was committed, in milliseconds since 1970; planning ends when the last blueprint was there. */
function endOf(round: number, { record, events }: Sources): number | undefined {
  if (round < 0) {
    const begun = events.find(({ kind }) => kind === 'paper-read')?.at;
    return Math.min(Date.parse(record.createdAt), Date.parse(begun ?? record.createdAt));
  }
  const isEnd = ({ kind, round: of }: Event) =>
    round === 0
      ? kind === 'blueprint-drafted' || kind === 'blueprint-amended'
      : kind === 'round-committed' && of === round;
  const at = events.findLast(isEnd)?.at;
  return at === undefined ? undefined : Date.parse(at);
}
