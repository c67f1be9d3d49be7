import type { RegistryEntry, RegistryFact } from '../diagnostics/trace-facts.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** What a file maps names to: dicts of functions and classes, and branches that compare one name. */
export function readRegistries(
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  text: string,
): RegistryFact[] {
  const registries: RegistryFact[] = [];
  for (const [node, scope] of scopes) {
    const found =
      node.type === 'dictionary'
        ? { owner: '', entries: dictEntries(node, text) }
        : node.type === 'if_statement'
          ? branches(node, text)
          : undefined;
    if (found === undefined || found.entries.length < 2) continue;
    const owner = found.owner === '' ? ownerOf(node, scopes, text) : found.owner;
    registries.push({ owner, entries: found.entries, line: node.line, symbol: scope.symbol });
  }
  return registries;
}

function ownerOf(
  node: SyntaxNode,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  text: string,
): string {
  const before = text.slice(text.lastIndexOf('\n', node.start) + 1, node.start);
  return /([A-Za-z_]\w*)\s*(?::[^=\n]*)?=\s*$/.exec(before)?.[1] ?? scopes.get(node)?.symbol ?? '';
}

function dictEntries(node: SyntaxNode, text: string): RegistryEntry[] {
  return namedChildren(node).flatMap((pair) => {
    const key = pair.type === 'pair' ? childOf(pair, 'key') : undefined;
    const name = key && literalString(key, text);
    return name === undefined ? [] : entryOf(name, childOf(pair, 'value'), text);
  });
}

/** `if name == "a": return A() elif name == "b": …` */
function branches(
  node: SyntaxNode,
  text: string,
): { readonly owner: string; readonly entries: RegistryEntry[] } {
  const parts = [node, ...node.children.filter(({ type }) => type === 'elif_clause')];
  const found = parts.map((part) => {
    const [, owner = '', key = ''] =
      /^\(?([\w.]+)\s*==\s*["']([^"']+)["']\)?$/.exec(textOf(childOf(part, 'condition'), text)) ?? [];
    return { owner, key, value: givenBy(childOf(part, 'consequence'), text) };
  });
  const [first] = found;
  const isOne = first !== undefined && first.owner !== '' && found.every(({ owner }) => owner === first.owner);
  return {
    owner: first?.owner ?? '',
    entries: isOne ? found.flatMap(({ key, value }) => entryOf(key, value, text)) : [],
  };
}

/** What a branch of one statement returns or assigns. */
function givenBy(block: SyntaxNode | undefined, text: string): SyntaxNode | undefined {
  const statements = block === undefined ? [] : namedChildren(block);
  const [only] = statements;
  if (statements.length !== 1 || only === undefined) return undefined;
  if (only.type === 'return_statement') return namedChildren(only)[0];
  const [inner] = namedChildren(only);
  return inner?.type === 'assignment' && textOf(inner, text) !== ''
    ? childOf(inner, 'right')
    : undefined;
}

/** Names and calls of names; what is computed from more than one says nothing. */
function entryOf(key: string, value: SyntaxNode | undefined, text: string): RegistryEntry[] {
  const body = value?.type === 'lambda' ? childOf(value, 'body') : value;
  const isPartial = body?.type === 'call' && /(^|\.)partial$/.test(textOf(childOf(body, 'function'), text));
  const called = body?.type === 'call' ? childOf(body, 'function') : body;
  const named = isPartial ? namedChildren(childOf(body, 'arguments') ?? body)[0] : called;
  if (value === undefined || named === undefined || !/^(identifier|attribute)$/.test(named.type)) return [];
  if ([...descendants(named)].some(({ type }) => /^(call|subscript)$/.test(type))) return [];
  const last = named.type === 'attribute' ? childOf(named, 'attribute') : named;
  const written = textOf(value, text).replace(/\s/g, '');
  return [{ key, target: textOf(last, text), written, line: value.line }];
}
