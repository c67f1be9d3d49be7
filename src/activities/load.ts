import { Blueprint } from '../domain/blueprint.ts';
import type { PaperDocument } from '../domain/paper.ts';
import { PaperDocument as PaperSchema } from '../domain/paper.ts';
import type { Ref } from '../domain/ref.ts';
import { RunSettings } from '../domain/run-settings.ts';
import { RunState } from '../domain/run-state.ts';
import { Task } from '../domain/task.ts';
import { getJson } from '../store/stored-json.ts';
import type { Deps } from './deps.ts';

/** The run's settings and the task they name. */
export async function loadSettings(
  { store }: Deps,
  ref: Ref,
): Promise<{ settings: RunSettings; task: Task }> {
  const settings = await getJson(store, RunSettings, ref);
  return { settings, task: await getJson(store, Task, settings.task) };
}

export function loadPaper({ store }: Deps, ref: Ref): Promise<PaperDocument> {
  return getJson(store, PaperSchema, ref);
}

export function loadBlueprint({ store }: Deps, ref: Ref): Promise<Blueprint> {
  return getJson(store, Blueprint, ref);
}

export function loadState({ store }: Deps, ref: Ref): Promise<RunState> {
  return getJson(store, RunState, ref);
}
