import { isLocal, joinPath, type LocalModule, type ModuleMap, folderOf } from './module-map.ts';
import { provides } from './module-names.ts';
import { editDistance } from './nearest-name.ts';
import { isHomeMade } from './home-made.ts';
import { broughtBy, isUnmistakable, providersOf } from './package-names.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';
import { STANDARD_LIBRARY } from './standard-library.ts';

/** Where a reader looks for a repository's packages, the first that exists. */
const DECLARING_FILES = [
  'requirements.txt',
  'pyproject.toml',
  'environment.yml',
  'environment.yaml',
  'setup.py',
];
/** What builds documentation, and what tools keep in folders of theirs, runs where these are installed. */
const OF_TOOLS = /(^|\/)(docs?\/(.*\/)?conf\.py$|\.[\w-]+\/)/;
/** Shorter names are like too many others. */
const MIN_SIMILAR_LENGTH = 5;

/** Imports that are neither local, nor Python's own, nor provided by a declared package. */
export function checkPackages(map: ModuleMap, planned: readonly string[]): Sighting[] {
  const files = [...map.files.values()];
  const declaring = files.filter(({ declares }) => declares !== null);
  const declared = new Set(declaring.flatMap(({ declares }) => declares ?? []));
  const brought = new Set([...declared].flatMap(broughtBy));
  const home = homeOf(map, declaring);
  // A list that is still to be written may name anything.
  const isListPlanned = planned.some(isDeclaringFile) && home === undefined;
  return files.flatMap((file) =>
    file.imports.flatMap((use) => {
      const module = use.module.split('.')[0] ?? '';
      if (use.level > 0 || use.place !== 'module' || STANDARD_LIBRARY.has(module)) return [];
      if (OF_TOOLS.test(file.path)) return [];
      if (isLocal(map, file.path, module) || isForTests(module, file.path)) return [];
      const providers = providersOf(module);
      if (providers.length === 0 || providers.some((name) => declared.has(name))) return [];
      if (brought.has(module)) return [];
      const meant = isUnmistakable(module) ? undefined : meantModule(map, file, use);
      const isOwn = isHomeMade(module) && !files.some(({ extendsPath }) => extendsPath);
      if (meant !== undefined || isOwn) return [misnamed(file, use, meant)];
      return isListPlanned ? [] : [undeclared(home, file, use, providers[0] ?? module)];
    }),
  );
}

/** The file that a reader is told of: the first that names any package. */
function homeOf({ files }: ModuleMap, declaring: readonly ParsedFile[]): string | undefined {
  const there = DECLARING_FILES.filter((path) => files.has(path));
  const naming = there.find((path) => (files.get(path)?.declares ?? []).length > 0);
  return naming ?? there[0] ?? declaring[0]?.path;
}

function isDeclaringFile(path: string): boolean {
  return /(^|\/)(requirements[\w.-]*\.txt|pyproject\.toml|environment[\w.-]*\.ya?ml|setup\.(py|cfg))$/.test(
    path,
  );
}

/** Test runners need not be declared with what a repository runs on. */
function isForTests(module: string, path: string): boolean {
  return /^(pytest|hypothesis|nose)$/.test(module) && /(^|\/)(tests?\/|test_|conftest)/.test(path);
}

function undeclared(
  home: string | undefined,
  file: ParsedFile,
  use: ImportUse,
  provider: string,
): Sighting {
  const place = home ?? file.path;
  const list = home ?? 'no requirements file';
  return {
    kind: 'undeclared-package',
    path: place,
    symbol: provider,
    line: 0,
    message: () =>
      `${file.path} imports \`${use.module}\` (line ${use.line}), but ${list} ${home ? 'does not name' : 'names'} the package \`${provider}\`, so a fresh installation lacks it.`,
    remedy: `Add \`${provider}\` to ${home ?? 'a requirements.txt'}, or do without it.`,
  };
}

function misnamed({ path }: ParsedFile, use: ImportUse, meant: LocalModule | undefined): Sighting {
  return {
    kind: 'unresolved-import',
    path,
    symbol: use.symbol === '' ? use.module : `${use.symbol}: ${use.module}`,
    line: use.line,
    message: (places) =>
      `${path} imports \`${use.module}\` ${places}, which is neither a module at the top of the repository nor a declared package, so the import fails.`,
    remedy:
      meant === undefined
        ? `Import what exists, or write the module \`${use.module}\`.`
        : `Import \`${meant.name}\`, which is in ${meant.path ?? meant.folder}.`,
  };
}

/** The module of the repository that an import most likely means: its neighbour, or one of nearly that name that has all that is asked of it. */
function meantModule(
  map: ModuleMap,
  { path }: ParsedFile,
  use: ImportUse,
): LocalModule | undefined {
  const neighbour = map.moduleAt(joinPath(folderOf(path), ''), use.module);
  if (neighbour?.path !== undefined && folderOf(path) !== '') return neighbour;
  const wanted = (use.names ?? []).map(({ name }) => name).filter((name) => name !== '*');
  return map.modules.find((module) => {
    const isAlike = module.name.endsWith(`.${use.module}`) || isMisspelt(use.module, module.name);
    const isWritten = module.path !== undefined && map.files.has(module.path);
    if (!isAlike || !isWritten || module.path === path) return false;
    return wanted.length > 0
      ? wanted.every((name) => provides(map, module, name))
      : use.module.includes('.');
  });
}

function isMisspelt(written: string, name: string): boolean {
  if (written.length < MIN_SIMILAR_LENGTH || Math.abs(written.length - name.length) > 1)
    return false;
  return editDistance(written, name) === 1;
}
