import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { readyFiles } from './order.ts';
import { openBlocking, statusOf } from './progress.ts';
import type { Target } from './round.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/**
 * G_t of fast mode, without a model: the planned files whose needs are written or broken, and the files with open
 * blocking findings that have repairs left, in the blueprint's order. Where nothing is ready (a cycle), the first
 * planned file. Files of one choice never wait for each other.
 */
export function chooseTargets(state: RunState, { files }: Blueprint, limits: Limits): Target[] {
  const status = new Map(
    files.map(({ path }) => [path, statusOf(state, path, limits.staticRepairs)]),
  );
  const ready = readyFiles(files, (path) => status.get(path) === 'planned');
  const repairs = files.filter(
    ({ path }) => status.get(path) === 'written' && openBlocking(state, path).length > 0,
  );
  const chosen = new Set<BlueprintFile>([...ready, ...repairs]);
  return files
    .filter((file) => chosen.has(file))
    .slice(0, limits.maxTargets)
    .map(({ path }) => ({ path, needs: [] }));
}
