import type { ClassFact, FunctionFact, ImportOrigin, Reference } from './class-facts.ts';
import type { ModuleBinding } from './code-facts.ts';
import type { LocalModule, ModuleMap } from './module-map.ts';
import { resolveImport, submodule } from './module-names.ts';
import type { ParsedFile } from './parsed-file.ts';

/** What a dotted name turns out to be; `external` is a dotted name of a library or of Python. */
export type Entity =
  | { readonly kind: 'module'; readonly module: LocalModule }
  | { readonly kind: 'function'; readonly path: string; readonly function: FunctionFact }
  | { readonly kind: 'class'; readonly path: string; readonly class: ClassFact }
  | { readonly kind: 'external'; readonly name: string };

/** A class with the file it is in. */
export type LocalClass = Extract<Entity, { readonly kind: 'class' }>;

/** All that is known of a tree's code, ready to follow names through it. */
export interface CodeIndex {
  readonly map: ModuleMap;
  readonly bindings: ReadonlyMap<string, ReadonlyMap<string, ModuleBinding>>;
  /** Attributes that some file sets on anything but `self`. */
  readonly attributesSet: ReadonlySet<string>;
  /** Names that objects may have through classes that no check follows. */
  readonly otherAttributes: ReadonlySet<string>;
}

/** Gathers the facts of all files that parse. */
export function indexCode(map: ModuleMap): CodeIndex {
  const files = [...map.files.values()].filter(({ problems }) => problems.length === 0);
  return {
    map,
    bindings: new Map(
      files.map(({ path, code }) => [path, new Map(code.bindings.map((one) => [one.name, one]))]),
    ),
    attributesSet: new Set(files.flatMap(({ code }) => code.attributesSet)),
    otherAttributes: new Set(files.flatMap(({ code }) => code.otherAttributes)),
  };
}

/** Where a class is, as one word. */
export function keyOf({ path, class: { name } }: LocalClass): string {
  return `${path}:${name}`;
}

/** What a reference in a file stands for; undefined where it can't be known. */
export function resolveReference(
  index: CodeIndex,
  path: string,
  { origin, chain }: Reference,
): Entity | undefined {
  const [first = '', ...rest] = chain;
  const start =
    origin === null ? lookUpName(index, path, first, []) : followImport(index, path, origin, []);
  return rest.reduce<Entity | undefined>((entity, name) => memberOf(index, entity, name), start);
}

/** The class of that name in a file. */
export function classIn(index: CodeIndex, path: string, name: string): LocalClass | undefined {
  const binding = index.bindings.get(path)?.get(name);
  return binding?.kind === 'class' ? { kind: 'class', path, class: binding.class } : undefined;
}

function lookUpName(
  index: CodeIndex,
  path: string,
  name: string,
  visited: readonly string[],
): Entity | undefined {
  const binding = index.bindings.get(path)?.get(name);
  switch (binding?.kind) {
    case 'function':
      return { kind: 'function', path, function: binding.function };
    case 'class':
      return { kind: 'class', path, class: binding.class };
    case 'import':
      return followImport(index, path, binding.origin, [...visited, `${path}:${name}`]);
    case 'unknown':
      return undefined;
    case undefined:
      return { kind: 'external', name };
  }
}

function followImport(
  index: CodeIndex,
  path: string,
  origin: ImportOrigin,
  visited: readonly string[],
): Entity | undefined {
  const module = resolveImport(index.map, path, origin);
  if (module === undefined) {
    const name = origin.name === null ? origin.module : `${origin.module}.${origin.name}`;
    return origin.level === 0 ? { kind: 'external', name } : undefined;
  }
  if (module.isGuess) return undefined;
  if (origin.name === null) return { kind: 'module', module };
  return nameIn(index, module, origin.name, visited);
}

function nameIn(
  index: CodeIndex,
  module: LocalModule,
  name: string,
  visited: readonly string[],
): Entity | undefined {
  const { path } = module;
  const file = path === undefined ? undefined : index.map.files.get(path);
  if (path !== undefined && (!file || file.problems.length > 0)) return undefined;
  // A module's `__getattr__` is asked only for what the module does not have.
  if (file?.interface.dynamic && !file.interface.names.includes('__getattr__')) return undefined;
  if (path === undefined || !index.bindings.get(path)?.has(name))
    return starredName(index, file, name, visited) ?? submoduleEntity(index, module, name);
  // Whoever sets an attribute of this name may have replaced the function.
  if (visited.includes(`${path}:${name}`) || index.attributesSet.has(name)) return undefined;
  return lookUpName(index, path, name, visited);
}

function starredName(
  index: CodeIndex,
  file: ParsedFile | undefined,
  name: string,
  visited: readonly string[],
): Entity | undefined {
  const stars = (file?.imports ?? []).filter(
    ({ names, symbol }) => names?.[0]?.name === '*' && symbol === '',
  );
  const [star] = stars;
  // With two of them, the one that comes last wins, if it has the name at all.
  if (file === undefined || star === undefined || stars.length > 1 || name.startsWith('_'))
    return undefined;
  const source = resolveImport(index.map, file.path, star);
  const isVisited = visited.includes(`${file.path}:*${name}`);
  if (source === undefined || source.path === undefined || isVisited) return undefined;
  const exported = index.map.files.get(source.path)?.exported;
  if (exported ? !exported.includes(name) : file.interface.dynamic) return undefined;
  return nameIn(index, source, name, [...visited, `${file.path}:*${name}`]);
}

function submoduleEntity(index: CodeIndex, module: LocalModule, name: string): Entity | undefined {
  const inner = submodule(index.map, module, name);
  return inner && { kind: 'module', module: inner };
}

function memberOf(index: CodeIndex, entity: Entity | undefined, name: string): Entity | undefined {
  switch (entity?.kind) {
    case 'module':
      return nameIn(index, entity.module, name, []);
    case 'external':
      return { kind: 'external', name: `${entity.name}.${name}` };
    case 'class': {
      if (entity.class.isDynamic || index.attributesSet.has(name)) return undefined;
      const method = entity.class.methods.find(({ symbol }) => symbol.endsWith(`.${name}`));
      return method && { kind: 'function', path: entity.path, function: method };
    }
    case 'function':
    case undefined:
      return undefined;
  }
}
