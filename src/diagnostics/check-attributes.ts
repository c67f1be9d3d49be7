import { missingName } from './check-imports.ts';
import { isLocal, type LocalModule, type ModuleMap, resolveAbsolute } from './module-map.ts';
import { provides, resolveImport, submodule } from './module-names.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { Sighting } from './sightings.ts';

/** Attributes that one file takes from an imported module of the repository, which that module does not bind. */
export function checkAttributes(
  map: ModuleMap,
  file: ParsedFile,
  assigned: ReadonlySet<string>,
): Sighting[] {
  const modules = importedModules(map, file);
  return file.attributes.flatMap(({ chain, line }) => {
    const [base = '', ...names] = chain.split('.');
    let module = modules.get(base);
    for (const name of names) {
      if (module === undefined || assigned.has(name)) return [];
      const inner: LocalModule | undefined = submodule(map, module, name);
      if (inner === undefined && !provides(map, module, name))
        return [missingName(map, file, { module, name, line })];
      module = inner;
    }
    return [];
  });
}

/** The last names of all attributes that any file sets on a module, wherever they end up. */
export function assignedAttributes(files: Iterable<ParsedFile>): ReadonlySet<string> {
  const chains = [...files].flatMap(({ assigned }) => assigned);
  return new Set(chains.map((chain) => chain.split('.').at(-1) ?? chain));
}

/** What each name stands for, where all imports of the file that bind it agree on a module of the repository. */
function importedModules(map: ModuleMap, file: ParsedFile): ReadonlyMap<string, LocalModule> {
  const bindings = file.imports.flatMap((use) => bindingsOf(map, file, use));
  const modules = new Map<string, LocalModule>();
  for (const [name, module] of bindings) {
    const rivals = bindings.filter(([other]) => other === name);
    if (module && !module.isGuess && rivals.every(([, rival]) => rival?.folder === module.folder))
      modules.set(name, module);
  }
  return modules;
}

function bindingsOf(
  map: ModuleMap,
  file: ParsedFile,
  use: ImportUse,
): readonly (readonly [string, LocalModule | undefined])[] {
  if (use.names !== null) {
    const source = resolveImport(map, file.path, use);
    return use.names.map(({ name, alias }) => {
      const isName = source === undefined || bindsItself(map, source, name);
      return [alias ?? name, isName ? undefined : submodule(map, source, name)] as const;
    });
  }
  const [topLevel = ''] = use.module.split('.');
  if (use.place === 'guarded' || !isLocal(map, file.path, topLevel))
    return [[use.alias ?? topLevel, undefined]];
  const named = use.alias === null ? topLevel : use.module;
  return [[use.alias ?? topLevel, resolveAbsolute(map, file.path, named)]];
}

/** A package may bind a name of its own that hides the sub-module of that name. */
function bindsItself(map: ModuleMap, { path }: LocalModule, name: string): boolean {
  const file = path === undefined ? undefined : map.files.get(path);
  return file === undefined ? path !== undefined : file.interface.names.includes(name);
}
