import type { Reference } from '../diagnostics/class-facts.ts';
import type { ComputedSet } from '../diagnostics/code-facts.ts';
import { lookUp } from './python-name-scopes.ts';
import { type Held, heldBy, newObjectOf } from './python-receivers.ts';
import { type NamedTree, onlyBinding, referenceTo } from './python-references.ts';
import { textOf } from './python-scopes.ts';
import { partsOf } from './said-names.ts';
import { literalString } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** An attribute that a class's own code sets on its objects or on itself. */
export interface AttributeSet {
  readonly name: string;
  /** The class whose new object it is set to. */
  readonly of: Reference | undefined;
  /** Only added to or deleted, which needs that it is there. */
  readonly needsOne: boolean;
}

/** A place that sets an attribute by its name as a value; `name` is null where that is computed. */
interface NamedSet {
  readonly target: SyntaxNode;
  readonly name: string | null;
  /** Put together of nothing that stands in the text: `f"{a}{b}"`. */
  readonly isArbitrary: boolean;
}

/** What a statement does to an attribute; undefined where it reads it. */
export function storeOf(
  attribute: SyntaxNode,
  { parents }: NamedTree,
): 'set' | 'added-to' | 'deleted' | undefined {
  let node = attribute;
  let parent = parents.get(node);
  while (
    parent &&
    /^(\w+_pattern|(pattern|expression)_list|tuple|list|parenthesized_expression)$/.test(
      parent.type,
    )
  ) {
    if (parent.type === 'as_pattern') return undefined;
    [node, parent] = [parent, parents.get(parent)];
  }
  if (parent?.type === 'as_pattern_target') return 'set';
  if (parent?.type === 'delete_statement') return 'deleted';
  if (node.field !== 'left') return undefined;
  if (parent?.type === 'augmented_assignment') return 'added-to';
  return /^(assignment|for_statement|for_in_clause)$/.test(parent?.type ?? '') ? 'set' : undefined;
}

/** What the methods of a class at module level set on `self` or the class; computed names as null. */
export function setsOfClass(
  definition: SyntaxNode,
  tree: NamedTree,
): { readonly set: readonly AttributeSet[]; readonly isComputed: boolean } {
  const owner = textOf(childOf(definition, 'name'), tree.text);
  const set: AttributeSet[] = [];
  let isComputed = false;
  for (const node of descendants(definition)) {
    const store = node.type === 'attribute' ? storeOf(node, tree) : undefined;
    if (store !== undefined && isOwn(heldBy(childOf(node, 'object'), tree), owner)) {
      const name = textOf(childOf(node, 'attribute'), tree.text);
      set.push({ name, of: newObjectOf(valueFor(node, tree), tree), needsOne: store !== 'set' });
    }
    for (const { target, name } of namedSets(node, tree)) {
      if (!isOwn(heldBy(target, tree), owner)) continue;
      if (name === null) isComputed = true;
      else set.push({ name, of: undefined, needsOne: false });
    }
  }
  return { set, isComputed };
}

function isOwn(held: Held | undefined, owner: string): boolean {
  return held !== undefined && isOfSelf(held) && held.owner === owner;
}

function isOfSelf(held: Held): held is Extract<Held, { kind: 'self' | 'own-class' | 'super' }> {
  return held.kind === 'self' || held.kind === 'own-class' || held.kind === 'super';
}

function valueFor(attribute: SyntaxNode, { parents }: NamedTree): SyntaxNode | undefined {
  const parent = parents.get(attribute);
  return parent?.type === 'assignment' ? childOf(parent, 'right') : undefined;
}

/** The names of attributes that a file sets on anything but `self`. */
export function setsOfOthers(tree: NamedTree, nodes: Iterable<SyntaxNode>): string[] {
  const names = new Set<string>();
  for (const node of nodes) {
    const isStored = node.type === 'attribute' && storeOf(node, tree) !== undefined;
    if (isStored && heldBy(childOf(node, 'object'), tree)?.kind !== 'self')
      names.add(textOf(childOf(node, 'attribute'), tree.text));
    for (const { target, name } of namedSets(node, tree))
      if (name !== null && heldBy(target, tree)?.kind !== 'self') names.add(name);
  }
  return [...names];
}

/** Where a file sets attributes with computed names on anything but `self`. */
export function computedSets(tree: NamedTree, nodes: Iterable<SyntaxNode>): ComputedSet[] {
  const sets: ComputedSet[] = [];
  for (const node of nodes) {
    if (makesClass(node, tree.text)) sets.push({ receiver: null, isArbitrary: true });
    for (const { target, name, isArbitrary } of namedSets(node, tree)) {
      if (name !== null || isParsedArguments(target, tree)) continue;
      const held = heldBy(target, tree);
      const of = held === undefined ? referenceTo(target, tree) : undefined;
      if (held === undefined)
        sets.push({ receiver: of ? { kind: 'instance', of } : null, isArbitrary });
      else if (held.kind !== 'own-class' && !isOfSelf(held))
        sets.push({ receiver: held, isArbitrary });
    }
  }
  return sets;
}

