import type { BlueprintFile } from './blueprint.ts';
import { isSettings } from './essential-files.ts';

/** Work of one round: about so many expected lines, or so many owned requirements. */
export const MOST_LINES = 900;
export const MOST_OWNED = 60;
/** "About": the last file of a round that goes a little beyond is not worth a round of its own. */
const SLACK = 1.2;
/** A repair writes few lines anew, but has to be read with what it touches. */
const REPAIR_SHARE = 0.25;

/** What a target takes of a round. */
export interface Work {
  readonly lines: number;
  readonly owned: number;
}

/** The work of one target. Configuration, package and documentation files are free. */
export function workOf(file: BlueprintFile, isRepair: boolean): Work {
  if (isFree(file.path)) return { lines: 0, owned: 0 };
  if (isRepair) return { lines: Math.round(file.expectedLines * REPAIR_SHARE), owned: 0 };
  return { lines: file.expectedLines, owned: file.owns.length };
}

/** Whether both together are more than one round should take. */
export function isTooMuch({ lines, owned }: Work): boolean {
  return lines > MOST_LINES * SLACK || owned > MOST_OWNED * SLACK;
}

function isFree(path: string): boolean {
  return (
    isSettings(path) ||
    /\.(?:md|rst|txt|toml|cfg|ini)$|(?:^|\/)(?:__init__\.py|setup\.py|LICENSE|environment\.ya?ml)$/i.test(
      path,
    )
  );
}
