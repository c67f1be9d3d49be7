import type { Parameter } from './class-facts.ts';
import { type CodeIndex, type LocalClass, resolveReference } from './code-index.ts';
import { isPlain } from './library-members.ts';
import { type Families, type Lineage, lineageOf, methodOf } from './class-family.ts';

/** Bases whose classes are called in ways of their own. */
const CALLED_OTHERWISE = /^(enum\.|typing(_extensions)?\.(TypedDict|Protocol)$|type$)/;

/** The parameters of `ClassName(…)`, without `self`; undefined where they can't be known. */
export function constructorOf(
  index: CodeIndex,
  families: Families,
  local: LocalClass,
): readonly Parameter[] | undefined {
  const lineage = lineageOf(families, local);
  const externals = lineage.classes.flatMap((one) =>
    one.class.bases.map((base) => base && resolveReference(index, one.path, base)),
  );
  const isOrdinary = externals.every(
    (base) => base?.kind !== 'external' || !CALLED_OTHERWISE.test(base.name),
  );
  if (lineage.classes.some((one) => one.class.isDynamic) || !isOrdinary) return undefined;
  if (externals.some((base) => base?.kind === 'external' && base.name === 'typing.NamedTuple'))
    return tupleParameters(lineage);
  if (externals.some((base) => base === undefined) && !hasOwnInit(local)) return undefined;
  const maker = lineage.classes.find((one) => makesInit(one));
  if (maker?.class.dataclass && !hasOwnInit(maker)) return dataclassParameters(lineage, maker);
  const init = methodOf(index, lineage, '__init__');
  if (init === 'unknown') return undefined;
  // Without one, Python's own takes nothing; those of libraries are left alone.
  if (init === 'absent') return lineage.libraries.every(isPlain) ? [] : undefined;
  return init.role === 'method' ? init.parameters.slice(1) : undefined;
}

function hasOwnInit({ class: { attributes } }: LocalClass): boolean {
  return attributes.includes('__init__');
}

function makesInit(local: LocalClass): boolean {
  return hasOwnInit(local) || local.class.dataclass?.makesInit === true;
}

function tupleParameters({ classes }: Lineage): readonly Parameter[] | undefined {
  const [own] = classes;
  if (own === undefined || classes.length > 1 || hasOwnInit(own)) return undefined;
  return own.class.fields.map(({ name, isOptional }) => ({ name, kind: 'either', isOptional }));
}

/** The fields of all dataclasses in a line of single bases, the farthest base first; a field that comes again keeps its place. */
function dataclassParameters(
  lineage: Lineage,
  maker: LocalClass,
): readonly Parameter[] | undefined {
  if (!lineage.isKnown || !lineage.isSingle || lineage.classes[0] !== maker) return undefined;
  const fields = new Map<string, Parameter & { readonly isParameter: boolean }>();
  for (const { class: one } of lineage.classes.toReversed()) {
    if (one.dataclass === null) continue;
    for (const field of one.fields) {
      const isKeyword = field.isKeyword || one.dataclass.keywordOnly;
      fields.set(field.name, {
        name: field.name,
        kind: isKeyword ? 'keyword' : 'either',
        isOptional: field.isOptional,
        isParameter: field.isParameter,
      });
    }
  }
  const parameters = [...fields.values()].filter(({ isParameter }) => isParameter);
  return [
    ...parameters.filter(({ kind }) => kind === 'either'),
    ...parameters.filter(({ kind }) => kind === 'keyword'),
  ];
}
