import type { ImportOrigin, Reference } from '../diagnostics/class-facts.ts';
import type { Bindings } from './python-bindings.ts';
import { type Binding, lookUp, type NameScope } from './python-name-scopes.ts';
import { textOf } from './python-scopes.ts';
import { childOf, type SyntaxNode } from './syntax-tree.ts';

/** A syntax tree with what is needed to follow a name in it. */
export interface NamedTree {
  readonly root: SyntaxNode;
  readonly text: string;
  readonly bindings: Bindings;
  readonly parents: ReadonlyMap<SyntaxNode, SyntaxNode>;
}

/** Each node's parent. */
export function parentsOf(nodes: Iterable<SyntaxNode>): ReadonlyMap<SyntaxNode, SyntaxNode> {
  const parents = new Map<SyntaxNode, SyntaxNode>();
  for (const node of nodes) for (const child of node.children) parents.set(child, node);
  return parents;
}

/** Nobody writes longer ones, and each link of a chain is asked for its own. */
const MAX_CHAIN = 40;

/** `a.b.c` as names, or undefined for anything but a chain of names, and for endless ones. */
export function chainOf(node: SyntaxNode | undefined, text: string): string[] | undefined {
  const names: string[] = [];
  let link = node;
  while (link?.type === 'attribute' && names.length < MAX_CHAIN) {
    names.push(textOf(childOf(link, 'attribute'), text));
    link = childOf(link, 'object');
  }
  if (link?.type !== 'identifier') return undefined;
  return [...names, textOf(link, text)].reverse();
}

/** What a dotted name refers to, if its first part is bound in the module, by an import in a function, or by Python. */
export function referenceTo(
  node: SyntaxNode | undefined,
  { text, bindings }: NamedTree,
): Reference | undefined {
  const chain = chainOf(node, text);
  const from = node && bindings.scopeOf.get(node);
  const [name = ''] = chain ?? [];
  if (chain === undefined || from === undefined) return undefined;
  const scope = lookUp(from, name);
  if (scope === undefined || scope.kind === 'module') return { origin: null, chain };
  const binding = onlyBinding(scope, name);
  const origin = binding && importOrigin(binding, text);
  return origin && { origin, chain };
}

/** How a scope binds a name, if it does so in one place. */
export function onlyBinding(scope: NameScope, name: string): Binding | undefined {
  const bound = scope.bindings.get(name) ?? [];
  return bound.length === 1 ? bound[0] : undefined;
}

/** What an import's binding stands for; undefined for bindings of other kinds. */
export function importOrigin(
  { kind, node, value }: Binding,
  text: string,
): ImportOrigin | undefined {
  if (kind !== 'import' || value === undefined) return undefined;
  const written = textOf(childOf(value, 'name') ?? value, text).replace(/\s/g, '');
  if (node.type === 'import_statement') {
    const isAliased = value.type === 'aliased_import';
    const module = isAliased ? written : (written.split('.')[0] ?? '');
    return { module, level: 0, name: null };
  }
  const source = textOf(childOf(node, 'module_name'), text).replace(/\s/g, '');
  const [, dots = '', module = ''] = /^(\.*)(.*)$/.exec(source) ?? [];
  return { module, level: dots.length, name: written };
}
