import type { HandedOn, IdleParameter } from '../diagnostics/trace-facts.ts';
import { isAllowedFunction, onlyPasses } from './hollow-allowances.ts';
import { calleeOf } from './python-calls.ts';
import { decoratorsOf } from './python-functions.ts';
import { docstringOf } from './python-interface.ts';
import { lookUp } from './python-name-scopes.ts';
import type { NamedTree } from './python-references.ts';
import { qualify, type Scope, textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

type Scopes = ReadonlyMap<SyntaxNode, Scope>;

/** Bases of a class that neither ask for its constructor's parameters nor read its attributes. */
const PLAIN_BASES =
  /^\((\s*(object|nn\.Module|torch\.nn\.Module|Module|Dataset|torch\.utils\.data\.Dataset)\s*,?)*\)$/;

/** Parameters of functions and of methods of plain classes that do not end where they come in. */
export function readIdle(tree: NamedTree, scopes: Scopes): IdleParameter[] {
  return [...scopes].flatMap(([node, scope]) =>
    node.type === 'function_definition' && isDecidable(node, scope, tree)
      ? idleOf(node, scope, { tree, scopes })
      : [],
  );
}

/** Only where the code of the repository alone says how it is called. */
function isDecidable(node: SyntaxNode, scope: Scope, { text, parents }: NamedTree): boolean {
  const name = textOf(childOf(node, 'name'), text);
  const { level, owner } = scope;
  if (level === 'function' || scope.isConditional || scope.typing) return false;
  if (level === 'class' && (owner === undefined || scope.symbol.includes('.'))) return false;
  if (name.startsWith('_') && name !== '__init__') return false;
  const marks = decoratorsOf(parents.get(node), text);
  if (marks.length > 0) return false;
  const candidate = { node, scope, name, marks, text, isReplaced: false };
  if (isAllowedFunction(candidate) && name !== '__init__') return false;
  if (owner === undefined) return true;
  const bases = textOf(childOf(owner, 'superclasses'), text);
  const isMarked = decoratorsOf(parents.get(owner), text).length > 0;
  return !isMarked && (bases === '' || PLAIN_BASES.test(bases));
}

function idleOf(
  node: SyntaxNode,
  scope: Scope,
  { tree, scopes }: { readonly tree: NamedTree; readonly scopes: Scopes },
): IdleParameter[] {
  const { text } = tree;
  const body = childOf(node, 'body');
  if (body === undefined || onlyPasses(body)) return [];
  const code = textOf(body, text).slice(textOf(docstringOf(body), text).length);
  // A body that does nothing is hollow; what reads all of its variables at once reads each.
  if (
    /^\s*(pass|\.\.\.|raise\b.*)?\s*$/.test(code) ||
    /\b(locals|vars|eval|exec|globals)\s*\(/.test(code)
  )
    return [];
  const symbol = qualify(scope, textOf(childOf(node, 'name'), text));
  const names = new Map(
    namedChildren(childOf(node, 'parameters') ?? node).flatMap((one): [string, number][] => {
      const name = parameterName(one, text);
      return name === undefined || /^(_|self$|cls$)/.test(name) ? [] : [[name, one.line]];
    }),
  );
  const uses = usesOf(body, names, tree);
  return [...names].flatMap(([name, line]) => {
    const stored: string[] = [];
    const handedOn: HandedOn[] = [];
    for (const use of uses.get(name) ?? []) {
      const attribute = storedAs(use, tree);
      const handed = attribute === undefined ? handedTo(use, { tree, scopes }) : undefined;
      if (attribute !== undefined) stored.push(attribute);
      else if (handed !== undefined) handedOn.push(handed);
      else return [];
    }
    return [{ symbol, name, line, stored, handedOn }];
  });
}

function usesOf(
  body: SyntaxNode,
  names: ReadonlyMap<string, number>,
  { text, parents }: NamedTree,
): ReadonlyMap<string, readonly SyntaxNode[]> {
  const uses = new Map<string, SyntaxNode[]>();
  for (const node of descendants(body)) {
    if (node.type !== 'identifier' || node.field === 'attribute') continue;
    // The names of keywords are the callee's.
    if (node.field === 'name' && parents.get(node)?.type === 'keyword_argument') continue;
    const name = textOf(node, text);
    if (!names.has(name)) continue;
    const known = uses.get(name);
    if (known) known.push(node);
    else uses.set(name, [node]);
  }
  return uses;
}

/** `self.width = width` */
function storedAs(use: SyntaxNode, { text, parents }: NamedTree): string | undefined {
  const parent = parents.get(use);
  if (parent?.type !== 'assignment' || use.field !== 'right') return undefined;
  const left = childOf(parent, 'left');
  return /^self\.(\w+)$/.exec(textOf(left, text))?.[1];
}

/** The place of a call that a name is given to as it is. */
function handedTo(
  use: SyntaxNode,
  { tree, scopes }: { readonly tree: NamedTree; readonly scopes: Scopes },
): HandedOn | undefined {
  const { parents, text, bindings } = tree;
  const parent = parents.get(use);
  const isKeyword = parent?.type === 'keyword_argument';
  const list = isKeyword ? parents.get(parent) : parent;
  const call = list?.type === 'argument_list' ? parents.get(list) : undefined;
  const callee = call?.type === 'call' ? childOf(call, 'function') : undefined;
  const scope = call && scopes.get(call);
  const from = bindings.scopeOf.get(use);
  if (!list || !callee || !scope || !from || lookUp(from, textOf(use, text))?.kind !== 'function')
    return undefined;
  const found = calleeOf(callee, tree, scope);
  if (found === undefined) return undefined;
  if (isKeyword) return { callee: found, slot: textOf(childOf(parent, 'name'), text) };
  const given = namedChildren(list);
  const slot = given.indexOf(use);
  return given.slice(0, slot).some(({ type }) => /splat/.test(type))
    ? undefined
    : { callee: found, slot };
}

/** The name of a parameter with or without type and default; none for stars. */
export function parameterName(parameter: SyntaxNode, text: string): string | undefined {
  switch (parameter.type) {
    case 'identifier':
      return textOf(parameter, text);
    case 'default_parameter':
    case 'typed_default_parameter':
      return textOf(childOf(parameter, 'name'), text);
    case 'typed_parameter': {
      const [first] = namedChildren(parameter);
      return first?.type === 'identifier' ? textOf(first, text) : undefined;
    }
    default:
      return undefined;
  }
}
