import type { FunctionFact } from './code-facts.ts';
import { type CodeIndex, type LocalClass, resolveReference } from './code-index.ts';

/** What a class gets from libraries: for bases whose attributes are all known. */
const KNOWN_BASES: Readonly<Record<string, readonly string[]>> = {
  object: [],
  'abc.ABC': [],
  'typing.Generic': [],
  'torch.utils.data.Dataset': [],
  'torch.nn.Module':
    'training dump_patches call_super_init forward T_destination register_buffer register_parameter add_module register_module get_submodule set_submodule get_parameter get_buffer get_extra_state set_extra_state apply cuda ipu xpu mtia cpu type float double half bfloat16 to_empty to register_full_backward_pre_hook register_backward_hook register_full_backward_hook register_forward_pre_hook register_forward_hook register_state_dict_post_hook register_state_dict_pre_hook state_dict register_load_state_dict_pre_hook register_load_state_dict_post_hook load_state_dict parameters named_parameters buffers named_buffers children named_children modules named_modules train eval requires_grad_ zero_grad share_memory extra_repr compile'.split(
      ' ',
    ),
};
const MODULE = 'torch.nn.Module';

/** A class with all that it inherits. */
export interface Lineage {
  /** The class first, then its bases, each before what it inherits from. */
  readonly classes: readonly LocalClass[];
  /** Libraries' bases whose attributes are known. */
  readonly libraries: readonly string[];
  /** Every base is known, and none makes up attributes. */
  readonly isKnown: boolean;
  /** No class in it has more than one base. */
  readonly isSingle: boolean;
}

/** Follows a class's bases as far up as they go. */
function readLineage(index: CodeIndex, start: LocalClass): Lineage {
  const classes: LocalClass[] = [];
  const libraries: string[] = [];
  let isKnown = true;
  let isSingle = true;
  const visit = (local: LocalClass): void => {
    if (classes.some((one) => keyOf(one) === keyOf(local))) return;
    classes.push(local);
    if (local.class.isDynamic) isKnown = false;
    const bases = local.class.bases.map(
      (base) => base && resolveReference(index, local.path, base),
    );
    if (bases.length > 1) isSingle = false;
    for (const base of bases) {
      if (base?.kind === 'class') visit(base);
      else if (base?.kind === 'external' && Object.hasOwn(KNOWN_BASES, base.name))
        libraries.push(base.name);
      else isKnown = false;
    }
  };
  visit(start);
  return { classes, libraries, isKnown, isSingle };
}

/** The lineages of all classes of a tree, by class and by each class they inherit from. */
export interface Families {
  readonly lineages: ReadonlyMap<string, Lineage>;
  /** By class: those of the class and of all that inherit from it. */
  readonly heirs: ReadonlyMap<string, readonly Lineage[]>;
  /** Names of classes from which something may inherit that is not decidable. */
  readonly open: ReadonlySet<string>;
}

/** Reads every class of a tree with its lineage. */
export function readFamilies(index: CodeIndex): Families {
  const classes = [...index.bindings].flatMap(([path, bindings]) =>
    [...bindings.values()].flatMap((binding): LocalClass[] =>
      binding.kind === 'class' ? [{ kind: 'class', path, class: binding.class }] : [],
    ),
  );
  const lineages = new Map(classes.map((local) => [keyOf(local), readLineage(index, local)]));
  const heirs = new Map<string, Lineage[]>();
  for (const lineage of lineages.values())
    for (const ancestor of lineage.classes) {
      const known = heirs.get(keyOf(ancestor));
      if (known === undefined) heirs.set(keyOf(ancestor), [lineage]);
      else known.push(lineage);
    }
  return { lineages, heirs, open: openNames(index, classes) };
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

function keyOf({ path, class: { name } }: LocalClass): string {
  return `${path}:${name}`;
}

/** Whether objects of a lineage may have an attribute; true where that can't be known. */
export function mayHave({ classes, libraries, isKnown }: Lineage, name: string): boolean {
  return (
    !isKnown ||
    classes.some((one) => one.class.attributes.includes(name)) ||
    libraries.some((library) => KNOWN_BASES[library]?.includes(name) === true) ||
    // Private names of a library are not listed.
    (name.startsWith('_') && libraries.includes(MODULE))
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
  if (!isOwn && !(lineage.isKnown && (lineage.isSingle || binding.length === 1))) return 'unknown';
  const isReplaced = binding.some(({ class: one }) =>
    one.instances.some((each) => each.name === name),
  );
  const method = first.class.methods.find(({ symbol }) => symbol === `${first.class.name}.${name}`);
  return isReplaced || method === undefined ? 'unknown' : method;
}

/** Whether objects of a lineage are PyTorch modules, which are called by their `forward`. */
export function isModule({ libraries }: Lineage): boolean {
  return libraries.includes(MODULE);
}
