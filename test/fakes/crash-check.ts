import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RunRecord } from '../../src/domain/run-record.ts';
import { RunState } from '../../src/domain/run-state.ts';
import type { RunPorts } from '../../src/runs/ports.ts';
import { getJson } from '../../src/store/stored-json.ts';

/** A kill: when the signal was sent, and when all that it hit were gone. Milliseconds since 1970. */
export interface Kill {
  readonly what: string;
  readonly at: number;
  readonly goneAt: number;
}

/** What an undisturbed run leaves: its state as far as runs share it, and which messages each label stands for. */
export interface Reference {
  readonly state: unknown;
  readonly labels: ReadonlyMap<string, string>;
}

/** How a run kept its promises; `broken` is empty when it did. */
export interface Verdict {
  readonly run: string;
  readonly requests: number;
  readonly repeats: number;
  /** Calls under way, or answered and not yet journaled, at the kills. */
  readonly open: number;
  readonly reused: number;
  readonly maybePaid: number;
  readonly broken: readonly string[];
}

/** A run that is to be judged, and what was asked in its name. */
export interface Suspect {
  readonly home: string;
  readonly run: string;
  /** Its requests name this model, and no other run's do. */
  readonly model: string;
  /** The scenario's log. */
  readonly log: string;
}

type Ports = Pick<RunPorts, 'store' | 'folders' | 'journal'>;
/** When each label was asked for, in order. */
type Asked = ReadonlyMap<string, readonly number[]>;

const Arrival = z.object({ model: z.string(), sha256: z.string(), at: z.number() });
const Label = z.object({ label: z.string(), sha256: z.string() });
/** A request of a process that has died may still lie in the server's socket. */
const SOCKET_MS = 2_000;
const ROUNDING = 1e-6;

/** What a run without any kill leaves; `labels` is the file that its worker wrote. */
export async function referenceOf(ports: Ports, run: string, labels: string): Promise<Reference> {
  const record = await ports.folders.read(run);
  return {
    state: await sharedState(ports, record),
    labels: new Map(readLines(labels, Label).map(({ label, sha256 }) => [sha256, label])),
  };
}

/** Looks at what is left of a run, and at what the model's server was asked by it. */
export async function judge(
  ports: Ports,
  suspect: Suspect,
  reference: Reference,
  kills: readonly Kill[],
): Promise<Verdict> {
  const record = await ports.folders.read(suspect.run);
  const totals = await ports.journal.totals(record.seed, suspect.run);
  const entries = await ports.journal.entries(record.seed);
  const journaledAt = new Map(
    entries.map(({ label, key }) => [label, writtenAt(suspect.home, record.seed, key)]),
  );
  const arrivals = readLines(suspect.log, Arrival).filter(({ model }) => model === suspect.model);
  const asked = byLabel(arrivals, reference.labels);
  const requests = arrivals.length;
  const repeats = requests - asked.size;
  const open = kills.reduce((sum, kill) => sum + openAt(kill, asked, journaledAt), 0);
  const { account, outcome } = record;
  const isSame =
    JSON.stringify(await sharedState(ports, record)) === JSON.stringify(reference.state);
  return {
    run: suspect.run,
    requests,
    repeats,
    open,
    reused: account.reused,
    maybePaid: totals.maybePaidCalls,
    broken: [
      ...callFaults(asked, journaledAt, kills),
      ...(repeats > open
        ? [`${repeats} repeats, but only ${open} calls were open at the kills`]
        : []),
      ...(outcome === 'complete' ? [] : [`the outcome is ${outcome ?? 'none'}`]),
      ...(isSame
        ? []
        : ['the tree, plan, memory or findings are not those of the undisturbed run']),
      ...difference('spent', account.spent, totals.spent + totals.maybePaid),
      ...difference('calls', account.calls, totals.calls + totals.maybePaidCalls),
      ...difference('maybe paid', account.maybePaid, totals.maybePaid),
      ...(requests > totals.calls + totals.maybePaidCalls
        ? [`${requests} requests, but ${totals.calls} + ${totals.maybePaidCalls} are accounted for`]
        : []),
    ],
  };
}

function callFaults(
  asked: Asked,
  journaledAt: ReadonlyMap<string, number>,
  kills: readonly Kill[],
): string[] {
  return [...asked].flatMap(([label, times]) => {
    const kept = journaledAt.get(label);
    if (kept === undefined) return [`${label} was asked for and is not in the journal`];
    if (times.some((at) => at > kept))
      return [`${label} was asked for after its reply was journaled`];
    const hits = kills.filter(({ at, goneAt }) =>
      times.some(
        (time, index) =>
          index < times.length - 1 && at < (times[index + 1] ?? 0) && time <= goneAt + SOCKET_MS,
      ),
    );
    return times.length - 1 > hits.length
      ? [`${label} was asked for ${times.length} times, but open at ${hits.length} kills`]
      : [];
  });
}

function openAt(kill: Kill, asked: Asked, journaledAt: ReadonlyMap<string, number>): number {
  const isOpen = ([label, times]: readonly [string, readonly number[]]) =>
    times.some((at) => at <= kill.goneAt + SOCKET_MS) &&
    (journaledAt.get(label) ?? Infinity) > kill.at;
  return [...asked].filter(isOpen).length;
}

/** Requests that the undisturbed run has not made stand under their own hash: then they are in no journal. */
function byLabel(
  arrivals: readonly { readonly sha256: string; readonly at: number }[],
  labels: Reference['labels'],
): Asked {
  const asked = new Map<string, number[]>();
  for (const { sha256, at } of arrivals) {
    const label = labels.get(sha256) ?? `an unknown request ${sha256.slice(0, 12)}`;
    asked.set(label, [...(asked.get(label) ?? []), at]);
  }
  return asked;
}

/** All of the state that does not tell runs apart. */
async function sharedState({ store }: Ports, { head }: RunRecord): Promise<unknown> {
  if (!head) return null;
  const state = await getJson(store, RunState, head.stateRef);
  const { tree, memory, progress, findings, round, blueprint, subplan, verdicts } = state;
  return { tree, memory, progress, findings, round, blueprint, subplan, verdicts };
}

function writtenAt(home: string, seed: string, key: string): number {
  return statSync(join(home, 'journal', seed, key.slice(0, 2), `${key}.json`)).mtimeMs;
}

function readLines<Schema extends z.ZodType>(path: string, schema: Schema): z.infer<Schema>[] {
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => schema.parse(JSON.parse(line)));
}

function difference(what: string, one: number, other: number): string[] {
  return Math.abs(one - other) < ROUNDING ? [] : [`${what} is ${one}, but ${other} by the journal`];
}
