import { randomUUID } from 'node:crypto';
import { Blueprint } from '../domain/blueprint.ts';
import { UsageError } from '../domain/errors.ts';
import { canRetry, grantRepairs } from '../domain/grant-repairs.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { canResume } from '../domain/outcome.ts';
import { RunSettings } from '../domain/run-settings.ts';
import { RunState } from '../domain/run-state.ts';
import { viewOf } from '../domain/view.ts';
import { getJson, putJson } from '../store/stored-json.ts';
import { keyNamesOf } from './change-model.ts';
import type { RunPorts } from './ports.ts';
import { elsewhere, isAt } from './read-status.ts';
import { goOn } from './resume-run.ts';

/** What a retry came to: a run under way was told, or nothing drove it and it goes on from its newest state. */
export type Retried = 'told' | 'restarted';

/** Tries again now what the run waits for; a pause that a person set stays. Throws `UsageError` for a run that has ended. */
export async function retryRun(ports: RunPorts, name: string): Promise<Retried> {
  const record = await ports.folders.read(name);
  if (record.outcome !== null)
    throw new UsageError(
      `The run "${name}" has ended (${record.outcome}) and waits for nothing: \`deeprepro retry ${name} PATH\` repairs a file once more${canResume(record.outcome) ? `, \`deeprepro resume ${name}\` goes on` : ''}.`,
    );
  const { how } = await goOn(ports, record);
  return how === 'signalled' ? 'told' : 'restarted';
}

/**
 * Gives a file in which something blocking is open one more repair: a run under way takes it up with its next commit,
 * one that has ended goes on for it. Throws `UsageError` where nothing is to repair.
 */
export async function retryFile(ports: RunPorts, name: string, path: string): Promise<Retried> {
  const record = await ports.folders.read(name);
  const { state } = await requireRetryable(ports, record, path);
  const engine = await ports.engine(await keyNamesOf(ports, record));
  const isHere = isAt(record.temporal, engine.place);
  if (record.outcome === null && !isHere) throw new UsageError(elsewhere(record, engine));
  const isRunning = isHere && (await engine.describe(name))?.isRunning === true;
  if (record.outcome === null && isRunning) {
    await engine.retryFile(name, { id: randomUUID(), path });
    return 'told';
  }
  const granted = await grant(ports, record, state, path);
  await goOn(ports, granted);
  return 'restarted';
}

async function requireRetryable(
  { store }: RunPorts,
  { name, head }: RunRecord,
  path: string,
): Promise<{ state: RunState }> {
  if (!head)
    throw new UsageError(
      `The run "${name}" has no committed round yet, so that no file can be repaired: \`deeprepro status ${name}\` says how far it is.`,
    );
  const state = await getJson(store, RunState, head.stateRef);
  if (canRetry(state, path)) return { state };
  const { files } = await getJson(store, Blueprint, head.blueprint);
  const broken = files.map((file) => file.path).filter((each) => canRetry(state, each));
  const hint =
    broken.length > 0
      ? `Something is open in: ${broken.slice(0, 10).join(', ')}.`
      : 'Nothing blocking is open in any file.';
  throw new UsageError(
    files.some((file) => file.path === path)
      ? `Nothing blocking is open in ${path}, so there is nothing to repair. ${hint}`
      : `The run "${name}" plans no file ${path}. ${hint}`,
  );
}

/** Nothing drives the run now, so that its newest state is ours to follow up. */
async function grant(
  { store, folders }: RunPorts,
  { name, incarnation, head, settings }: RunRecord,
  state: RunState,
  path: string,
): Promise<RunRecord> {
  const { limits } = await getJson(store, RunSettings, settings);
  const next: RunState = {
    ...grantRepairs(state, [path], limits),
    commits: state.commits + 1,
    previous: head?.stateRef ?? null,
  };
  const blueprint = await getJson(store, Blueprint, state.blueprint);
  const stateRef = await putJson(store, next);
  const view = viewOf(next, blueprint, limits, null);
  return folders.update(name, (current) => {
    if (
      current.incarnation === incarnation &&
      current.head?.stateRef.sha256 === head?.stateRef.sha256
    )
      return { ...current, head: { stateRef, blueprint: state.blueprint, view } };
    throw new UsageError(`The run "${name}" has gone on meanwhile: try again.`);
  });
}
