import type { ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';

/** The files that loading some files loads, themselves and the packages around them included. */
export function loadedFrom(map: ModuleMap, paths: readonly string[]): ReadonlySet<string> {
  const loaded = new Set(paths);
  for (const path of loaded)
    for (const use of map.files.get(path)?.imports ?? []) {
      const module = resolveImport(map, path, use);
      if (module === undefined) continue;
      const inner = (use.names ?? []).map(({ name }) => submodule(map, module, name)?.path);
      const around = packagesAround(module.folder);
      for (const one of [module.path, ...inner, ...around])
        if (one !== undefined && map.files.has(one)) loaded.add(one);
    }
  return loaded;
}

/** Importing `a.b.c` runs the packages around it too. */
function packagesAround(folder: string): string[] {
  const parts = folder.split('/');
  return parts.map((_, index) => [...parts.slice(0, index), '__init__.py'].join('/'));
}
