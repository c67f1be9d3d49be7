import type { RunRecord } from '../domain/run-record.ts';
import type { RunStatus } from '../workflows/messages.ts';
import type { Engine, Place, RunPorts } from './ports.ts';
import { reportOf, type EngineNote, type StatusReport } from './status-report.ts';
import { within } from './within.ts';

/** How long a person waits for the workflow's own words, and then for the server's. */
const QUERY_TIMEOUT_MS = 300;
const DESCRIBE_TIMEOUT_MS = 300;

/** Where a run stands: the run folder first, then the workflow, then the server; never slower than 0.6 s after the connection. */
export async function readStatus(
  { folders, engineIfUp }: Pick<RunPorts, 'folders' | 'engineIfUp'>,
  name: string,
): Promise<StatusReport> {
  const record = await folders.read(name);
  if (record.outcome !== null) return reportOf(record, undefined, ENDED);
  const engine = await engineIfUp();
  return reportLive(record, engine, () => folders.read(name));
}

/** The same over an engine that the caller holds. */
export async function readStatusFrom(
  folders: RunPorts['folders'],
  engine: Engine | undefined,
  name: string,
): Promise<StatusReport> {
  return reportLive(await folders.read(name), engine, () => folders.read(name));
}

const ENDED: EngineNote = { state: 'closed', message: '', pending: [] };

async function reportLive(
  record: RunRecord,
  engine: Engine | undefined,
  readAgain: () => Promise<RunRecord>,
): Promise<StatusReport> {
  if (record.outcome !== null) return reportOf(record, undefined, ENDED);
  const { note, status } = await askEngine(record, engine);
  // The run may have ended between our reading and the engine's answer.
  return reportOf(await readAgain(), status, note);
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
      state: 'down',
      message: `The Temporal server at ${engine.place.address} did not answer in time.`,
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
      'Its workflow runs, but no worker answered within 0.3 s; these numbers are of its last note.',
    pending: run.pending,
  };
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
