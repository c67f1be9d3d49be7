import type { ImportOrigin, Reference } from './class-facts.ts';
import type { ModuleBinding, Receiver } from './code-facts.ts';
import { classIn, type CodeIndex, type Entity, keyOf, resolveReference } from './code-index.ts';
import { resolveImport } from './module-names.ts';
import type { ParsedFile } from './parsed-file.ts';

/** Imports of imports further than this are not followed. */
const MAX_HOPS = 5;

/** Whose attributes with computed names are set anywhere in a tree. */
export interface ComputedSets {
  readonly classes: ReadonlySet<string>;
  /** Whether an attribute of that name may be set on an object of any class. */
  readonly maySet: (name: string) => boolean;
}

/** Follows what attributes with computed names are set on. */
export function readComputedSets(index: CodeIndex): ComputedSets {
  const classes = new Set<string>();
  const files = [...index.map.files.values()].filter(({ problems }) => problems.length === 0);
  let isAnywhere = false;
  for (const { path, code } of files)
    for (const { receiver, isArbitrary } of code.computedSets) {
      const entity = receiver === null ? undefined : entityOf(index, path, receiver);
      if (entity?.kind === 'class') classes.add(keyOf(entity));
      else if (entity === undefined && isArbitrary) return { classes, maySet: () => true };
      else if (entity === undefined) isAnywhere = true;
    }
  return { classes, maySet: isAnywhere ? sayerOf(files) : () => false };
}

/** Whether any file says a name, or a part of it that names are put together with. */
function sayerOf(files: readonly ParsedFile[]): (name: string) => boolean {
  const said = files.map(({ code }) => code.said);
  const names = new Set(said.flatMap((one) => one.names));
  const prefixes = [...new Set(said.flatMap((one) => one.prefixes))];
  const suffixes = [...new Set(said.flatMap((one) => one.suffixes))];
  return (name) =>
    names.has(name) ||
    prefixes.some((part) => name.startsWith(part)) ||
    suffixes.some((part) => name.endsWith(part));
}

/** The class of an object, or something of which no class of the tree is; undefined where that can't be known. */
function entityOf(index: CodeIndex, path: string, receiver: Receiver): Entity | undefined {
  switch (receiver.kind) {
    case 'instance':
      return resolveReference(index, path, receiver.of);
    case 'annotated': {
      // Of a library's class a class of the tree may be an heir.
      const entity = resolveReference(index, path, receiver.of);
      return entity?.kind === 'class' ? entity : undefined;
    }
    case 'self-attribute': {
      const owner = classIn(index, path, receiver.owner);
      const held = owner?.class.instances.find(({ name }) => name === receiver.attribute)?.of;
      const isReplaced = index.attributesSet.has(receiver.attribute);
      return held && !isReplaced ? resolveReference(index, path, held) : undefined;
    }
    case 'self':
    case 'super':
      return undefined;
  }
}

/** Whether a decorator is of the tree itself, where what it sets is seen: a function, or a method of a class or of a module's object. */
export function isOfTree(index: CodeIndex, path: string, reference: Reference): boolean {
  const entity = resolveReference(index, path, reference);
  if (entity !== undefined) return entity.kind !== 'external';
  const { origin, chain } = reference;
  const [first = ''] = chain;
  const holder = origin === null ? bindingAt(index, path, first) : followed(index, path, origin, 0);
  const maker = holder?.binding.kind === 'unknown' ? holder.binding.of : undefined;
  if (holder === undefined || maker === undefined) return false;
  return resolveReference(index, holder.path, maker)?.kind === 'class';
}

interface PlacedBinding {
  readonly path: string;
  readonly binding: ModuleBinding;
}

function bindingAt(
  index: CodeIndex,
  path: string,
  name: string,
  hops = 0,
): PlacedBinding | undefined {
  const binding = index.bindings.get(path)?.get(name);
  if (binding?.kind === 'import') return followed(index, path, binding.origin, hops + 1);
  return binding && { path, binding };
}

function followed(
  index: CodeIndex,
  path: string,
  origin: ImportOrigin,
  hops: number,
): PlacedBinding | undefined {
  const module = resolveImport(index.map, path, origin)?.path;
  if (module === undefined || origin.name === null || hops > MAX_HOPS) return undefined;
  return bindingAt(index, module, origin.name, hops);
}
