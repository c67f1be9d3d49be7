import {
  isLocal,
  type LocalModule,
  type ModuleMap,
  relativeBase,
  resolveAbsolute,
} from './module-map.ts';
import { namesOf, provides, resolveImport, submodule } from './module-names.ts';
import { nearestName } from './nearest-name.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Imports of one file that name no module of the repository, or names that such a module does not bind. */
export function checkImports(map: ModuleMap, file: ParsedFile): Sighting[] {
  return file.imports.flatMap((use) => {
    // A try that catches ImportError has an answer to failure; `if TYPE_CHECKING:` never runs.
    if (use.place === 'guarded' || use.place === 'typing' || use.module === '__future__') return [];
    if (use.level > 0 && relativeBase(map, file.path, use.level) === undefined)
      return [abovePackage(file, use)];
    const [topLevel = ''] = use.module.split('.');
    if (use.level === 0 && !isLocal(map, file.path, topLevel)) return [];
    if (use.level === 0 && resolveAbsolute(map, file.path, topLevel)?.isGuess) return [];
    const module = resolveImport(map, file.path, use);
    if (module === undefined)
      return isUnderDynamic(map, file, use) ? [] : [missingModule(map, file, use)];
    return (use.names ?? [])
      .filter(({ name }) => name !== '*' && !isProvided(map, file, module, name))
      .map(({ name }) => missingName(map, file, { module, name, line: use.line }));
  });
}

/** Where a name is missing, and from which module. */
interface Missing {
  readonly module: LocalModule;
  readonly name: string;
  readonly line: number;
}

/** That a module of the repository does not bind a name which a file takes from it. */
export function missingName(
  map: ModuleMap,
  { path }: ParsedFile,
  { module, name, line }: Missing,
): Sighting {
  const source = module.path ?? `${module.folder}/`;
  const near = nearestName(name, namesOf(map, module) ?? []);
  const instead = near === undefined ? '' : `use \`${near}\`, which it has, or `;
  return {
    kind: 'unresolved-name',
    path,
    symbol: `${name} from ${module.name}`,
    line,
    message: (places) =>
      `${path} takes \`${name}\` from \`${module.name}\` ${places}, but ${source} defines no such name, so it fails when it runs.`,
    remedy: capitalised(
      `${instead}define \`${name}\` in ${source}, or take it from where it is defined.`,
    ),
  };
}

function isProvided(map: ModuleMap, file: ParsedFile, module: LocalModule, name: string): boolean {
  if (module.path !== file.path) return provides(map, module, name);
  // In a package's own `__init__.py` the import itself would count as the binding.
  const isDefined = file.interface.definitions.some((definition) => definition.name === name);
  return isDefined || file.interface.dynamic || submodule(map, module, name) !== undefined;
}

/** A module that makes up its sub-modules as it is loaded, as `six.moves` is made. */
function isUnderDynamic(
  map: ModuleMap,
  { path }: ParsedFile,
  { module, level }: ImportUse,
): boolean {
  const segments = module.split('.');
  return segments.some((_, index) => {
    const prefix = segments.slice(0, index).join('.');
    const outer = prefix === '' ? undefined : resolveImport(map, path, { module: prefix, level });
    return outer?.path !== undefined && map.files.get(outer.path)?.interface.dynamic === true;
  });
}

function abovePackage({ path }: ParsedFile, use: ImportUse): Sighting {
  const written = writtenModule(use);
  return {
    kind: 'unresolved-import',
    path,
    symbol: symbolOf(use, written),
    line: use.line,
    message: (places) =>
      `${path} imports \`${written}\` ${places}, whose dots lead out of the package it is in, so the import fails.`,
    remedy: 'Use an absolute import of the module, or fewer dots.',
  };
}

function missingModule(map: ModuleMap, { path }: ParsedFile, use: ImportUse): Sighting {
  const written = writtenModule(use);
  const base = use.level > 0 ? relativeBase(map, path, use.level) : undefined;
  const prefix =
    base === undefined || base === '' ? '' : `${base.replace(/^src\//, '').replaceAll('/', '.')}.`;
  const names = map.modules.map(({ name }) => name);
  const near = nearestName(prefix + use.module, names);
  const instead = near === undefined ? '' : `import \`${near}\`, which exists, or `;
  return {
    kind: 'unresolved-import',
    path,
    symbol: symbolOf(use, written),
    line: use.line,
    message: (places) =>
      `${path} imports \`${written}\` ${places}, but no file of the repository is that module, so the import fails.`,
    remedy: capitalised(`${instead}put what is needed into a module that exists.`),
  };
}

function writtenModule({ module, level }: ImportUse): string {
  return '.'.repeat(level) + module;
}

function symbolOf({ symbol }: ImportUse, written: string): string {
  return symbol === '' ? written : `${symbol}: ${written}`;
}

function capitalised(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
