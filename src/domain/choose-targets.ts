import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { exemplarOf } from './family.ts';
import { readyFiles } from './order.ts';
import { openBlocking, statusOf } from './progress.ts';
import type { Target } from './round.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/**
 * G_t of fast mode, without a model: the planned files whose needs are written or broken, and the files with open
 * blocking findings that have repairs left, in the blueprint's order. Where nothing is ready (a cycle), the first
 * planned file. Of a family that is ready at once, its siblings wait for the exemplar alone.
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
  const targets = files.filter((file) => chosen.has(file)).slice(0, limits.maxTargets);
  const fresh = new Set(
    targets.map(({ path }) => path).filter((path) => status.get(path) === 'planned'),
  );
  return targets.map((file) => {
    const exemplar = fresh.has(file.path) ? exemplarOf(file, files) : null;
    return { path: file.path, needs: exemplar !== null && fresh.has(exemplar) ? [exemplar] : [] };
  });
}
