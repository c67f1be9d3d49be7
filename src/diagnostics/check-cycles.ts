import type { ModuleMap } from './module-map.ts';
import type { ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { type FailedImport, importFailure, type Simulations } from './simulate-imports.ts';

/**
 * Imports that fail because their source is still being loaded: blocking when a script meets them or every way to
 * enter the cycle does, else a warning. Modules that import each other and work whichever comes first are left alone.
 */
export function checkCycles(map: ModuleMap): Sighting[] {
  const files = [...map.files.values()].filter(
    ({ language, problems }) => language === 'python' && problems.length === 0,
  );
  const shared: Simulations = { resolved: new Map(), sound: new Set() };
  const fails = (file: ParsedFile, asScript: boolean): FailedImport | undefined =>
    importFailure(map, file, asScript, shared);
  const asModule = new Map(files.map((file) => [file.path, fails(file, false)]));
  const scripts = files.filter(({ isScript, path }) => isScript || path.endsWith('/__main__.py'));
  const reported = new Map<string, Sighting>();
  const report = (
    start: ParsedFile,
    failure: FailedImport | undefined,
    isScript: boolean,
  ): void => {
    if (failure === undefined) return;
    const isCertain = isScript || failure.cycle.every((path) => asModule.get(path) !== undefined);
    const key = [...failure.cycle].sort().join('\n');
    // One finding a cycle; the first is the one that scripts meet.
    if (!reported.has(key)) reported.set(key, cycleSighting(start, failure, isCertain));
  };
  for (const script of scripts) report(script, fails(script, true), true);
  for (const file of files) report(file, asModule.get(file.path), false);
  return [...reported.values()];
}

function cycleSighting(start: ParsedFile, failure: FailedImport, isCertain: boolean): Sighting {
  const { path, use, name, source, cycle } = failure;
  const round = [...cycle, cycle[0] ?? source].join(' → ');
  const when = isCertain ? '' : ` when ${start.path} is imported first`;
  return {
    kind: isCertain ? 'unresolved-import' : 'import-cycle',
    path,
    symbol: `${name} from ${source}`,
    line: use.line,
    message: (places) =>
      `${path} imports \`${name}\` ${places} from ${source}, which at that moment is itself being loaded and has not defined it (${round}), so the import fails${when}.`,
    remedy: `Import \`${name}\` inside the function that uses it, or move it to a module that imports neither.`,
  };
}
