import type { ImportOrigin, ModuleBinding, Receiver, Reference } from './code-facts.ts';
import { classIn, type CodeIndex, type Entity, keyOf, resolveReference } from './code-index.ts';
import { resolveImport } from './module-names.ts';

/** Imports of imports further than this are not followed. */
const MAX_HOPS = 5;

/** Whose attributes with computed names are set anywhere in a tree. */
export interface ComputedSets {
  /** On what may be of any class. */
  readonly isEverywhere: boolean;
  readonly classes: ReadonlySet<string>;
}

/** Follows what attributes with computed names are set on. */
export function readComputedSets(index: CodeIndex): ComputedSets {
  const classes = new Set<string>();
  let isEverywhere = false;
  for (const { path, code, problems } of index.map.files.values())
    for (const target of problems.length > 0 ? [] : code.computedSets) {
      const entity = target === null ? undefined : entityOf(index, path, target);
      if (entity === undefined) isEverywhere = true;
      else if (entity.kind === 'class') classes.add(keyOf(entity));
    }
  return { isEverywhere, classes };
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
