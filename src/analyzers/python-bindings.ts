import {
  type Binding,
  identifiersOf,
  moduleOf,
  type NameScope,
  newScope,
  outOfComprehension,
} from './python-name-scopes.ts';
import { textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** A name that is read. */
export interface NameLoad {
  readonly node: SyntaxNode;
  readonly name: string;
  readonly scope: NameScope;
  /** Part of an annotation, and whether Python evaluates it when `annotations` is not imported from `__future__`. */
  readonly annotation: 'none' | 'evaluated' | 'never-evaluated';
}

/** The names of a file: who binds and who reads them. */
export interface Bindings {
  readonly module: NameScope;
  readonly loads: readonly NameLoad[];
  /** The scope that a node's names are looked up in. */
  readonly scopeOf: ReadonlyMap<SyntaxNode, NameScope>;
}

interface Visit {
  readonly text: string;
  readonly node: SyntaxNode;
  readonly scope: NameScope;
  readonly annotation: NameLoad['annotation'];
}

const COMPREHENSION =
  /^(list_comprehension|set_comprehension|dictionary_comprehension|generator_expression)$/;

/** Finds all bindings and reads of names, in one walk without recursion: brackets may be nested thousands deep. */
export function readBindings(root: SyntaxNode, text: string): Bindings {
  const module = newScope('module', root, undefined);
  const loads: NameLoad[] = [];
  const scopeOf = new Map<SyntaxNode, NameScope>();
  const stack: Visit[] = [{ text, node: root, scope: module, annotation: 'none' }];
  for (let visit = stack.pop(); visit !== undefined; visit = stack.pop()) {
    const { node, scope, annotation } = visit;
    scopeOf.set(node, scope);
    if (node.type === 'identifier')
      loads.push({ node, name: textOf(node, text), scope, annotation });
    else stack.push(...below(visit).reverse());
  }
  return { module, loads, scopeOf };
}

/** Looks at one node: binds what it binds, and says what is to be visited below it. */
function below(at: Visit): Visit[] {
  const { node } = at;
  if (COMPREHENSION.test(node.type)) return comprehensionBelow(at);
  switch (node.type) {
    case 'function_definition':
    case 'lambda':
      return functionBelow(at);
    case 'class_definition':
      return classBelow(at);
    case 'import_statement':
    case 'import_from_statement':
    case 'future_import_statement':
      bindImport(at);
      return [];
    case 'global_statement':
    case 'nonlocal_statement':
      declare(at);
      return [];
    case 'assignment':
      return assignmentBelow(at);
    case 'augmented_assignment':
    case 'for_statement':
    case 'for_in_clause':
      return leftBelow(at);
    case 'type_alias_statement':
      return typeAliasBelow(at);
    case 'named_expression':
      bind(at, field(at, 'name'), { kind: 'other', node }, outOfComprehension(at.scope));
      return enter(at, [field(at, 'value')]);
    case 'as_pattern_target':
    case 'delete_statement':
      return targetsBelow(at, node, { kind: 'other', node });
    case 'case_pattern':
      return patternBelow(at);
    case 'attribute':
      return enter(at, [field(at, 'object')]);
    case 'keyword_argument':
      return enter(at, [field(at, 'value')]);
    case 'type':
      return typeBelow(at);
    default:
      return enter(at, node.children);
  }
}

function enter(at: Visit, nodes: readonly (SyntaxNode | undefined)[], scope = at.scope): Visit[] {
  const { text, annotation } = at;
  return nodes.flatMap((node) => (node === undefined ? [] : [{ text, node, scope, annotation }]));
}

function field(at: Visit, name: string): SyntaxNode | undefined {
  return childOf(at.node, name);
}

function bind(
  at: Visit,
  name: SyntaxNode | string | undefined,
  binding: Binding,
  to = at.scope,
): void {
  const written = typeof name === 'string' ? name : textOf(name, at.text);
  if (written === '') return;
  // A name declared global is bound in the module, whichever function does it.
  const scope = to.elsewhere.has(written) ? moduleOf(to) : to;
  const known = scope.bindings.get(written);
  if (known === undefined) scope.bindings.set(written, [binding]);
  else known.push(binding);
}

function functionBelow(at: Visit): Visit[] {
  const { node, scope } = at;
  const isLambda = node.type === 'lambda';
  if (!isLambda) bind(at, field(at, 'name'), { kind: 'function', node });
  const inner = newScope('function', node, scope);
  const outer = typeParameterScope(at, inner);
  const parameters = field(at, 'parameters');
  const around = parameters === undefined ? [] : parametersBelow(at, parameters, inner, outer);
  return [
    ...around,
    ...enter(at, [field(at, 'return_type')], outer),
    ...enter(at, [field(at, 'body')], inner),
  ];
}

/** `def f[T](x: T)`: the scope in which its annotations are read, with T in it. */
function typeParameterScope(at: Visit, inner: NameScope): NameScope {
  const list = field(at, 'type_parameters');
  if (list === undefined) return at.scope;
  targetsBelow(at, list, { kind: 'other', node: list }, inner);
  return inner;
}

function parametersBelow(at: Visit, list: SyntaxNode, inner: NameScope, outer: NameScope): Visit[] {
  return namedChildren(list).flatMap((parameter) => {
    const name = childOf(parameter, 'name') ?? namedChildren(parameter)[0] ?? parameter;
    if (!/separator$/.test(parameter.type))
      for (const bound of identifiersOf(name))
        bind(at, bound, { kind: 'parameter', node: parameter }, inner);
    return enter(at, [childOf(parameter, 'type'), childOf(parameter, 'value')], outer);
  });
}

function classBelow(at: Visit): Visit[] {
  const { node, scope } = at;
  bind(at, field(at, 'name'), { kind: 'class', node });
  const inner = newScope('class', node, scope);
  const outer = typeParameterScope(at, inner);
  return [
    ...enter(at, [field(at, 'superclasses')], outer),
    ...enter(at, [field(at, 'body')], inner),
  ];
}

function comprehensionBelow(at: Visit): Visit[] {
  const { node, scope } = at;
  const inner = newScope('comprehension', node, scope);
  const first = node.children.find(({ type }) => type === 'for_in_clause');
  // What is gone through first is read outside, which matters in the body of a class.
  const source = first && childOf(first, 'right');
  return node.children.flatMap((child) => {
    if (child !== first || source === undefined) return enter(at, [child], inner);
    const left = childOf(child, 'left');
    const bound = left ? targetsBelow(at, left, { kind: 'other', node: child }, inner) : [];
    return [...bound, ...enter(at, [source])];
  });
}

function bindImport(at: Visit): void {
  const { node } = at;
  for (const child of node.children) {
    if (child.field !== 'name') continue;
    const alias = textOf(childOf(child, 'alias'), at.text);
    const written = textOf(child, at.text).replace(/\s/g, '');
    const isFrom = node.type !== 'import_statement';
    const name = alias !== '' ? alias : isFrom ? written : (written.split('.')[0] ?? '');
    bind(at, name, { kind: 'import', node, value: child });
  }
  if (node.children.some(({ type }) => type === 'wildcard_import'))
    bind(at, '*', { kind: 'import', node });
}

function declare(at: Visit): void {
  const { node, scope } = at;
  for (const name of identifiersOf(node)) {
    const written = textOf(name, at.text);
    scope.elsewhere.add(written);
    const binding: Binding = { kind: 'other', node };
    if (node.type === 'global_statement') bind(at, written, binding, moduleOf(scope));
    // Which function around it binds a nonlocal name does not matter: it is bound more than once.
    else for (let one = scope.parent; one; one = one.parent) bind(at, written, binding, one);
  }
}

function assignmentBelow(at: Visit): Visit[] {
  const { node } = at;
  const left = field(at, 'left');
  const value = field(at, 'right');
  const type = field(at, 'type');
  const isName = left?.type === 'identifier';
  if (isName) bind(at, left, { kind: 'assignment', node, value });
  const targets =
    isName || left === undefined ? [] : targetsBelow(at, left, { kind: 'other', node });
  return [...targets, ...enter(at, [type, value])];
}

function leftBelow(at: Visit): Visit[] {
  const { node } = at;
  const target = field(at, 'left');
  const bound = target === undefined ? [] : targetsBelow(at, target, { kind: 'other', node });
  return [
    ...bound,
    ...enter(
      at,
      node.children.filter((child) => child !== target),
    ),
  ];
}

function typeAliasBelow(at: Visit): Visit[] {
  const { node } = at;
  const [left] = namedChildren(node);
  if (left !== undefined) targetsBelow(at, left, { kind: 'other', node });
  return [];
}

/** Binds the names of a target and visits what it reads: `a[i].b` binds nothing and reads `a` and `i`. */
function targetsBelow(at: Visit, target: SyntaxNode, binding: Binding, scope = at.scope): Visit[] {
  const isPlace = (node: SyntaxNode): boolean => /^(attribute|subscript|call)$/.test(node.type);
  const read: SyntaxNode[] = [];
  for (const node of descendants(target, (inner) => !isPlace(inner))) {
    if (node.type === 'identifier') bind(at, node, binding, scope);
    else if (isPlace(node)) read.push(node);
  }
  return enter(at, read);
}

/** In a `match`, every plain name counts as captured; only dotted names and classes are read. */
function patternBelow(at: Visit): Visit[] {
  const { node, scope } = at;
  const read: SyntaxNode[] = [];
  for (const part of descendants(node, ({ type }) => type !== 'dotted_name')) {
    if (part.type === 'identifier') bind(at, part, { kind: 'other', node });
    if (part.type !== 'dotted_name') continue;
    const names = identifiersOf(part);
    const [first] = names;
    const isClass = isInside(node, part, 'class_pattern');
    if (first && (names.length > 1 || isClass)) read.push(first);
    else bind(at, first, { kind: 'other', node }, scope);
  }
  return enter(at, read);
}

function typeBelow(at: Visit): Visit[] {
  const { node, scope } = at;
  const annotation =
    scope.kind === 'function' && at.annotation === 'none' && !isSignature(node, scope)
      ? 'never-evaluated'
      : 'evaluated';
  return node.children.map((child) => ({ text: at.text, node: child, scope, annotation }));
}

/** Annotations of a function with type parameters are read in its own scope; those in its body are not evaluated. */
function isSignature(node: SyntaxNode, scope: NameScope): boolean {
  const body = childOf(scope.node, 'body');
  return body !== undefined && node.start < body.start;
}

function isInside(root: SyntaxNode, node: SyntaxNode, type: string): boolean {
  for (const outer of descendants(root))
    if (outer.type === type && outer.children[0] === node) return true;
  return false;
}
