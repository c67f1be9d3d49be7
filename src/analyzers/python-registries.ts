import type { RegistryEntry, RegistryFact } from '../diagnostics/trace-facts.ts';
import { decoratorsOf } from './python-functions.ts';
import { lookUp } from './python-name-scopes.ts';
import { chainOf, type NamedTree } from './python-references.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** What a file maps names to: dicts of functions and classes, and branches that compare one name. */
export function readRegistries(
  tree: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): RegistryFact[] {
  const { text } = tree;
  const registries: RegistryFact[] = [];
  for (const [node, scope] of scopes) {
    const found = tableAt(node, tree);
    if (found === undefined || found.entries.length < 2) continue;
    const owner = found.owner === '' ? ownerOf(node, scopes, text) : found.owner;
    registries.push({ owner, entries: found.entries, line: node.line, symbol: scope.symbol });
  }
  return [...registries, ...registered(tree)];
}

interface Table {
  readonly owner: string;
  readonly entries: RegistryEntry[];
}

function tableAt(node: SyntaxNode, tree: NamedTree): Table | undefined {
  switch (node.type) {
    case 'dictionary':
      return { owner: '', entries: dictEntries(node, tree) };
    case 'call':
      return textOf(childOf(node, 'function'), tree.text) === 'dict'
        ? { owner: '', entries: keywordEntries(node, tree) }
        : undefined;
    case 'if_statement':
      return branches([node, ...node.children.filter(({ type }) => type === 'elif_clause')], tree);
    case 'block':
      // `if name == "a": return A()`, one after the other.
      return branches(
        namedChildren(node).filter(
          (one) => one.type === 'if_statement' && childOf(one, 'alternative') === undefined,
        ),
        tree,
      );
    case 'match_statement':
      return cases(node, tree);
    default:
      return undefined;
  }
}

/** `dict(a=A, b=B)` */
function keywordEntries(node: SyntaxNode, tree: NamedTree): RegistryEntry[] {
  return namedChildren(childOf(node, 'arguments') ?? node).flatMap((one) =>
    one.type === 'keyword_argument'
      ? entryOf(textOf(childOf(one, 'name'), tree.text), childOf(one, 'value'), tree)
      : [],
  );
}

/** `match name: case "a": return A()` */
function cases(node: SyntaxNode, tree: NamedTree): Table {
  const { text } = tree;
  const body = childOf(node, 'body') ?? node;
  const entries = namedChildren(body).flatMap((clause) => {
    const pattern = namedChildren(clause).find(({ type }) => type === 'case_pattern');
    const key = /^["']([^"']+)["']$/.exec(textOf(pattern, text))?.[1];
    return key === undefined
      ? []
      : entryOf(key, givenBy(childOf(clause, 'consequence'), text), tree);
  });
  return { owner: textOf(childOf(node, 'subject'), text), entries };
}

/** Classes and functions that a decorator of the module registers under names: `@register("a")`. */
function registered({ bindings, text, parents }: NamedTree): RegistryFact[] {
  const tables = new Map<string, RegistryEntry[]>();
  for (const [name, [binding]] of bindings.module.bindings) {
    if (binding === undefined || !/^(function|class)$/.test(binding.kind)) continue;
    const marks = decoratorsOf(parents.get(binding.node), text);
    for (const mark of marks) {
      const [, by = '', key] = /^@\s*([\w.]+)\(\s*["']([^"']+)["']/.exec(mark) ?? [];
      // What is registered under two names is meant for both.
      const isOnce = marks.filter((one) => one.startsWith(`@${by}(`)).length === 1;
      if (key === undefined || !isOnce || !/regist|^\w+$/.test(by)) continue;
      const entry = { key, target: name, written: name, line: binding.node.line };
      tables.set(by, [...(tables.get(by) ?? []), entry]);
    }
  }
  return [...tables].flatMap(([by, entries]) => {
    const [first] = entries;
    return first && entries.length > 1
      ? [{ owner: `@${by}`, entries, line: first.line, symbol: '' }]
      : [];
  });
}

function ownerOf(node: SyntaxNode, scopes: ReadonlyMap<SyntaxNode, Scope>, text: string): string {
  const before = text.slice(text.lastIndexOf('\n', node.start) + 1, node.start);
  return /([A-Za-z_]\w*)\s*(?::[^=\n]*)?=\s*$/.exec(before)?.[1] ?? scopes.get(node)?.symbol ?? '';
}

function dictEntries(node: SyntaxNode, tree: NamedTree): RegistryEntry[] {
  return namedChildren(node).flatMap((pair) => {
    const key = pair.type === 'pair' ? childOf(pair, 'key') : undefined;
    const name = key && literalString(key, tree.text);
    return name === undefined ? [] : entryOf(name, childOf(pair, 'value'), tree);
  });
}

/** `if name == "a": return A() elif name == "b": …` */
function branches(parts: readonly SyntaxNode[], tree: NamedTree): Table {
  const { text } = tree;
  const found = parts.map((part) => {
    const [, owner = '', key = ''] =
      /^\(?([\w.]+)\s*==\s*["']([^"']+)["']\)?$/.exec(textOf(childOf(part, 'condition'), text)) ??
      [];
    return { owner, key, value: givenBy(childOf(part, 'consequence'), text) };
  });
  const [first] = found;
  const isOne =
    first !== undefined && first.owner !== '' && found.every(({ owner }) => owner === first.owner);
  return {
    owner: first?.owner ?? '',
    entries: isOne ? found.flatMap(({ key, value }) => entryOf(key, value, tree)) : [],
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

/** Functions and classes, called or not; what is computed from more than one says nothing. */
function entryOf(key: string, value: SyntaxNode | undefined, tree: NamedTree): RegistryEntry[] {
  const { text } = tree;
  const body = value?.type === 'lambda' ? childOf(value, 'body') : value;
  const callee = body?.type === 'call' ? childOf(body, 'function') : undefined;
  const isPartial = /(^|\.)partial$/.test(textOf(callee, text));
  const [given] = body === undefined ? [] : namedChildren(childOf(body, 'arguments') ?? body);
  const named = isPartial ? given : (callee ?? body);
  if (value === undefined || named === undefined || !isDefinition(named, tree)) return [];
  const last = named.type === 'attribute' ? childOf(named, 'attribute') : named;
  const written = textOf(value, text).replace(/\s/g, '');
  return [{ key, target: textOf(last, text), written, line: value.line }];
}

/** Whether a dotted name begins with what the module defines or imports. */
function isDefinition(node: SyntaxNode, { text, bindings }: NamedTree): boolean {
  const [first] = chainOf(node, text) ?? [];
  const from = bindings.scopeOf.get(node);
  const scope = from && first !== undefined ? lookUp(from, first) : undefined;
  const bound = first === undefined ? undefined : scope?.bindings.get(first);
  return bound?.every(({ kind }) => /^(import|function|class)$/.test(kind)) === true;
}
