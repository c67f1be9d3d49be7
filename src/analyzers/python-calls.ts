import type { Reference } from '../diagnostics/class-facts.ts';
import type { Callee, CallFact, MemberUse } from '../diagnostics/code-facts.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import { storeOf } from './python-attribute-sets.ts';
import { lookUp } from './python-name-scopes.ts';
import { decoratorsOf, functionFact } from './python-functions.ts';
import { heldBy } from './python-receivers.ts';
import { importOrigin, type NamedTree, onlyBinding, referenceTo } from './python-references.ts';
import { qualify, type Scope, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const MAX_CALLEE_LENGTH = 200;
const OF_EVERY_CLASS = /^(mro|register)$/;

type Scopes = ReadonlyMap<SyntaxNode, Scope>;

/** The calls of a file whose callee another check may find out. */
export function readCalls(tree: NamedTree, scopes: Scopes): CallFact[] {
  const calls: CallFact[] = [];
  for (const [node, scope] of scopes) {
    if (node.type !== 'call' || scope.catchesType || scope.typing) continue;
    const written = childOf(node, 'function');
    // Nobody writes more before the bracket of a call that can be followed.
    const isShort = written !== undefined && written.end - written.start <= MAX_CALLEE_LENGTH;
    const callee = isShort ? calleeOf(written, tree, scope) : undefined;
    if (callee === undefined || written === undefined) continue;
    calls.push({
      callee,
      written: textOf(written, tree.text).replace(/\s+/g, ''),
      ...argumentsOf(node, tree.text),
      line: node.line,
      symbol: scope.symbol,
    });
  }
  return calls;
}

/** The attributes that a file reads off objects whose class another check may find out. */
export function readMembers(
  tree: NamedTree,
  scopes: Scopes,
  probed: ReadonlySet<string>,
): MemberUse[] {
  const members: MemberUse[] = [];
  for (const [node, scope] of scopes) {
    if (node.type !== 'attribute' || scope.catchesAttribute || scope.typing) continue;
    const name = textOf(childOf(node, 'attribute'), tree.text);
    if (probed.has(name) || name.startsWith('__')) continue;
    const store = storeOf(node, tree);
    if (store === 'set' || store === 'deleted') continue;
    const object = childOf(node, 'object');
    const held = heldBy(object, tree);
    if (held === undefined || (held.kind === 'annotated' && isTested(object, tree.text))) continue;
    if (held.kind === 'own-class' && OF_EVERY_CLASS.test(name)) continue;
    // What is set on `self` counts for the class as well, so it may be asked the same.
    const receiver =
      held.kind === 'own-class' ? { kind: 'self' as const, owner: held.owner } : held;
    members.push({ receiver, name, line: node.line, symbol: scope.symbol });
  }
  return members;
}

/** Whether a file asks of a name what class its object is of, which may be another than its annotation says. */
function isTested(object: SyntaxNode | undefined, text: string): boolean {
  const name = textOf(object, text);
  return new RegExp(String.raw`\b(isinstance|type)\(\s*${name}\b|\bmatch ${name}:`).test(text);
}

/** What a called expression stands for; undefined where no other check could find out. */
export function calleeOf(node: SyntaxNode, tree: NamedTree, scope: Scope): Callee | undefined {
  const receiver =
    node.type === 'attribute' ? heldBy(childOf(node, 'object'), tree) : heldBy(node, tree);
  if (receiver?.kind === 'own-class') return node.type === 'identifier' ? receiver : undefined;
  if (receiver !== undefined) {
    const method = node.type === 'attribute' ? textOf(childOf(node, 'attribute'), tree.text) : null;
    return { kind: 'member', receiver, method };
  }
  if (node.type === 'identifier') {
    const local = localFunction(node, tree, scope);
    if (local !== 'elsewhere') return local;
  }
  const reference = referenceTo(node, tree);
  return reference && mayBeLocal(reference, tree) ? { kind: 'reference', reference } : undefined;
}

/** A function defined within another function, once. */
function localFunction(
  node: SyntaxNode,
  { text, bindings, parents }: NamedTree,
  scope: Scope,
): Callee | undefined | 'elsewhere' {
  const name = textOf(node, text);
  const from = bindings.scopeOf.get(node);
  const where = from && lookUp(from, name);
  if (where?.kind !== 'function') return 'elsewhere';
  const binding = onlyBinding(where, name);
  if (binding?.kind !== 'function') return binding?.kind === 'import' ? 'elsewhere' : undefined;
  const decorators = decoratorsOf(parents.get(binding.node), text);
  const details = { symbol: qualify(scope, name), decorators, isMethod: false };
  const fact = functionFact(binding.node, details, text);
  return fact && { kind: 'function', function: fact };
}

/** Leaves out what is Python's own or bound in more than one way. */
function mayBeLocal({ origin, chain }: Reference, { text, bindings }: NamedTree): boolean {
  const [name = ''] = chain;
  const binding = onlyBinding(bindings.module, name);
  const from = origin ?? (binding && importOrigin(binding, text));
  if (from !== null && from !== undefined)
    return from.level > 0 || !STANDARD_LIBRARY.has(from.module.split('.')[0] ?? '');
  return binding?.kind === 'function' || binding?.kind === 'class';
}

function argumentsOf(
  call: SyntaxNode,
  text: string,
): Pick<CallFact, 'positional' | 'keywords' | 'hasRest' | 'hasKeywords'> {
  const list = childOf(call, 'arguments');
  if (list?.type === 'generator_expression')
    return { positional: 1, keywords: [], hasRest: false, hasKeywords: false };
  const given = list === undefined ? [] : namedChildren(list);
  const ofType = (type: string): SyntaxNode[] => given.filter((node) => node.type === type);
  const splat = given.findIndex(({ type }) => type === 'list_splat');
  const before = splat < 0 ? given : given.slice(0, splat);
  return {
    positional: before.filter(({ type }) => !/^(keyword_argument|dictionary_splat)$/.test(type))
      .length,
    keywords: ofType('keyword_argument').map((node) => textOf(childOf(node, 'name'), text)),
    hasRest: splat >= 0,
    hasKeywords: ofType('dictionary_splat').length > 0,
  };
}
