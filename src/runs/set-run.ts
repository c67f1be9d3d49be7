import { randomUUID } from 'node:crypto';
import { UsageError } from '../domain/errors.ts';
import { canResume } from '../domain/outcome.ts';
import type { RunRecord } from '../domain/run-record.ts';
import { changeModel, keyNamesOf, keyNamesOfChange, type ModelChange } from './change-model.ts';
import { failingSteps } from './failing-steps.ts';
import type { Engine, RunPorts } from './ports.ts';
import { elsewhere, isAt } from './read-status.ts';
import { within } from './within.ts';

/** What to change of a run; what is undefined stays. */
export interface SetWish {
  readonly model: ModelChange | undefined;
  readonly parallel: number | undefined;
}

/** From when on each change holds, in words: `now`, `from the next step on`, `at the next commit`, `when it is resumed`. */
export interface SetRun {
  readonly model: string | undefined;
  readonly parallel: string | undefined;
}

const QUERY_TIMEOUT_MS = 2000;
const ON_RESUME = 'when it is resumed';

/**
 * Changes what a run asks and how it is driven. A model holds from the next commit on, so that no round mixes two, while
 * planning from the next step on, and at once where a call waits on its model or is tried again and again. Throws `UsageError` for a run that has ended for good.
 */
export async function setRun(ports: RunPorts, name: string, wish: SetWish): Promise<SetRun> {
  const record = await ports.folders.read(name);
  const { outcome } = record;
  if (outcome !== null && !canResume(outcome))
    throw new UsageError(
      `The run "${name}" has ended for good (${outcome}): \`deeprepro fork ${name}\` goes on from one of its rounds with other settings.`,
    );
  const engine = outcome === null ? await drivingEngine(ports, record, wish) : undefined;
  const model = wish.model && (await setModelOf(ports, record, engine, wish.model));
  if (engine && wish.parallel !== undefined)
    await engine.setParallel(name, { id: randomUUID(), parallel: wish.parallel });
  const { parallel } = wish;
  await ports.folders.update(name, (current) => ({
    ...current,
    ...(model?.settings ? { settings: model.settings } : {}),
    controls: { ...current.controls, parallel: parallel ?? current.controls.parallel },
  }));
  return {
    model: model?.when,
    parallel: parallel === undefined ? undefined : engine ? 'now' : ON_RESUME,
  };
}

/** The engine where the run's workflow is under way. */
async function drivingEngine(
  ports: RunPorts,
  record: RunRecord,
  { model }: SetWish,
): Promise<Engine | undefined> {
  const keyNames = await keyNamesOf(ports, record);
  const engine = await ports.engine([...keyNames, ...(model ? keyNamesOfChange(model) : [])]);
  if (!isAt(record.temporal, engine.place)) throw new UsageError(elsewhere(record, engine));
  return (await engine.describe(record.name))?.isRunning === true ? engine : undefined;
}

async function setModelOf(
  ports: RunPorts,
  record: RunRecord,
  engine: Engine | undefined,
  change: ModelChange,
): Promise<{ when: string; settings: RunRecord['settings'] | undefined }> {
  if (!engine) return { when: ON_RESUME, settings: await changeModel(ports, record, change) };
  // The workflow tells the record itself, once it takes the settings up.
  return { when: await setModel(ports, engine, record, change), settings: undefined };
}

/** Tells a running workflow of other models, and says from when on they are asked. */
export async function setModel(
  ports: Pick<RunPorts, 'store'>,
  engine: Engine,
  record: RunRecord,
  change: ModelChange,
): Promise<string> {
  // An earlier change may still wait for its commit: this one adds to it.
  const asked = engine.status(record.name, QUERY_TIMEOUT_MS);
  const said = await within(QUERY_TIMEOUT_MS, asked);
  const newest = said.kind === 'done' ? said.value.newestSettings : undefined;
  const { name, settings } = record;
  const changed = await changeModel(ports, { name, settings: newest ?? settings }, change);
  // The workflow does not know of attempts: the server does.
  const failing = failingSteps(await engine.describe(name));
  return engine.setModel(name, { id: randomUUID(), settings: changed, failing });
}
