import type { AffixedKey, NamedArgument, SoughtKey } from '../diagnostics/trace-facts.ts';
import type { NamedTree } from './python-references.ts';
import { parameterNames } from './python-scope-owners.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { templateOf } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** What statistics over runs are called. */
const STATISTIC =
  /(^|[_/ ])(mean|avg|average|std|stdev|stderr|sem|var|median|min|max|best|final|last|lower|upper|ci)(?=[_/ ]|$)/;
const MAX_LENGTH = 80;

/** What a file shows of keys that are put together from a name and something before or after it. */
export interface Affixes {
  readonly affixed: readonly AffixedKey[];
  readonly namedArguments: readonly NamedArgument[];
  readonly sought: readonly SoughtKey[];
  /** Strings with the name of a statistic in them that are no keys which are looked up; holes stand as NUL. */
  readonly made: readonly string[];
}

/** Keys that are looked up and put together, and the names that calls give. */
export function readAffixes(
  { text, parents }: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): Affixes {
  const parametersOf = new Map<string, readonly string[]>();
  const said = new Map<string, string[]>();
  const affixed: AffixedKey[] = [];
  const namedArguments: NamedArgument[] = [];
  const sought: SoughtKey[] = [];
  const made = new Set<string>();
  for (const [node, { symbol }] of scopes) {
    if (node.type === 'function_definition') {
      const name = textOf(childOf(node, 'name'), text);
      parametersOf.set(symbol === '' ? name : `${symbol}.${name}`, parameterNames(node, text));
    }
    for (const [name, template] of bound(node, text))
      said.set(name, [...(said.get(name) ?? []), template]);
  }
  const templatesOf = (node: SyntaxNode): readonly string[] => {
    const own = templateOf(node, text);
    if (own !== undefined) return [own];
    return node.type === 'identifier' ? (said.get(textOf(node, text)) ?? []) : [];
  };
  for (const [node, { symbol }] of scopes) {
    if (node.type === 'call')
      namedArguments.push(...namesGiven(node, templatesOf, { text, symbol }));
    const template = node.end - node.start > MAX_LENGTH ? undefined : templateOf(node, text);
    if (template === undefined) continue;
    const isKey = isLookedUp(node, parents, text);
    if (STATISTIC.test(template)) {
      if (!isKey) made.add(template);
      else if (template.includes('\0')) sought.push({ template, line: node.line, symbol });
    }
    const [before, after, ...more] = template.split('\0');
    const hole = namedChildren(node).find(({ type }) => type === 'interpolation');
    if (!isKey || after === undefined || more.length > 0 || hole === undefined) continue;
    const parameter = textOf(hole, text).replace(/^\{\s*|\s*\}$/g, '');
    const index = parametersOf.get(symbol)?.indexOf(parameter) ?? -1;
    if (index >= 0)
      affixed.push({ symbol, parameter, index, before: before ?? '', after, line: node.line });
  }
  return { affixed, namedArguments, sought, made: [...made] };
}

/** `row[f"{name}_mean"]`, `row.get(f"{name}_mean")`, where it is not set. */
function isLookedUp(
  node: SyntaxNode,
  parents: ReadonlyMap<SyntaxNode, SyntaxNode>,
  text: string,
): boolean {
  const parent = parents.get(node);
  if (parent?.type === 'subscript' && node.field === 'subscript') {
    const outer = parents.get(parent);
    return !(/assignment$/.test(outer?.type ?? '') && parent.field === 'left');
  }
  const call = parent?.type === 'argument_list' ? parents.get(parent) : undefined;
  return (
    call !== undefined &&
    calledName(call, text) === 'get' &&
    namedChildren(parent ?? call)[0] === node
  );
}

/** The strings that a statement gives a name: `name = "loss_mean"`, `for name in ("loss_mean", "error_mean")`. */
function bound(node: SyntaxNode, text: string): [string, string][] {
  if (!/^(assignment|for_statement|for_in_clause)$/.test(node.type)) return [];
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left?.type !== 'identifier' || right === undefined) return [];
  const isLoop = node.type !== 'assignment';
  const values = isLoop && /^(list|tuple|set)$/.test(right.type) ? namedChildren(right) : [right];
  if (isLoop && values[0] === right) return [];
  return values.flatMap((value): [string, string][] => {
    const template = templateOf(value, text);
    return template === undefined ? [] : [[textOf(left, text), template]];
  });
}

function namesGiven(
  call: SyntaxNode,
  templatesOf: (node: SyntaxNode) => readonly string[],
  { text, symbol }: { readonly text: string; readonly symbol: string },
): NamedArgument[] {
  const callee = calledName(call, text);
  if (callee === '') return [];
  const isMember = childOf(call, 'function')?.type === 'attribute';
  return namedChildren(childOf(call, 'arguments') ?? call).flatMap((one, index) => {
    const name = one.type === 'keyword_argument' ? textOf(childOf(one, 'name'), text) : null;
    const value = name === null ? one : childOf(one, 'value');
    const templates = value === undefined ? [] : templatesOf(value);
    const slot = name ?? index;
    // Without anything that joins words, no ending is added to it.
    return templates
      .filter((one) => /[_/.-]/.test(one) && one.length <= MAX_LENGTH)
      .map((template) => ({
        ...{ callee, isMember, slot, template, line: one.line, symbol },
      }));
  });
}
