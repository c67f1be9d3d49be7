import type { FunctionFact } from './class-facts.ts';
import { type CodeIndex, keyOf, type LocalClass, resolveReference } from './code-index.ts';
import { type ComputedSets, isOfTree, readComputedSets } from './computed-sets.ts';
import { isPlain, isTorchModule, membersOfLibrary } from './library-members.ts';

/** A class with all that it inherits. */
export interface Lineage {
  /** The class first, then its bases, each before what it inherits from. */
  readonly classes: readonly LocalClass[];
  /** Libraries' bases whose attributes are known. */
  readonly libraries: readonly string[];
  /** Every base is known, and none makes up attributes or is decorated so that it might. */
  readonly isKnown: boolean;
  /** Every attribute that its objects can have is known; decorators of the repository are followed. */
  readonly isComplete: boolean;
  /** No class in it has more than one base. */
  readonly isSingle: boolean;
}

/** Follows a class's bases as far up as they go. */
function readLineage(index: CodeIndex, start: LocalClass, computed: ReadonlySet<string>): Lineage {
  const classes: LocalClass[] = [];
  const libraries: string[] = [];
  let isKnown = true;
  let isComplete = true;
  let isSingle = true;
  const visit = (local: LocalClass): void => {
    if (classes.some((one) => keyOf(one) === keyOf(local))) return;
    classes.push(local);
    if (local.class.isDynamic) isKnown = false;
    if (local.class.makesUpAttributes || computed.has(keyOf(local))) isComplete = false;
    if (!local.class.decorators.every((one) => one && isOfTree(index, local.path, one)))
      isComplete = false;
    const bases = local.class.bases.map(
      (base) => base && resolveReference(index, local.path, base),
    );
    if (bases.length > 1) isSingle = false;
    for (const base of bases) {
      if (base?.kind === 'class') visit(base);
      else if (base?.kind === 'external' && membersOfLibrary(base.name)) libraries.push(base.name);
      else isKnown = isComplete = false;
    }
  };
  visit(start);
  return { classes, libraries, isKnown, isComplete, isSingle };
}

/** The lineages of all classes of a tree, by class and by each class they inherit from. */
export interface Families {
  readonly lineages: ReadonlyMap<string, Lineage>;
  /** By class: those of the class and of all that inherit from it. */
  readonly heirs: ReadonlyMap<string, readonly Lineage[]>;
  /** Names of classes from which something may inherit that is not decidable. */
  readonly open: ReadonlySet<string>;
  /** Whether an attribute of that name may be set, by a computed name, on an object of any class. */
  readonly maySet: ComputedSets['maySet'];
}

/** Reads every class of a tree with its lineage. */
export function readFamilies(index: CodeIndex): Families {
  const classes = [...index.bindings].flatMap(([path, bindings]) =>
    [...bindings.values()].flatMap((binding): LocalClass[] =>
      binding.kind === 'class' ? [{ kind: 'class', path, class: binding.class }] : [],
    ),
  );
  const { maySet, classes: computed } = readComputedSets(index);
  const lineages = new Map(
    classes.map((local) => [keyOf(local), readLineage(index, local, computed)]),
  );
  const heirs = new Map<string, Lineage[]>();
  for (const lineage of lineages.values())
    for (const ancestor of lineage.classes) {
      const known = heirs.get(keyOf(ancestor));
      if (known === undefined) heirs.set(keyOf(ancestor), [lineage]);
      else known.push(lineage);
    }
  return { lineages, heirs, open: openNames(index, classes), maySet };
}

/** The class and all that inherit from it: what `self` may be in its methods; undefined where others may inherit from it. */
export function heirsOf(
  { heirs, open }: Families,
  local: LocalClass,
): readonly Lineage[] | undefined {
  const known = heirs.get(keyOf(local)) ?? [];
  return known.some(({ classes: [heir] }) => heir && open.has(heir.class.name)) ? undefined : known;
}

/** A class with its bases. */
export function lineageOf({ lineages }: Families, local: LocalClass): Lineage {
  return (
    lineages.get(keyOf(local)) ?? {
      classes: [local],
      libraries: [],
      isKnown: false,
      isComplete: false,
      isSingle: false,
    }
  );
}

/** The last names of bases that could not be followed. */
function openNames(index: CodeIndex, classes: readonly LocalClass[]): ReadonlySet<string> {
  const unfollowed = classes.flatMap(({ path, class: { bases } }) =>
    bases.filter((base) => base !== null && resolveReference(index, path, base) === undefined),
  );
  return new Set([
    ...unfollowed.map((base) => base?.chain.at(-1) ?? ''),
    ...[...index.map.files.values()].flatMap(({ code }) => code.otherBases),
  ]);
}

/** Whether objects of a lineage may have an attribute; true where that can't be known. */
export function mayHave(lineage: Lineage, name: string): boolean {
  const { classes, libraries, isComplete } = lineage;
  return (
    !isComplete ||
    classes.some((one) => one.class.attributes.includes(name)) ||
    libraryHas(lineage, name) ||
    // Private names of a library are not listed.
    (name.startsWith('_') && !libraries.every(isPlain))
  );
}

/** The method that a call finds; `unknown` where a base, a decorator or an assignment may have put something else there. */
export function methodOf(
  index: CodeIndex,
  lineage: Lineage,
  name: string,
): FunctionFact | 'absent' | 'unknown' {
  const [own] = lineage.classes;
  if (index.attributesSet.has(name) || own === undefined) return 'unknown';
  const binding = lineage.classes.filter((one) => one.class.attributes.includes(name));
  const [first] = binding;
  if (first === undefined) return lineage.isKnown ? 'absent' : 'unknown';
  // Behind an unknown base, or with two of them, another method may come first.
  const isOwn = first === own;
  const isOfLibrary = libraryHas(lineage, name) && !lineage.isSingle;
  if (!isOwn && isOfLibrary) return 'unknown';
  if (!isOwn && !(lineage.isKnown && (lineage.isSingle || binding.length === 1))) return 'unknown';
  const isReplaced = binding.some(({ class: one }) =>
    one.instances.some((each) => each.name === name),
  );
  const method = first.class.methods.find(({ symbol }) => symbol === `${first.class.name}.${name}`);
  return isReplaced || method === undefined ? 'unknown' : method;
}

function libraryHas({ libraries }: Lineage, name: string): boolean {
  return libraries.some((library) => membersOfLibrary(library)?.has(name) === true);
}

/** Whether objects of a lineage are PyTorch modules, which are called by their `forward`. */
export function isModule({ libraries }: Lineage): boolean {
  return libraries.some(isTorchModule);
}
