import type { OperationUse } from '../diagnostics/code-facts.ts';
import type { Operation } from '../diagnostics/operations.ts';
import { lookUp } from './python-name-scopes.ts';
import { heldBy, newObjectOf } from './python-receivers.ts';
import type { NamedTree } from './python-references.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Python's own functions that go through what they are given alone. */
const ITERATING = /^(list|tuple|set|frozenset|sorted|enumerate|sum|any|all|max|min)$/;

interface Operand {
  readonly operation: Operation;
  readonly operand: SyntaxNode | undefined;
}

/** What a file does with objects whose class another check may find out, and which the class must provide for. */
export function readOperations(
  tree: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): OperationUse[] {
  const uses: OperationUse[] = [];
  for (const [node, scope] of scopes) {
    if (scope.catchesType || scope.catchesAttribute || scope.typing) continue;
    for (const { operation, operand } of operandsOf(node, tree)) {
      const receiver = receiverOf(operand, tree);
      if (operand === undefined || receiver === undefined) continue;
      if (receiver.kind === 'own-class' || receiver.kind === 'super') continue;
      if (isTested(operand, tree)) continue;
      const written = textOf(operand, tree.text).replace(/\s+/g, '');
      uses.push({ receiver, operation, written, line: node.line, symbol: scope.symbol });
    }
  }
  return uses;
}

function receiverOf(operand: SyntaxNode | undefined, tree: NamedTree): ReturnType<typeof heldBy> {
  if (operand?.type !== 'call') return heldBy(operand, tree);
  const of = newObjectOf(operand, tree);
  return of && { kind: 'instance', of };
}

function operandsOf(node: SyntaxNode, tree: NamedTree): readonly Operand[] {
  const isAsync = node.children.some(({ type }) => type === 'async');
  switch (node.type) {
    case 'comparison_operator':
      return node.children.flatMap((child, at): Operand[] =>
        child.type === 'in' || child.type === 'not in'
          ? [{ operation: 'contains', operand: node.children[at + 1] }]
          : [],
      );
    case 'for_statement':
    case 'for_in_clause':
      return [
        { operation: isAsync ? 'iterate-async' : 'iterate', operand: childOf(node, 'right') },
      ];
    case 'list_splat':
      return [{ operation: 'iterate', operand: namedChildren(node)[0] }];
    case 'with_statement':
      return itemsOf(node).map((operand) => ({
        operation: isAsync ? 'enter-async' : 'enter',
        operand,
      }));
    case 'subscript':
      return subscripted(node, tree);
    case 'call':
      return called(node, tree);
    default:
      return [];
  }
}

function itemsOf(statement: SyntaxNode): (SyntaxNode | undefined)[] {
  const clause = statement.children.find(({ type }) => type === 'with_clause');
  return (clause === undefined ? [] : namedChildren(clause)).map((item) => {
    const value = childOf(item, 'value');
    return value?.type === 'as_pattern' ? namedChildren(value)[0] : value;
  });
}

function subscripted(node: SyntaxNode, { parents }: NamedTree): readonly Operand[] {
  const operand = childOf(node, 'value');
  const parent = parents.get(node);
  const list = /^(expression_list|tuple|list)$/.test(parent?.type ?? '') ? parent : undefined;
  const around = list === undefined ? parent : parents.get(list);
  if (around?.type === 'delete_statement') return [{ operation: 'delete-item', operand }];
  if (parent?.type === 'augmented_assignment' || node.field !== 'left')
    // What is unpacked into is set, and what an annotation says is not read.
    return /pattern|^type$/.test(parent?.type ?? '') ? [] : [{ operation: 'get-item', operand }];
  return parent?.type === 'assignment' ? [{ operation: 'set-item', operand }] : [];
}

function called(node: SyntaxNode, tree: NamedTree): readonly Operand[] {
  const callee = childOf(node, 'function');
  if (callee?.type !== 'identifier') return [{ operation: 'call', operand: callee }];
  const name = textOf(callee, tree.text);
  const scope = tree.bindings.scopeOf.get(callee);
  if (scope === undefined || lookUp(scope, name)) return [{ operation: 'call', operand: callee }];
  const list = childOf(node, 'arguments');
  const given = list?.type === 'argument_list' ? namedChildren(list) : [];
  const positional = given.filter(({ type }) => type !== 'keyword_argument');
  const [operand] = given;
  if (positional.length !== 1 || tree.bindings.module.bindings.has('*')) return [];
  if (name === 'len') return [{ operation: 'length', operand }];
  return ITERATING.test(name) ? [{ operation: 'iterate', operand }] : [];
}

/** Whether code asks what an object is, and so may know that it is another than its annotation says. */
function isTested(operand: SyntaxNode, { text, bindings }: NamedTree): boolean {
  if (operand.type === 'call') return false;
  const written = textOf(operand, text);
  const from = bindings.scopeOf.get(operand);
  const [name = ''] = written.split('.');
  const around = from && lookUp(from, name)?.node;
  const escaped = written.replaceAll('.', String.raw`\s*\.\s*`);
  return new RegExp(
    String.raw`\b(isinstance|issubclass|type|hasattr|callable|is_dataclass)\(\s*${escaped}\b|\bmatch ${escaped}\s*:|\bis_\w+\(\s*${escaped}\s*\)`,
  ).test(textOf(around, text));
}
