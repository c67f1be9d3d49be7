import type { LocalModule, ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';
import type { SettingsClass } from './settings-facts.ts';

/** What a dotted name of a file stands for within the repository. */
export interface Meaning {
  readonly path: string;
  readonly name: string;
  readonly kind: 'function' | 'class' | 'variable';
}

const MAX_HOPS = 5;

interface FileIndex {
  readonly functions: ReadonlyMap<string, readonly string[]>;
  readonly classes: ReadonlyMap<string, SettingsClass>;
  readonly names: ReadonlySet<string>;
  /** The import that binds a name, the first of several. */
  readonly imports: ReadonlyMap<string, ImportUse>;
}

/** Made once for each parsed file. */
const indexes = new WeakMap<ParsedFile, FileIndex>();

/** The functions, with their parameters, and classes of a file by name. */
export function indexOf(file: ParsedFile): FileIndex {
  const known = indexes.get(file);
  if (known) return known;
  const { flow, classes } = file.settings;
  const index = {
    functions: new Map(flow.functions.map(({ symbol, parameters }) => [symbol, parameters])),
    classes: new Map(classes.map((each) => [each.name, each])),
    names: new Set(file.interface.names),
    imports: importsByName(file),
  };
  indexes.set(file, index);
  return index;
}

/** What a dotted name means in a file, through its imports; undefined where that is not of the repository or not decidable. */
export function meaningOf(
  map: ModuleMap,
  file: ParsedFile,
  dotted: string,
  hops = 0,
): Meaning | undefined {
  const { functions, classes, names, imports } = indexOf(file);
  const at = (kind: Meaning['kind']): Meaning => ({ path: file.path, name: dotted, kind });
  if (classes.has(dotted)) return at('class');
  if (functions.has(dotted)) return at('function');
  const [root = '', ...rest] = dotted.split('.');
  const use = imports.get(root);
  if (use === undefined) return rest.length === 0 && names.has(root) ? at('variable') : undefined;
  if (hops > MAX_HOPS || use.place === 'guarded') return undefined;
  const module = moduleOf(map, file, use);
  if (module === undefined) return undefined;
  const imported = use.names?.find(({ name, alias }) => (alias ?? name) === root);
  const path = module.path;
  if (imported === undefined) {
    // `import a.b` binds `a`, and the rest of the name leads on.
    const written = use.alias === null ? use.module.split('.').slice(1) : [];
    const inner = rest.slice(written.length).join('.');
    const target = path === undefined ? undefined : map.files.get(path);
    return target && inner !== '' ? meaningOf(map, target, inner, hops + 1) : undefined;
  }
  const inModule = path === undefined ? undefined : map.files.get(path);
  const found = inModule && meaningOf(map, inModule, [imported.name, ...rest].join('.'), hops + 1);
  if (found !== undefined) return found;
  const inner = submodule(map, module, imported.name);
  const target = inner?.path === undefined ? undefined : map.files.get(inner.path);
  return target && rest.length > 0 ? meaningOf(map, target, rest.join('.'), hops + 1) : undefined;
}

/** What each import of a map's files names, sought once: most names that are called come from few imports. */
const modules = new WeakMap<ModuleMap, Map<ImportUse, LocalModule | undefined>>();

function moduleOf(map: ModuleMap, { path }: ParsedFile, use: ImportUse): LocalModule | undefined {
  const known = modules.get(map) ?? new Map<ImportUse, LocalModule | undefined>();
  modules.set(map, known);
  if (!known.has(use)) known.set(use, resolveImport(map, path, use));
  return known.get(use);
}

function importsByName({ imports }: ParsedFile): FileIndex['imports'] {
  const byName = new Map<string, ImportUse>();
  for (const use of imports)
    for (const name of boundNames(use)) if (!byName.has(name)) byName.set(name, use);
  return byName;
}

function boundNames({ module, names, alias }: ImportUse): readonly string[] {
  if (names !== null) return names.map((each) => each.alias ?? each.name);
  return [alias ?? module.split('.')[0] ?? module];
}
