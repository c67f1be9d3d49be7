import { Blueprint } from '../domain/blueprint.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { PaperDocument as PaperSchema } from '../domain/paper.ts';
import type { Ref } from '../domain/ref.ts';
import { RunSettings } from '../domain/run-settings.ts';
import { RunState } from '../domain/run-state.ts';
import { Task } from '../domain/task.ts';
import { keptJson } from '../store/kept-reader.ts';
import type { Deps } from './deps.ts';

const readSettings = keptJson(RunSettings);
const readTask = keptJson(Task);
const readPaper = keptJson(PaperSchema);
const readBlueprint = keptJson(Blueprint);
const readState = keptJson(RunState);

/** The run's settings and the task they name. */
export async function loadSettings(
  { store }: Deps,
  ref: Ref,
): Promise<{ settings: RunSettings; task: Task }> {
  const settings = await readSettings(store, ref);
  return { settings, task: await readTask(store, settings.task) };
}

export function loadPaper({ store }: Deps, ref: Ref): Promise<PaperDocument> {
  return readPaper(store, ref);
}

export function loadBlueprint({ store }: Deps, ref: Ref): Promise<Blueprint> {
  return readBlueprint(store, ref);
}

export function loadState({ store }: Deps, ref: Ref): Promise<RunState> {
  return readState(store, ref);
}
