import { type Families, heirsOf } from './class-family.ts';
import type { Receiver } from './code-facts.ts';
import { classIn, type CodeIndex, type LocalClass, resolveReference } from './code-index.ts';

/** The class of the repository that an object is said to be of; undefined where that can't be known. */
export function classOfReceiver(
  index: CodeIndex,
  families: Families,
  path: string,
  receiver: Receiver,
): LocalClass | undefined {
  switch (receiver.kind) {
    case 'self':
      return classIn(index, path, receiver.owner);
    case 'self-attribute': {
      const owner = classIn(index, path, receiver.owner);
      return owner && heldObject(index, families, owner, receiver.attribute);
    }
    // What `super()` lacks, a sibling of the class may have.
    case 'super':
      return undefined;
    case 'instance':
    case 'annotated': {
      const entity = resolveReference(index, path, receiver.of);
      return entity?.kind === 'class' ? entity : undefined;
    }
  }
}

/** The class of what an attribute of `self` holds, where it is set in one place only. */
export function heldObject(
  index: CodeIndex,
  families: Families,
  local: LocalClass,
  attribute: string,
): LocalClass | undefined {
  const of = local.class.instances.find(({ name }) => name === attribute)?.of;
  const entity = of && resolveReference(index, local.path, of);
  if (entity?.kind !== 'class' || index.attributesSet.has(attribute)) return undefined;
  if (families.maySet(attribute) || local.class.isDynamic) return undefined;
  const relatives = heirsOf(families, local)?.flatMap(({ classes }) => classes);
  if (relatives === undefined) return undefined;
  const setters = new Set(
    relatives
      .filter(({ class: one }) => one.attributes.includes(attribute))
      .map((one) => one.class),
  );
  return setters.size === 1 ? entity : undefined;
}
