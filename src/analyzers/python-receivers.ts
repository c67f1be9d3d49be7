import type { Reference } from '../diagnostics/class-facts.ts';
import type { Receiver } from '../diagnostics/code-facts.ts';
import { type Binding, lookUp, type NameScope } from './python-name-scopes.ts';
import { decoratorsOf } from './python-functions.ts';
import { type NamedTree, onlyBinding, referenceTo } from './python-references.ts';
import { textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** What an expression holds, as far as one file tells: `own-class` is `cls` in a class method. */
export type Held = Receiver | { readonly kind: 'own-class'; readonly owner: string };

/** Methods of a PyTorch module that return the module itself. */
const RETURNS_ITSELF = /^(to|cuda|cpu|eval|train|float|double|half|bfloat16|requires_grad_)$/;

/** What people call the first parameter of a method. */
const OBJECT_ITSELF = /^_{0,2}(self|this|me|s|cls|klass|mcs|mcls)\b/;

/** What an expression before a dot holds; undefined where it can't be known. */
export function heldBy(node: SyntaxNode | undefined, tree: NamedTree): Held | undefined {
  if (node?.type === 'identifier') return heldByName(node, tree);
  if (node?.type === 'call') return heldBySuper(node, tree);
  if (node?.type !== 'attribute') return undefined;
  const object = childOf(node, 'object');
  const outer = object?.type === 'identifier' ? heldByName(object, tree) : undefined;
  if (outer?.kind !== 'self') return undefined;
  const attribute = textOf(childOf(node, 'attribute'), tree.text);
  return { kind: 'self-attribute', owner: outer.owner, attribute };
}

/** The class whose new object an expression is: `Net(…)`, also after `.to(device)`. */
export function newObjectOf(node: SyntaxNode | undefined, tree: NamedTree): Reference | undefined {
  let made = node;
  let callee = made?.type === 'call' ? childOf(made, 'function') : undefined;
  while (callee?.type === 'attribute' && childOf(callee, 'object')?.type === 'call') {
    if (!RETURNS_ITSELF.test(textOf(childOf(callee, 'attribute'), tree.text))) return undefined;
    made = childOf(callee, 'object');
    callee = made && childOf(made, 'function');
  }
  return referenceTo(callee, tree);
}

/** The class at module level whose body a scope is. */
export function ownerOf(scope: NameScope | undefined, text: string): string | undefined {
  const isOwner = scope?.kind === 'class' && scope.parent?.kind === 'module';
  return isOwner ? textOf(childOf(scope.node, 'name'), text) : undefined;
}

function heldByName(node: SyntaxNode, tree: NamedTree): Held | undefined {
  const { text, bindings } = tree;
  const name = textOf(node, text);
  const from = bindings.scopeOf.get(node);
  const scope = from && lookUp(from, name);
  const binding = scope && onlyBinding(scope, name);
  if (scope === undefined || binding === undefined || scope.kind === 'class') return undefined;
  if (binding.kind === 'parameter') return heldByParameter(binding, scope, tree);
  if (binding.kind !== 'assignment') return undefined;
  const of = newObjectOf(binding.value, tree);
  return of && { kind: 'instance', of };
}

function heldByParameter({ node }: Binding, scope: NameScope, tree: NamedTree): Held | undefined {
  const owner = ownerOf(scope.parent, tree.text);
  const isFunction = scope.node.type === 'function_definition';
  const parameters = childOf(scope.node, 'parameters');
  const isFirst = parameters !== undefined && namedChildren(parameters)[0] === node;
  if (owner !== undefined && isFunction && isFirst) {
    // A function in a class that decorates the methods below it takes a function first.
    if (!OBJECT_ITSELF.test(textOf(node, tree.text))) return undefined;
    const marks = decoratorsOf(tree.parents.get(scope.node), tree.text);
    if (marks.includes('@staticmethod')) return undefined;
    const name = textOf(childOf(scope.node, 'name'), tree.text);
    const isOfClass =
      marks.includes('@classmethod') || /^__(new|init_subclass|class_getitem)__$/.test(name);
    return { kind: isOfClass ? 'own-class' : 'self', owner };
  }
  // `*each: Net` holds a tuple.
  if (node.type !== 'typed_parameter' || namedChildren(node)[0]?.type !== 'identifier')
    return undefined;
  const [type] = namedChildren(childOf(node, 'type') ?? node);
  const of =
    type?.type === 'identifier' || type?.type === 'attribute' ? referenceTo(type, tree) : undefined;
  return of && { kind: 'annotated', of };
}

/** `super()` without arguments, directly in a method. */
function heldBySuper(node: SyntaxNode, { text, bindings }: NamedTree): Held | undefined {
  if (!/^super\(\s*\)$/.test(textOf(node, text))) return undefined;
  const scope = bindings.scopeOf.get(node);
  const owner = scope?.kind === 'function' ? ownerOf(scope.parent, text) : undefined;
  return owner === undefined ? undefined : { kind: 'super', owner };
}
