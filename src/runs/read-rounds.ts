import type { Event } from '../domain/event.ts';
import type { JournalEntry, JournalMarker } from '../domain/journal-entry.ts';
import { changesBetween, countOpen, type RoundChanges } from '../domain/round-changes.ts';
import type { RunRecord } from '../domain/run-record.ts';
import type { RunPorts } from './ports.ts';
import { readGuidance, type RoundGuidance } from './read-guidance.ts';
import { statesOf, type KeptState } from './walk-states.ts';
import { UsageError } from '../domain/errors.ts';

/** One round of a run, or its planning (round 0), as its folder, store and journal tell it. */
export interface RoundReport {
  readonly round: number;
  /** Null for planning, and for rounds before the run was forked: their spend is the other run's. */
  readonly spent: number | null;
  /** Of that, the worst cases of calls whose end nobody saw. */
  readonly maybePaid: number;
  readonly calls: number;
  /** From the end of what came before to its commit, in milliseconds; null where that was not told. */
  readonly durationMs: number | null;
  readonly changes: RoundChanges;
  /** What a model planned for it, and what became of its checks; null where code alone planned it. */
  readonly guidance: RoundGuidance | null;
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
  const [states, events, past] = await Promise.all([
    statesOf(ports, record),
    ports.folders.events(name),
    ports.journal.past(record.seed, name, ''),
  ]);
  const newest = states.at(-1)?.state.round ?? -1;
  const rounds = await Promise.all(
    Array.from({ length: newest + 1 }, async (_, round) => {
      const after = states.find(({ state }) => state.round === round)?.state;
      return {
        ...reportOf(round, { record, states, events, ...past }),
        guidance: after ? await readGuidance(ports, after) : null,
      };
    }),
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
  readonly lost: readonly JournalMarker[];
}

function reportOf(round: number, sources: Sources): Omit<RoundReport, 'guidance'> {
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
  const isIn = ({ startedAt }: { readonly startedAt: string }) => {
    const atMs = Date.parse(startedAt);
    return atMs > (fromMs ?? -Infinity) && atMs <= (untilMs ?? Infinity);
  };
  const [calls, lost] = [sources.entries.filter(isIn), sources.lost.filter(isIn)];
  const maybePaid = lost.reduce((sum, { worstCost }) => sum + worstCost, 0);
  return {
    round,
    spent: isBefore ? null : calls.reduce((sum, { cost }) => sum + cost, maybePaid),
    maybePaid: isBefore ? 0 : maybePaid,
    calls: isBefore ? 0 : calls.length + lost.length,
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
      ? of === 0 && (kind === 'blueprint-drafted' || kind === 'blueprint-amended')
      : kind === 'round-committed' && of === round;
  const at = events.findLast(isEnd)?.at;
  return at === undefined ? undefined : Date.parse(at);
}
