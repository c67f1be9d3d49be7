import { folderOf, type ModuleMap } from './module-map.ts';
import { nearestName } from './nearest-name.ts';
import type { Sighting } from './sightings.ts';
import type { ToldCommand } from './told-commands.ts';

const SETTINGS_FILE = /^(?:\.\/)?([\w-][\w./-]*\.(?:ya?ml|json|toml))$/;
/** What a program is to write, or what it keeps. */
const WRITTEN = /^--?(?:.*(?:out|save|log|result|dump|report|export|cache|metric|to|dest)\w*)$/i;

/** Settings that a command names, in a folder where the repository keeps such files, and that are not there. */
export function checkNamedFiles(map: ModuleMap, told: readonly ToldCommand[]): Sighting[] {
  return told.flatMap((command) => {
    if (command.path === undefined || command.isForeign) return [];
    return namedFiles(command).flatMap((path) =>
      isMissing(map, path) ? [missing(map, command, path)] : [],
    );
  });
}

function namedFiles({ target: { given } }: ToldCommand): string[] {
  return given.flatMap((word, index) => {
    const [, flag, value] = /^(--?[\w-]+)=(.*)$/s.exec(word ?? '') ?? [];
    const asked = flag ?? given[index - 1] ?? '';
    const path = SETTINGS_FILE.exec(value ?? word ?? '')?.[1];
    return path === undefined || WRITTEN.test(asked) || path.includes('..') ? [] : [path];
  });
}

function isMissing(map: ModuleMap, path: string): boolean {
  return !map.has(path) && siblingsOf(map, path).length > 0;
}

function siblingsOf(map: ModuleMap, path: string): string[] {
  const isAlike = (other: string): boolean =>
    folderOf(other) === folderOf(path) && SETTINGS_FILE.test(other);
  return folderOf(path) === '' ? [] : [...map.files.keys()].filter(isAlike);
}

function missing(map: ModuleMap, command: ToldCommand, path: string): Sighting {
  const near = nearestName(path, siblingsOf(map, path));
  return {
    kind: 'missing-entry-point',
    path: command.tellerPath ?? path,
    symbol: path,
    line: command.tellerPath === null ? 0 : command.line,
    message: (places) =>
      `${command.teller} ${places} gives \`${command.written}\` the file ${path}, which is not in the repository, so it does not start.`.replace(
        / {2,}/g,
        ' ',
      ),
    remedy: `${near === undefined ? 'Name a file that exists' : `Name ${near}, which exists`}, or write ${path}.`,
  };
}
