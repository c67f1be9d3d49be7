import { expectedNow, type Range } from '../domain/estimate.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { waitsIn } from '../domain/wait.ts';
import type { RunStatus } from '../workflows/messages.ts';
import type { PendingActivity } from './ports.ts';

/** Who drives the run at the moment, as far as can be told within the time a person waits for `status`. */
export interface EngineNote {
  /**
   * `answering`: the workflow itself spoke. `silent`: it runs, but no worker answered in time. `closed`: Temporal says
   * that it has ended. `unknown`: Temporal does not know it. `down`: no engine is up. `elsewhere`: the run belongs to
   * another engine than the one that we are told to use.
   */
  readonly state: 'answering' | 'silent' | 'closed' | 'unknown' | 'down' | 'elsewhere';
  /** A sentence for a person; empty when all is well. */
  readonly message: string;
  /** Steps that Temporal has under way; those tried more than once when the workflow answers, else all. */
  readonly pending: readonly PendingActivity[];
}

/** All that is known of a run, as `--json` prints it. Amounts are in `account.unit`, times ISO 8601 in UTC. */
export interface StatusReport {
  readonly schemaVersion: 1;
  readonly name: string;
  readonly paper: string;
  /** The batch that it belongs to, or null. */
  readonly batch: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly incarnation: number;
  /** `waiting`: for a person, and nothing else is under way. `idle`: not ended, and nothing drives it. */
  readonly state: 'running' | 'waiting' | 'idle' | 'ended';
  readonly phase: RunStatus['phase'];
  readonly round: number;
  readonly files: {
    readonly planned: number;
    readonly written: number;
    readonly broken: number;
    readonly retired: number;
  };
  readonly openBlocking: {
    readonly count: number;
    readonly first: readonly { id: string; path: string }[];
  };
  readonly account: RunRecord['account'] & { readonly reserved: number };
  /** What the run is likely to have cost at its end, as it looks now; null where nobody estimated it. */
  readonly expected: Range | null;
  readonly paused: boolean;
  readonly stopping: boolean;
  readonly waits: readonly { kind: string; step: string; message: string; remedy: string }[];
  /** Labels of the steps under way; empty when the workflow did not answer. */
  readonly live: readonly string[];
  readonly outcome: RunRecord['outcome'];
  readonly failure: string;
  /** SHA-256 of the blueprint, the newest state and the report; null before there is one. */
  readonly blueprint: string | null;
  readonly head: string | null;
  readonly report: string | null;
  readonly out: string | null;
  readonly engine: EngineNote;
}

const NO_FILES = { planned: 0, written: 0, broken: 0, retired: 0 };

/** Joins what the folder holds with what the workflow said, if it did. */
export function reportOf(
  record: RunRecord,
  status: RunStatus | undefined,
  engine: EngineNote,
): StatusReport {
  const live = record.outcome === null ? status : undefined;
  const view = live?.view ?? record.head?.view;
  const waits = waitsIn(record.batch, live?.waits ?? record.waits);
  return {
    schemaVersion: 1,
    name: record.name,
    paper: record.paper,
    batch: record.batch ?? null,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
    incarnation: record.incarnation,
    state: stateOf(record, live, engine),
    phase: record.outcome === null ? (live?.phase ?? record.phase) : 'ended',
    round: view?.round ?? 0,
    files: view?.files ?? NO_FILES,
    openBlocking: { count: view?.openBlockingCount ?? 0, first: view?.openBlocking ?? [] },
    account: accountOf(record, live),
    expected: expectedOf(record, live, view?.files ?? NO_FILES),
    paused: live?.paused ?? record.paused,
    stopping: live?.stopping ?? record.stopping,
    waits: record.outcome === null ? waits : [],
    live: live?.live ?? [],
    outcome: record.outcome,
    failure: record.failure,
    blueprint: (live?.blueprint ?? record.blueprint)?.sha256 ?? null,
    head: (live?.stateRef ?? record.head?.stateRef)?.sha256 ?? null,
    report: record.report?.sha256 ?? null,
    out: record.out,
    engine,
  };
}

function stateOf(
  record: RunRecord,
  status: RunStatus | undefined,
  { state }: EngineNote,
): StatusReport['state'] {
  if (record.outcome !== null) return 'ended';
  if (status) return status.waits.length > 0 && status.live.length === 0 ? 'waiting' : 'running';
  return state === 'silent' ? 'running' : 'idle';
}

function expectedOf(
  record: RunRecord,
  status: RunStatus | undefined,
  { planned, written, broken }: StatusReport['files'],
): Range | null {
  const { spent } = accountOf(record, status);
  if (record.outcome !== null) return { low: spent, high: spent };
  if (!record.estimate) return null;
  const files = planned + written + broken;
  return expectedNow(record.estimate, { spent, files, filesLeft: planned });
}

function accountOf(record: RunRecord, status: RunStatus | undefined): StatusReport['account'] {
  if (!status) return { ...record.account, reserved: 0 };
  return { ...status.purse, calls: status.calls, reused: status.reused };
}
