import type { LocalModule, ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';
import type { ImportUse, ParsedFile } from './parsed-file.ts';

/** An import of a name that its module has not bound yet, because it is itself still being loaded. */
export interface FailedImport {
  readonly path: string;
  readonly use: ImportUse;
  readonly name: string;
  /** The module that is only half loaded. */
  readonly source: string;
  /** What was being loaded, from the source to the file, in order. */
  readonly cycle: readonly string[];
}

/** What one simulation leaves to the next over the same tree. */
export interface Simulations {
  readonly resolved: Map<ImportUse, LocalModule | undefined>;
  /** Modules that load, whichever of them comes first. */
  readonly sound: Set<string>;
}

/** Loads modules as Python would, as far as their imports at module level tell. */
interface Loading extends Simulations {
  readonly map: ModuleMap;
  /** The line that each module in loading has come to. */
  readonly stack: Map<string, number>;
  readonly done: Set<string>;
  /** Some import named a module that was being loaded. */
  met: boolean;
}

/**
 * The first import that fails when a file is loaded before all others; undefined when none does. As a script, the file
 * is a module of its own that nobody imports. `shared` spares work for the next file.
 */
export function importFailure(
  map: ModuleMap,
  { path, imports }: ParsedFile,
  asScript: boolean,
  shared: Simulations,
): FailedImport | undefined {
  if (!asScript && shared.sound.has(path)) return undefined;
  const state = {
    map,
    ...shared,
    stack: new Map<string, number>(),
    done: new Set<string>(),
    met: false,
  };
  const failure = startLoading(state, path, imports, asScript);
  // Where nobody meets a module in loading, the order does not matter.
  if (!state.met) for (const one of state.done) shared.sound.add(one);
  return failure;
}

function startLoading(
  state: Loading,
  path: string,
  imports: ParsedFile['imports'],
  asScript: boolean,
): FailedImport | undefined {
  const folder = path.replace(/(\/__init__)?\.pyi?$/, '');
  if (!asScript) return loadModule(state, { name: '', path, folder });
  const parents = loadModule(state, { name: '', path: undefined, folder });
  if (parents !== undefined) return parents;
  return firstOf(
    imports.filter(({ place }) => place === 'module'),
    (use) => loadImport(state, { path }, use),
  );
}

function firstOf<Item>(
  items: readonly Item[],
  find: (item: Item) => FailedImport | undefined,
): FailedImport | undefined {
  for (const item of items) {
    const failure = find(item);
    if (failure !== undefined) return failure;
  }
  return undefined;
}

/** Parents first, as Python does: `a/__init__.py` before `a/b.py`. */
function loadModule(state: Loading, module: LocalModule): FailedImport | undefined {
  const parts = module.folder.split('/');
  const parents = parts
    .slice(0, -1)
    .map((_, index) => `${parts.slice(0, index + 1).join('/')}/__init__.py`)
    .filter((path) => state.map.files.has(path));
  return firstOf([...parents, ...(module.path === undefined ? [] : [module.path])], (path) =>
    load(state, path),
  );
}

function load(state: Loading, path: string): FailedImport | undefined {
  const file = state.map.files.get(path);
  if (file === undefined || state.done.has(path) || state.stack.has(path)) return undefined;
  if (state.sound.has(path)) return undefined;
  for (const use of file.imports) {
    if (use.place !== 'module') continue;
    state.stack.set(path, use.line);
    const failure = loadImport(state, file, use);
    if (failure !== undefined) return failure;
  }
  state.stack.delete(path);
  state.done.add(path);
  return undefined;
}

function loadImport(
  state: Loading,
  file: Pick<ParsedFile, 'path'>,
  use: ImportUse,
): FailedImport | undefined {
  if (!state.resolved.has(use)) state.resolved.set(use, resolveImport(state.map, file.path, use));
  const module = state.resolved.get(use);
  if (module === undefined) return undefined;
  if (use.names === null && state.stack.has(module.path ?? '')) state.met = true;
  const failure = loadModule(state, module);
  if (failure !== undefined) return failure;
  for (const { name } of use.names ?? []) {
    const inner = submodule(state.map, module, name);
    const reached = module.path === undefined ? undefined : state.stack.get(module.path);
    if (state.stack.has((inner ?? module).path ?? '')) state.met = true;
    const isPartial = module.path !== file.path && reached !== undefined;
    if (isPartial && inner === undefined && isUnbound(state.map, module, name, reached)) {
      const stack = [...state.stack.keys()];
      const cycle = stack.slice(stack.indexOf(module.path ?? ''));
      return { path: file.path, use, name, source: module.path ?? '', cycle };
    }
    const further = inner === undefined ? undefined : loadModule(state, inner);
    if (further !== undefined) return further;
  }
  return undefined;
}

/** Whether a module that has come to a line has yet to bind a name. Where that can't be known, it has bound it. */
function isUnbound(map: ModuleMap, { path }: LocalModule, name: string, reached: number): boolean {
  const file = path === undefined ? undefined : map.files.get(path);
  if (file === undefined || file.problems.length > 0 || file.interface.dynamic) return false;
  const bindings = file.code.bindings.filter((binding) => binding.name === name);
  // Of a name that is bound more than once the first line is told.
  return bindings.length === 1 && bindings.every(({ line }) => line >= reached);
}