/** `type("Name", (Base,), {…})` makes an heir that no text shows. */
function makesClass(node: SyntaxNode, text: string): boolean {
  if (node.type !== 'call' || textOf(childOf(node, 'function'), text) !== 'type') return false;
  return argumentsOf(node).length > 1;
}

/** What an `ArgumentParser` returned is an object of no class of the repository. */
function isParsedArguments(target: SyntaxNode, { text, bindings }: NamedTree): boolean {
  const name = target.type === 'identifier' ? textOf(target, text) : '';
  const from = bindings.scopeOf.get(target);
  const scope = from && name !== '' ? lookUp(from, name) : undefined;
  const value = scope && onlyBinding(scope, name)?.value;
  return /\.parse_args\([^()]*\)$/.test(textOf(value, text));
}

const DICTIONARY_SETTERS = /^(update|setdefault|__setitem__)$/;

/** All ways of setting attributes by name that a node may be. */
function namedSets(node: SyntaxNode, tree: NamedTree): readonly NamedSet[] {
  const { text } = tree;
  if (node.type === 'call') return setsByCall(node, tree);
  if (node.field !== 'left') return [];
  return intoDictionary(node.type === 'subscript' ? childOf(node, 'value') : node, text);
}

function intoDictionary(dictionary: SyntaxNode | undefined, text: string): readonly NamedSet[] {
  const target = dictionaryOwner(dictionary, text);
  return target === undefined ? [] : [{ target, name: null, isArbitrary: false }];
}

function setsByCall(call: SyntaxNode, { text }: NamedTree): readonly NamedSet[] {
  const callee = childOf(call, 'function');
  const given = argumentsOf(call);
  const object = callee?.type === 'attribute' ? childOf(callee, 'object') : undefined;
  const last = callee?.type === 'attribute' ? childOf(callee, 'attribute') : callee;
  const called = last?.type === 'identifier' ? textOf(last, text) : '';
  const [first, second] = given;
  if (called === 'setattr' || (called === '__setattr__' && given.length > 2))
    return first === undefined || second === undefined ? [] : [setOf(first, second, text)];
  if (object === undefined || first === undefined) return [];
  if (DICTIONARY_SETTERS.test(called)) return intoDictionary(object, text);
  const isRegistered =
    /^(__setattr__|register_buffer|register_parameter|add_module)$/.test(called) ||
    (called === 'register_module' && given.length > 1);
  return isRegistered ? [setOf(object, nameArgument(call, text) ?? first, text)] : [];
}

function setOf(target: SyntaxNode, name: SyntaxNode, text: string): NamedSet {
  const written = textOf(name, text);
  const isWord = /^[\w.[\]"']+$/.test(written);
  return {
    target,
    name: literalString(name, text) ?? null,
    isArbitrary: !isWord && partsOf(written).length === 0,
  };
}

/** The object whose `__dict__`, `vars()` or PyTorch's dictionaries an expression is. */
function dictionaryOwner(node: SyntaxNode | undefined, text: string): SyntaxNode | undefined {
  if (node?.type === 'call' && textOf(childOf(node, 'function'), text) === 'vars')
    return argumentsOf(node)[0];
  if (node?.type !== 'attribute') return undefined;
  const name = textOf(childOf(node, 'attribute'), text);
  return /^(__dict__|_modules|_parameters|_buffers)$/.test(name)
    ? childOf(node, 'object')
    : undefined;
}

function nameArgument(call: SyntaxNode, text: string): SyntaxNode | undefined {
  const list = childOf(call, 'arguments');
  const named = (list === undefined ? [] : namedChildren(list)).find(
    (node) => node.type === 'keyword_argument' && textOf(childOf(node, 'name'), text) === 'name',
  );
  return named && childOf(named, 'value');
}

function argumentsOf(call: SyntaxNode): readonly SyntaxNode[] {
  const list = childOf(call, 'arguments');
  return list === undefined ? [] : namedChildren(list);
}

/** Names that classes have which no check follows: nested ones, conditional ones, those defined twice. */
export function otherAttributes(
  { text, bindings }: NamedTree,
  nodes: Iterable<SyntaxNode>,
): string[] {
  return [...nodes].flatMap((node) => {
    if (node.type !== 'class_definition') return [];
    const name = textOf(childOf(node, 'name'), text);
    const body = childOf(node, 'body');
    const isFollowed = onlyBinding(bindings.module, name)?.node === node;
    return isFollowed || body === undefined
      ? []
      : [...(bindings.scopeOf.get(body)?.bindings.keys() ?? [])];
  });
}
