import { qualify, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** The names that each function, class and the module (empty symbol) of a file bind. */
export interface Bindings {
  /** The scope that a name belongs to, seen from within `symbols`, the innermost first; undefined when none binds it. */
  readonly ownerOf: (name: string, symbols: readonly string[]) => string | undefined;
}

/** Reads which scope binds which names. Comprehensions and lambdas count with the function around them. */
export function readBindings(root: SyntaxNode, text: string): Bindings {
  const bound = new Map<string, Set<string>>();
  const globals = new Map<string, Set<string>>();
  const add = (map: Map<string, Set<string>>, symbol: string, names: readonly string[]): void => {
    const known = map.get(symbol) ?? new Set();
    for (const name of names) known.add(name);
    map.set(symbol, known);
  };
  for (const [node, scope] of scopedNodes(root, text)) {
    if (node.type === 'function_definition') {
      const symbol = qualify(scope, textOf(childOf(node, 'name'), text));
      add(bound, symbol, parameterNames(node, text));
    } else if (node.type === 'global_statement')
      add(globals, scope.symbol, targetNames(node, text));
    else add(bound, scope.symbol, namesBoundBy(node, text));
  }
  return {
    ownerOf: (name, symbols) => {
      const owner = symbols.find((symbol) => bound.get(symbol)?.has(name));
      return owner !== undefined && globals.get(owner)?.has(name) ? '' : owner;
    },
  };
}

/** The parameters of a function or lambda in order, stars left out. */
export function parameterNames(node: SyntaxNode, text: string): string[] {
  const parameters = childOf(node, 'parameters');
  if (parameters === undefined) return [];
  return namedChildren(parameters).flatMap((parameter) => {
    const name = childOf(parameter, 'name') ?? namedChildren(parameter)[0] ?? parameter;
    return name.type === 'identifier' ? [textOf(name, text)] : targetNames(name, text);
  });
}

/** The identifiers that a target binds; those of `a.b` and `a[i]` are not bound. */
export function targetNames(target: SyntaxNode | undefined, text: string): string[] {
  if (target === undefined) return [];
  const isPattern = (node: SyntaxNode): boolean => !/^(attribute|subscript|call)$/.test(node.type);
  return [...descendants(target, isPattern)]
    .filter((node) => node.type === 'identifier')
    .map((node) => textOf(node, text));
}

function namesBoundBy(node: SyntaxNode, text: string): string[] {
  switch (node.type) {
    case 'assignment':
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return targetNames(childOf(node, 'left'), text);
    case 'named_expression':
      return targetNames(childOf(node, 'name'), text);
    case 'as_pattern':
      return targetNames(node.children.at(-1), text);
    case 'case_pattern':
      return targetNames(node, text);
    case 'lambda':
      return parameterNames(node, text);
    default:
      return [];
  }
}
