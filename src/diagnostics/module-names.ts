import {
  isLocal,
  joinPath,
  type LocalModule,
  type ModuleMap,
  relativeBase,
  resolveAbsolute,
} from './module-map.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';

/** What every module has without binding it. */
const BUILT_IN = new Set(
  '__name__ __file__ __doc__ __path__ __dict__ __spec__ __loader__ __package__ __builtins__ __all__ __annotations__ __class__ __cached__'.split(
    ' ',
  ),
);

/** The module that an import names; undefined when it names none of the repository. */
export function resolveImport(
  map: ModuleMap,
  importer: string,
  { module, level }: Pick<ImportUse, 'module' | 'level'>,
): LocalModule | undefined {
  if (level > 0) {
    const base = relativeBase(map, importer, level);
    return base === undefined ? undefined : map.moduleAt(base, module);
  }
  const [topLevel = ''] = module.split('.');
  return isLocal(map, importer, topLevel) ? resolveAbsolute(map, importer, module) : undefined;
}

/** Names that a module binds, those of its star imports included; undefined when they can't be known. */
export function namesOf(
  map: ModuleMap,
  module: LocalModule,
  visited: readonly string[] = [],
): ReadonlySet<string> | undefined {
  // A folder without `__init__.py` binds nothing; what is planned or broken may bind anything.
  if (module.path === undefined) return new Set();
  const file = map.files.get(module.path);
  if (file?.language !== 'python' || file.problems.length > 0 || file.interface.dynamic)
    return undefined;
  const names = new Set(file.interface.names.filter((name) => !isForTypesOnly(file, name)));
  for (const use of file.imports) {
    if (use.names?.[0]?.name !== '*' || use.symbol !== '') continue;
    const starred = starredNames(map, file, use, visited);
    if (starred === undefined) return undefined;
    for (const name of starred) names.add(name);
  }
  return names;
}

/** Bound once, and that under `if TYPE_CHECKING:`, which never runs. */
function isForTypesOnly({ imports, code }: ParsedFile, name: string): boolean {
  const use = imports.find(
    ({ place, names }) =>
      place === 'typing' && names?.some((one) => (one.alias ?? one.name) === name) === true,
  );
  return (
    use !== undefined &&
    code.bindings.some((one) => one.name === name && one.kind === 'import' && one.line === use.line)
  );
}

/** Whether `from module import name` can succeed; true where that can't be known. */
export function provides(map: ModuleMap, module: LocalModule, name: string): boolean {
  if (BUILT_IN.has(name) || submodule(map, module, name) !== undefined) return true;
  const names = namesOf(map, module);
  return names === undefined || names.has(name);
}

/** A module inside a package. */
export function submodule(
  map: ModuleMap,
  { path, folder }: LocalModule,
  name: string,
): LocalModule | undefined {
  const isPackage = path === undefined || path === joinPath(folder, '__init__.py');
  return isPackage ? map.moduleAt(folder, name) : undefined;
}

function starredNames(
  map: ModuleMap,
  file: ParsedFile,
  use: ImportUse,
  visited: readonly string[],
): readonly string[] | undefined {
  const source = resolveImport(map, file.path, use);
  if (source === undefined || source.path === undefined) return undefined;
  if (visited.includes(source.path)) return [];
  const exported = map.files.get(source.path)?.exported;
  if (exported) return exported;
  const names = namesOf(map, source, [...visited, file.path]);
  return names && [...names].filter((name) => !name.startsWith('_'));
}
