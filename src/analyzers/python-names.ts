import type { AttributeUse, ImportUse } from '../diagnostics/parsed-file.ts';
import { boundNames } from './python-imports.ts';
import { type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** The names that a file binds and the attributes it takes from what it imports. */
export interface Names {
  /** Bound at module level, in the order of their first binding. */
  readonly module: readonly string[];
  readonly attributes: readonly AttributeUse[];
  readonly assigned: readonly string[];
}

/** Reads the bindings of a file, conditional ones included: what may be bound counts as bound. */
export function readNames(root: SyntaxNode, text: string, imports: readonly ImportUse[]): Names {
  const module = new Set<string>();
  const rebound = new Set<string>();
  for (const [node, scope] of scopedNodes(root, text)) {
    for (const name of bindingsOf(node, text)) {
      rebound.add(name);
      if (scope.level === 'module' || node.type === 'global_statement') module.add(name);
    }
    for (const name of parametersOf(node, text)) rebound.add(name);
  }
  for (const use of imports) {
    // A symbol may be a class, whose imports bind nothing at module level.
    if (use.symbol === '') for (const name of boundNames(use)) if (name !== '*') module.add(name);
  }
  const followed = new Set(imports.flatMap(boundNames).filter((name) => !rebound.has(name)));
  return { module: [...module], ...readAttributes(root, text, followed) };
}

function bindingsOf(node: SyntaxNode, text: string): string[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
    case 'type_alias_statement':
      // A comprehension's names are its own, but they hide an import of the same name all the same.
      return node.type === 'for_in_clause' ? [] : targets(childOf(node, 'left'), text);
    case 'named_expression':
    case 'function_definition':
    case 'class_definition':
      return [textOf(childOf(node, 'name'), text)];
    case 'as_pattern':
      return targets(node.children.at(-1), text);
    case 'case_pattern':
    case 'global_statement':
      return targets(node, text);
    default:
      return [];
  }
}

/** The identifiers of an assignment's target; those of `a.b` and `a[i]` are not bound. */
function targets(target: SyntaxNode | undefined, text: string): string[] {
  if (target === undefined) return [];
  const isPattern = (node: SyntaxNode): boolean => !/^(attribute|subscript|call)$/.test(node.type);
  return [...descendants(target, isPattern)]
    .filter((node) => node.type === 'identifier')
    .map((node) => textOf(node, text));
}

function parametersOf(node: SyntaxNode, text: string): string[] {
  if (node.type === 'for_in_clause') return targets(childOf(node, 'left'), text);
  if (node.type !== 'parameters' && node.type !== 'lambda_parameters') return [];
  return namedChildren(node).flatMap((parameter) => {
    const name = childOf(parameter, 'name') ?? namedChildren(parameter)[0] ?? parameter;
    return targets(name, text);
  });
}

function readAttributes(
  root: SyntaxNode,
  text: string,
  followed: ReadonlySet<string>,
): Pick<Names, 'attributes' | 'assigned'> {
  const attributes: AttributeUse[] = [];
  const assigned = new Set<string>();
  const handled = new Set<SyntaxNode>();
  const probed = probedNames(text);
  for (const [node, scope] of scopedNodes(root, text)) {
    for (const target of attributeTargets(node)) {
      handled.add(target);
      assigned.add(chainOf(target, text, handled));
    }
    if (node.type !== 'attribute' || handled.has(node)) continue;
    const chain = chainOf(node, text, handled);
    const [base = '', ...rest] = chain.split('.');
    if (!followed.has(base) || isProbed(scope, rest, probed)) continue;
    attributes.push({ chain, line: node.line, symbol: scope.symbol });
  }
  return { attributes, assigned: [...assigned].filter((chain) => isFollowed(chain, followed)) };
}

function isFollowed(chain: string, followed: ReadonlySet<string>): boolean {
  return followed.has(chain.split('.')[0] ?? '');
}

function isProbed(scope: Scope, names: readonly string[], probed: ReadonlySet<string>): boolean {
  return scope.catchesAttribute || names.some((name) => probed.has(name));
}

/** Names that the file asks for with `hasattr` and the like before it uses them. */
export function probedNames(text: string): ReadonlySet<string> {
  const probes = text.matchAll(/\b(?:has|get|set)attr\([^,()]*,\s*["'](\w+)["']/g);
  return new Set([...probes].map(([, name = '']) => name));
}

/** Attributes that a statement sets or deletes rather than reads. */
function attributeTargets(node: SyntaxNode): SyntaxNode[] {
  const isTarget = node.type === 'assignment' || node.type === 'delete_statement';
  if (!isTarget) return [];
  const places = node.type === 'assignment' ? [childOf(node, 'left')] : node.children;
  return places.flatMap((place) =>
    place === undefined
      ? []
      : [...descendants(place, (inner) => /_(pattern|list)$/.test(inner.type))].filter(
          (inner) => inner.type === 'attribute',
        ),
  );
}

/** `a.b.c` for a chain of names, and what follows the last call or subscript otherwise; marks the inner links as handled. */
function chainOf(node: SyntaxNode, text: string, handled: Set<SyntaxNode>): string {
  const names: string[] = [];
  let link: SyntaxNode | undefined = node;
  while (link?.type === 'attribute') {
    handled.add(link);
    names.unshift(textOf(childOf(link, 'attribute'), text));
    link = childOf(link, 'object');
  }
  // An empty base matches no import.
  names.unshift(link?.type === 'identifier' ? textOf(link, text) : '');
  return names.join('.');
}
