import type { Blueprint, BlueprintFile } from './blueprint.ts';
import { exemplarOf } from './family.ts';
import { readyFiles } from './order.ts';
import { bytesOf } from './path.ts';
import { openRepairable, statusOf } from './progress.ts';
import type { Target } from './round.ts';
import type { RunState } from './run-state.ts';
import type { Limits } from './run-settings.ts';

/** Of all paths in one round's targets: views and commits, which name them, have a size to keep to. */
export const MOST_BYTES = 3_000;

/**
 * G_t of fast mode, without a model: the planned files whose needs are written or broken, and the files with open
 * blocking findings that have repairs left, in the blueprint's order. Where nothing is ready (a cycle), the first
 * planned file. Of a family that is ready at once, its siblings wait for the exemplar alone.
 */
export function chooseTargets(state: RunState, { files }: Blueprint, limits: Limits): Target[] {
  const status = new Map(files.map(({ path }) => [path, statusOf(state, path, limits)]));
  const ready = readyFiles(files, (path) => status.get(path) === 'planned');
  const repairs = files.filter(
    ({ path }) => status.get(path) === 'written' && openRepairable(state, limits, path).length > 0,
  );
  const chosen = new Set<BlueprintFile>([...ready, ...repairs]);
  const targets = firstThatFit(
    files.filter((file) => chosen.has(file)),
    limits.maxTargets,
  );
  const fresh = new Set(
    targets.map(({ path }) => path).filter((path) => status.get(path) === 'planned'),
  );
  return targets.map((file) => {
    const exemplar = fresh.has(file.path) ? exemplarOf(file, files) : null;
    return { path: file.path, needs: exemplar !== null && fresh.has(exemplar) ? [exemplar] : [] };
  });
}

/** Always at least one. */
function firstThatFit(files: readonly BlueprintFile[], most: number): BlueprintFile[] {
  let bytes = 0;
  return files
    .slice(0, most)
    .filter(({ path }, index) => (bytes += bytesOf(path)) <= MOST_BYTES || index === 0);
}
