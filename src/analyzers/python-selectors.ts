import type { Selector } from '../diagnostics/settings-facts.ts';
import { scopedNodes, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const COLLECTION = /^(list|tuple|set)$/;
const ENUM = /\b(Str|Int)?Enum\b/;

/** Where a Python file chooses by a name: dicts, choices, comparisons, enumerations, registering calls. */
export function readSelectors(root: SyntaxNode, text: string): Selector[] {
  const gathered = new Map<string, { line: number; symbol: string; names: Set<string> }>();
  for (const [node, scope] of scopedNodes(root, text)) {
    for (const { owner, names } of selectionsIn(node, text)) {
      // Comparisons of one function belong together; a registry belongs to its file.
      const key = `${/^\w+$/.test(owner) && node.type !== 'assignment' ? scope.symbol : ''} ${owner}`;
      const known = gathered.get(key) ?? {
        line: node.line,
        symbol: scope.symbol,
        names: new Set(),
      };
      for (const name of names) known.names.add(name);
      gathered.set(key, known);
    }
  }
  return [...gathered].map(([key, { line, symbol, names }]) => ({
    ...{ owner: key.slice(key.indexOf(' ') + 1), line, symbol },
    names: [...names],
  }));
}

interface Selection {
  readonly owner: string;
  readonly names: readonly string[];
}

function selectionsIn(node: SyntaxNode, text: string): Selection[] {
  switch (node.type) {
    case 'assignment':
      return assigned(node, text);
    case 'comparison_operator':
      return compared(node, text);
    case 'match_statement':
      return [matched(node, text)];
    case 'class_definition':
      return ENUM.test(textOf(childOf(node, 'superclasses'), text)) ? [enumerated(node, text)] : [];
    case 'call':
      return called(node, text);
    default:
      return [];
  }
}

function assigned(node: SyntaxNode, text: string): Selection[] {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === undefined || right === undefined) return [];
  const owner = textOf(left, text);
  if (left.type === 'subscript') {
    const key = left.children.find(({ field }) => field === 'subscript');
    const name = key && literalString(key, text);
    const registry = textOf(childOf(left, 'value'), text);
    return name === undefined ? [] : [{ owner: registry, names: [name] }];
  }
  if (right.type === 'dictionary') return [{ owner, names: keysOf(right, text) }];
  // `dict(ours=Ours)` and `Registry({"ours": Ours})` hold names as well.
  const inner = right.type === 'call' ? childOf(right, 'arguments') : undefined;
  const [first] = inner === undefined ? [] : namedChildren(inner);
  if (right.type === 'call' && textOf(childOf(right, 'function'), text) === 'dict' && inner)
    return [{ owner, names: keywordsOf(inner, text) }];
  return first?.type === 'dictionary' ? [{ owner, names: keysOf(first, text) }] : [];
}

function keywordsOf(list: SyntaxNode, text: string): string[] {
  return namedChildren(list)
    .filter(({ type }) => type === 'keyword_argument')
    .map((keyword) => textOf(childOf(keyword, 'name'), text));
}

function keysOf(dictionary: SyntaxNode, text: string): string[] {
  return namedChildren(dictionary).flatMap((pair) => {
    const key = pair.type === 'pair' ? childOf(pair, 'key') : undefined;
    return (key && literalString(key, text)) ?? [];
  });
}

function compared(node: SyntaxNode, text: string): Selection[] {
  if (!node.children.some(({ type }) => /^(==|!=|in|not in)$/.test(type))) return [];
  const [left, right] = namedChildren(node);
  if (left === undefined || right === undefined) return [];
  const owner = textOf(left, text).replace(/\.(lower|upper|strip|casefold)\(\)/g, '');
  return /^[\w.[\]"']+$/.test(owner) ? [{ owner, names: stringsOf(right, text) }] : [];
}

function stringsOf(node: SyntaxNode, text: string): string[] {
  const items = COLLECTION.test(node.type) ? namedChildren(node) : [node];
  return items.flatMap((item) => literalString(item, text) ?? []);
}

function matched(node: SyntaxNode, text: string): Selection {
  const patterns = [...descendants(node)].filter(({ type }) => type === 'case_pattern');
  const strings = patterns.flatMap((pattern) => [...descendants(pattern)]);
  return {
    owner: textOf(childOf(node, 'subject'), text),
    names: strings.flatMap((each) => literalString(each, text) ?? []),
  };
}

function enumerated(node: SyntaxNode, text: string): Selection {
  const statements = namedChildren(childOf(node, 'body') ?? node).flatMap(namedChildren);
  const values = statements.map((statement) => childOf(statement, 'right'));
  return {
    owner: textOf(childOf(node, 'name'), text),
    names: values.flatMap((value) => (value && literalString(value, text)) ?? []),
  };
}

/** `add_argument("--method", choices=[…])` and `register("name", …)`. */
function called(node: SyntaxNode, text: string): Selection[] {
  const callee = textOf(childOf(node, 'function'), text);
  const argumentList = childOf(node, 'arguments');
  if (argumentList === undefined) return [];
  const parts = namedChildren(argumentList);
  const [first] = parts;
  if (/(^|[._])register(_\w+)?$/i.test(callee)) {
    const name = first && literalString(first, text);
    return name === undefined ? [] : [{ owner: `@${callee}`, names: [name] }];
  }
  const choices = parts.find((part) => textOf(childOf(part, 'name'), text) === 'choices');
  const list = choices && childOf(choices, 'value');
  const flag = first && literalString(first, text);
  if (list === undefined || flag === undefined) return [];
  return COLLECTION.test(list.type) ? [{ owner: flag, names: stringsOf(list, text) }] : [];
}
