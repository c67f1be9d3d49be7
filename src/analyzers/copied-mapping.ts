import { textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';
import type { Frame } from './value-reading.ts';

/** The mapping that a comprehension copies key by key, inner ones by the function that it stands in: `{k: wrap(v) for k, v in x.items()}` within `wrap`. */
export function copiedMapping(
  node: SyntaxNode,
  { symbol }: Frame,
  text: string,
): SyntaxNode | undefined {
  const [pair, clause, ...rest] = namedChildren(node);
  if (pair?.type !== 'pair' || clause?.type !== 'for_in_clause' || rest.length > 0)
    return undefined;
  const [key = '', value = ''] = textOf(childOf(clause, 'left'), text).split(/\s*,\s*/);
  if (!/^\w+$/.test(key) || !/^\w+$/.test(value)) return undefined;
  const own = symbol.split('.').at(-1) ?? '';
  const given = textOf(childOf(pair, 'value'), text).replace(/\s/g, '');
  const isKept =
    given === value || new RegExp(`^(?:self\\.|cls\\.)?${own}\\(${value}\\)$`).test(given);
  if (textOf(childOf(pair, 'key'), text) !== key || !isKept) return undefined;
  const items = childOf(clause, 'right');
  const callee = items?.type === 'call' ? childOf(items, 'function') : undefined;
  return textOf(childOf(callee ?? node, 'attribute'), text) === 'items'
    ? childOf(callee ?? node, 'object')
    : undefined;
}

/** Whether a name is no mapping where a test for one has failed: the last `x` of `f(x) if isinstance(x, dict) else x`. */
export function isOfAnotherType(
  name: SyntaxNode | undefined,
  condition: SyntaxNode | undefined,
  text: string,
): boolean {
  if (name?.type !== 'identifier') return false;
  const tested =
    /^isinstance\(\s*(\w+)\s*,\s*\(?\s*(?:collections\.abc\.|abc\.|typing\.)?(?:dict|Mapping|MutableMapping)\b/;
  return tested.exec(textOf(condition, text))?.[1] === textOf(name, text);
}

/** `return x` after `if isinstance(x, dict): return …`: what is given back is no mapping. */
export function returnsOtherType(
  statement: SyntaxNode,
  before: readonly SyntaxNode[],
  text: string,
): boolean {
  if (statement.type !== 'return_statement') return false;
  const [value] = namedChildren(statement);
  return before.some((one) => {
    const last = one.type === 'if_statement' ? childOf(one, 'consequence') : undefined;
    return (
      last !== undefined &&
      namedChildren(last).at(-1)?.type === 'return_statement' &&
      isOfAnotherType(value, childOf(one, 'condition'), text)
    );
  });
}

/** `values[name] = …` after `if name not in values: raise …` sets what is there. */
export function isTestedKey(
  index: SyntaxNode | undefined,
  container: SyntaxNode,
  { node }: Frame,
  text: string,
): boolean {
  const [name, holder] = [textOf(index, text), textOf(container, text)];
  if (!/^\w+$/.test(name) || !/^\w+$/.test(holder)) return false;
  const before = text.slice(node.start, container.start);
  return new RegExp(
    `\\bif ${name} not in ${holder}:\\s*(#[^\\n]*\\s*)?(raise|return|continue)\\b`,
  ).test(before);
}
