import type { TraceFacts } from '../diagnostics/trace-facts.ts';
import type { NamedTree } from './python-references.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { literalValue } from './literal-value.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Calls that take what is used when nothing is given. */
const TAKES_DEFAULT =
  /^(get|getattr|getenv|pop|setdefault|add_argument|option|argument|\w*[fF]ield)$/;
/** Numbers that stand in every formula. */
const COMMON = /^-?(\d|10|100|0\.5|1000|255|0\.1)$/;

/** Names of module constants that functions compute with, and that nothing takes for a default. */
export function readConstantsUsed(
  { text, parents, bindings }: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): string[] {
  const used = new Set<string>();
  const defaults = new Set<string>();
  for (const [node, { level }] of scopes) {
    if (node.type !== 'identifier' || /^(attribute|name|left)$/.test(node.field ?? '')) continue;
    const name = textOf(node, text);
    if (!/^_?[A-Z][A-Z0-9_]*$/.test(name) || !bindings.module.bindings.has(name)) continue;
    if (isDefault(node, { text, parents })) defaults.add(name);
    else if (level === 'function') used.add(name);
  }
  return [...used].filter((name) => !defaults.has(name));
}

function isDefault(
  node: SyntaxNode,
  { text, parents }: Pick<NamedTree, 'text' | 'parents'>,
): boolean {
  const parent = parents.get(node);
  if (parent === undefined) return false;
  if (/default_parameter$/.test(parent.type)) return node.field === 'value';
  // `value if given else DEFAULT`, `given or DEFAULT`
  if (/^(conditional_expression|boolean_operator|import_from_statement)$/.test(parent.type))
    return true;
  const call = callAround(parent, parents);
  return call !== undefined && TAKES_DEFAULT.test(calledName(call, text));
}

function callAround(
  parent: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode>,
): SyntaxNode | undefined {
  const list = parent.type === 'keyword_argument' ? parents.get(parent) : parent;
  const call = list?.type === 'argument_list' ? parents.get(list) : undefined;
  return call?.type === 'call' ? call : undefined;
}

/** Uncommon numbers that functions add, multiply or compare with. */
export function readFormulaNumbers(
  { text, parents }: Pick<NamedTree, 'text' | 'parents'>,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): TraceFacts['formulaNumbers'] {
  const numbers: TraceFacts['formulaNumbers'][number][] = [];
  for (const [node, { level, symbol }] of scopes) {
    if (level !== 'function' || !/^(integer|float)$/.test(node.type)) continue;
    if (!/^(binary_operator|return_statement)$/.test(parents.get(node)?.type ?? '')) continue;
    const value = literalValue(node, text);
    if (value !== undefined && !COMMON.test(value))
      numbers.push({ value, line: node.line, symbol });
  }
  return numbers;
}

/** Names that are taken from mappings and objects by their strings, and the last names of what is called with `**`; empty for what may be any. */
export function readTaken(
  { text, bindings }: Pick<NamedTree, 'text' | 'bindings'>,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): { readonly taken: string[]; readonly spreadsInto: string[] } {
  const taken = new Set<string>();
  const spreadsInto = new Set<string>();
  for (const node of scopes.keys()) {
    if (node.type === 'string' && node.field === 'subscript') taken.add(inner(node, text));
    if (node.type !== 'call') continue;
    const callee = calledName(node, text);
    const given = namedChildren(childOf(node, 'arguments') ?? node);
    if (/^(get|pop|getattr|hasattr|attrgetter|itemgetter|select|setdefault)$/.test(callee))
      for (const one of given) if (one.type === 'string') taken.add(inner(one, text));
    if (!given.some(({ type }) => type === 'dictionary_splat')) continue;
    // A variable may hold any function.
    const isVariable =
      childOf(node, 'function')?.type === 'identifier' &&
      !bindings.module.bindings.has(callee) &&
      !/^(cls|dict|print|super)$/.test(callee);
    spreadsInto.add(callee === 'partial' || isVariable ? '' : callee);
  }
  return { taken: [...taken], spreadsInto: [...spreadsInto] };
}

function inner(node: SyntaxNode, text: string): string {
  return textOf(node, text).replace(/^\w*["']+|["']+$/g, '');
}
