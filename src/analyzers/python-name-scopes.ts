import { descendants, type SyntaxNode } from './syntax-tree.ts';

/** One place that binds a name. */
export interface Binding {
  readonly kind: 'parameter' | 'import' | 'function' | 'class' | 'assignment' | 'other';
  /** The statement or parameter that binds it. */
  readonly node: SyntaxNode;
  /** What is assigned, where the name is the whole target; of an import, the part that binds it. */
  readonly value?: SyntaxNode | undefined;
}

/** A scope of a Python file with the names that it binds. */
export interface NameScope {
  readonly kind: 'module' | 'function' | 'class' | 'comprehension';
  readonly node: SyntaxNode;
  readonly parent: NameScope | undefined;
  readonly bindings: Map<string, Binding[]>;
  /** Names declared `global` or `nonlocal`. */
  readonly elsewhere: Set<string>;
}

/** Where a name is bound, as Python looks it up from a scope; undefined when nowhere in the file. */
export function lookUp(scope: NameScope, name: string): NameScope | undefined {
  let isOwn = true;
  for (let one: NameScope | undefined = scope; one !== undefined; one = one.parent) {
    // Functions do not see the names of the class around them.
    const isVisible = one.kind !== 'class' || isOwn;
    if (isVisible && one.bindings.has(name) && !one.elsewhere.has(name)) return one;
    if (one.kind !== 'comprehension') isOwn = false;
  }
  return undefined;
}

/** A scope that binds nothing yet. */
export function newScope(
  kind: NameScope['kind'],
  node: SyntaxNode,
  parent: NameScope | undefined,
): NameScope {
  return { kind, node, parent, bindings: new Map(), elsewhere: new Set() };
}

/** The module's scope around any other. */
export function moduleOf(scope: NameScope): NameScope {
  let outermost = scope;
  while (outermost.parent !== undefined) outermost = outermost.parent;
  return outermost;
}

/** The scope that `:=` binds in. */
export function outOfComprehension(scope: NameScope): NameScope {
  let outer = scope;
  while (outer.kind === 'comprehension' && outer.parent !== undefined) outer = outer.parent;
  return outer;
}

/** Every name in a node, at any depth. */
export function identifiersOf(node: SyntaxNode): SyntaxNode[] {
  return [...descendants(node)].filter(({ type }) => type === 'identifier');
}
