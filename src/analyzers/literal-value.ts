import { textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Longer lists are data. */
const MAX_ITEMS = 8;

/** A literal as text that equal values share; undefined for anything else. */
export function literalValue(node: SyntaxNode | undefined, text: string): string | undefined {
  if (node === undefined) return undefined;
  switch (node.type) {
    case 'integer':
    case 'float':
    case 'unary_operator': {
      const number = Number(textOf(node, text).replace(/[_\s]/g, ''));
      return Number.isNaN(number) ? undefined : String(number);
    }
    case 'true':
    case 'false':
      return node.type;
    case 'string':
      return literalString(node, text);
    case 'list':
    case 'tuple': {
      const items = namedChildren(node);
      const isPlain =
        items.length > 0 &&
        items.length <= MAX_ITEMS &&
        items.every(({ type }) => !/^(list|tuple)$/.test(type));
      const values = isPlain ? items.map((item) => literalValue(item, text)) : [];
      return isPlain && values.every((value) => value !== undefined)
        ? `[${values.join(', ')}]`
        : undefined;
    }
    default:
      return undefined;
  }
}
