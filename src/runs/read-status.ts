import { NeedsPerson } from '../domain/errors.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { requireFreeSpace } from '../store/disk-problem.ts';
import type { RunStatus } from '../workflows/messages.ts';
import type { Engine, Place, RunPorts } from './ports.ts';
import { reportOf, type EngineNote, type StatusReport } from './status-report.ts';
import { within } from './within.ts';

/** Without a journal, spend is that of the record where the workflow does not answer. */
type StatusPorts = Pick<RunPorts, 'folders' | 'engineIfUp'> & {
  readonly journal?: RunPorts['journal'] | undefined;
};

/** How long a person waits for the workflow's own words, and then for the server's. */
const QUERY_TIMEOUT_MS = 300;
const DESCRIBE_TIMEOUT_MS = 300;
/** For the connection itself, where the server is elsewhere; what the folder says is shown all the same. */
const CONNECT_TIMEOUT_MS = 3000;

/** Where a run stands: the run folder first, then the workflow, then the server; never slower than 0.6 s after the connection. */
export async function readStatus(
  { folders, engineIfUp, journal }: StatusPorts,
  name: string,
): Promise<StatusReport> {
  const record = await folders.read(name);
  if (record.outcome !== null) return reportOf(record, undefined, ENDED);
  const reached = await within(CONNECT_TIMEOUT_MS, engineIfUp());
  const parts = { folders, journal, record };
  if (reached.kind === 'done') return reportLive(parts, reached.value);
  const message =
    reached.kind === 'failed'
      ? reached.message
      : 'The Temporal server did not answer within 3 s; where TEMPORAL_ADDRESS or a profile names it, check that it runs.';
  // Slow is not gone: what drives the run may be busy.
  const state = reached.kind === 'late' ? 'silent' : 'down';
  return reportOf(await withJournal(parts), undefined, { state, message, pending: [] });
}

/** The same over an engine that the caller holds. */
export async function readStatusFrom(
  { folders, journal }: Omit<StatusPorts, 'engineIfUp'>,
  engine: Engine | undefined,
  name: string,
): Promise<StatusReport> {
  return reportLive({ folders, journal, record: await folders.read(name) }, engine);
}

const ENDED: EngineNote = { state: 'closed', message: '', pending: [] };

interface Parts extends Omit<StatusPorts, 'engineIfUp'> {
  readonly record: RunRecord;
}

async function reportLive(parts: Parts, engine: Engine | undefined): Promise<StatusReport> {
  const { folders, record } = parts;
  if (record.outcome !== null) return reportOf(record, undefined, ENDED);
  const { note, status } = await askEngine(record, engine);
  // The run may have ended between our reading and the engine's answer.
  const newest = { ...parts, record: await folders.read(record.name) };
  const report = reportOf(status ? newest.record : await withJournal(newest), status, note);
  return status ? report : withFullDisk(report, folders.pathOf(record.name));
}

/** A record knows what was spent up to its last note; the journal knows each reply, so that spend never seems to fall. */
async function withJournal({ journal, record }: Parts): Promise<RunRecord> {
  const { account, outcome, seed, name } = record;
  if (!journal || outcome !== null) return record;
  const { entries, lost } = await journal.past(seed, name, '');
  const sum = (costs: readonly number[]) => costs.reduce((all, cost) => all + cost, 0);
  const maybePaid = sum(lost.map(({ worstCost }) => worstCost));
  const spent = sum(entries.map(({ cost }) => cost)) + maybePaid;
  const calls = entries.length + lost.length;
  if (spent < account.spent) return record;
  return { ...record, account: { ...account, spent, maybePaid, calls } };
}

/** On a full disk neither the server nor the workflow can say that the run waits for space: the folder can. */
async function withFullDisk(report: StatusReport, folder: string): Promise<StatusReport> {
  if (report.state === 'ended') return report;
  const space = await requireFreeSpace(folder).catch((error: unknown) => error);
  if (!(space instanceof NeedsPerson)) return report;
  const { message, remedy } = space;
  const wait = { kind: 'disk', step: 'store', message, remedy };
  const engine = { ...report.engine, message: '' };
  return { ...report, state: 'waiting', waits: [wait], engine };
}

async function askEngine(
  record: RunRecord,
  engine: Engine | undefined,
): Promise<{ note: EngineNote; status?: RunStatus }> {
  const { name } = record;
  if (!engine)
    return say('down', `Nothing drives it now: \`deeprepro resume ${name}\` goes on with it.`);
  if (!isAt(record.temporal, engine.place)) return say('elsewhere', elsewhere(record, engine));
  const [status, note] = await Promise.all([
    within(QUERY_TIMEOUT_MS, engine.status(name, QUERY_TIMEOUT_MS)),
    askServer(record, engine),
  ]);
  if (status.kind !== 'done' || status.value.phase === 'ended') return { note };
  // The workflow does not know of attempts: a step that Temporal is trying again is told by the server alone.
  const pending = note.pending.filter(({ attempt }) => attempt > 1);
  return { note: { state: 'answering', message: '', pending }, status: status.value };
}

async function askServer({ name }: RunRecord, engine: Engine): Promise<EngineNote> {
  const described = await within(DESCRIBE_TIMEOUT_MS, engine.describe(name, DESCRIBE_TIMEOUT_MS));
  const remedy = `\`deeprepro resume ${name}\` goes on with it.`;
  if (described.kind === 'late')
    return {
      state: 'silent',
      message: `${serverOf(engine)} did not answer within 0.3 s; these numbers are of the run's last note.`,
      pending: [],
    };
  if (described.kind === 'failed')
    return { state: 'down', message: described.message, pending: [] };
  const run = described.value;
  if (!run)
    return { state: 'unknown', message: `Temporal does not know it: ${remedy}`, pending: [] };
  if (!run.isRunning)
    return {
      state: 'closed',
      message: `Its workflow has ended (${run.status.toLowerCase()}) without a report: ${remedy}`,
      pending: [],
    };
  return {
    state: 'silent',
    message:
      'Its workflow runs; its worker did not answer within 0.3 s, as one that is busy or just starting does not. Spend is that of the journal, all else of the last note.',
    pending: run.pending,
  };
}

function serverOf({ place }: Engine): string {
  return place.address === 'local'
    ? 'The Temporal server'
    : `The Temporal server at ${place.address}`;
}

function say(state: EngineNote['state'], message: string): { note: EngineNote } {
  return { note: { state, message, pending: [] } };
}

/** Whether a run of `one` is driven by the engine at `other`. */
export function isAt(one: Pick<Place, 'address' | 'namespace'>, other: Place): boolean {
  return one.address === other.address && one.namespace === other.namespace;
}

/** Says which engine the run belongs to, and how to name it. */
export function elsewhere({ name, temporal }: RunRecord, { place }: Pick<Engine, 'place'>): string {
  const remedy =
    temporal.address === 'local'
      ? 'unset TEMPORAL_ADDRESS, TEMPORAL_PROFILE and TEMPORAL_CONFIG_FILE'
      : `set TEMPORAL_ADDRESS=${temporal.address} and TEMPORAL_NAMESPACE=${temporal.namespace}`;
  return `The run "${name}" is driven by ${temporal.address} (namespace "${temporal.namespace}"), not by ${place.address} (namespace "${place.namespace}"): ${remedy}.`;
}
