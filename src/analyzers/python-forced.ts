import type { ForcedValue } from '../diagnostics/trace-facts.ts';
import { literalValue } from './literal-value.ts';
import type { NamedTree } from './python-references.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Calls that give a copy of something with other values in it. */
const LAYS_OVER =
  /^(replace|_replace|evolve|update|model_copy|copy_with|with_options|setattr|dict)$/;
/** Runs that are short on purpose. */
const SMALL = /smoke|test|debug|tiny|quick|toy|fast|demo|dry|sanity|profile|limit|small/i;
/** What a variant of something stands in. */
const VARIANT = /^(pair|list|tuple|dictionary|set|list_comprehension|lambda)$/;

/** Numbers that bound what may be settings, or are laid over them, in every run. */
export function readForced(
  { text, parents }: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): ForcedValue[] {
  const forced: ForcedValue[] = [];
  for (const [node, { symbol }] of scopes) {
    const found = [...boundsIn(node, { text, parents }), ...laidOverIn(node, { text, parents })];
    if (found.length === 0 || SMALL.test(symbol)) continue;
    const { isAlways, isVariant } = surroundings(node, { text, parents });
    if (isAlways)
      forced.push(
        ...found
          .filter(({ how }) => how !== 'instead' || !isVariant)
          .map((one) => ({ ...one, line: node.line, symbol })),
      );
  }
  return forced;
}

type Found = Omit<ForcedValue, 'line' | 'symbol'>;
type Tree = Pick<NamedTree, 'text' | 'parents'>;

/** `min(cfg.epochs, 10)` */
function boundsIn(node: SyntaxNode, { text, parents }: Tree): Found[] {
  const callee = node.type === 'call' ? textOf(childOf(node, 'function'), text) : '';
  if (!/^(min|max)$/.test(callee)) return [];
  const given = namedChildren(childOf(node, 'arguments') ?? node);
  const [number] = given.filter(isNumber);
  const [other] = given.filter((one) => !isNumber(one));
  const value = literalValue(number, text);
  const name = other && lastKey(other, text);
  if (given.length !== 2 || value === undefined || name === undefined) return [];
  // `every = min(1000, cfg.steps)` makes something else of a setting.
  const parent = parents.get(node);
  const target = parent?.type === 'assignment' ? childOf(parent, 'left') : undefined;
  const called = target && lastKey(target, text);
  if (called !== undefined && !sharesWord(called, name)) return [];
  return [{ name, value, how: callee === 'min' ? 'at-most' : 'at-least' }];
}

function sharesWord(one: string, other: string): boolean {
  const words = other.toLowerCase().split('_');
  return one
    .toLowerCase()
    .split('_')
    .some((word) => word !== '' && words.includes(word));
}

/** The key or name that an expression takes its value from. */
function lastKey(node: SyntaxNode, text: string): string | undefined {
  switch (node.type) {
    case 'identifier':
      return textOf(node, text);
    case 'attribute':
      return textOf(childOf(node, 'attribute'), text);
    case 'subscript': {
      const key = childOf(node, 'subscript');
      return key && literalString(key, text);
    }
    case 'call': {
      const [first, second] = namedChildren(childOf(node, 'arguments') ?? node);
      const called = calledName(node, text);
      if (/^(int|float)$/.test(called)) return first && lastKey(first, text);
      const key = called === 'get' ? first : called === 'getattr' ? second : undefined;
      return key && literalString(key, text);
    }
    default:
      return undefined;
  }
}

/** `{**cfg, "lr": 0.1}`, `settings.model_copy(update={"lr": 0.1})`, `replace(settings, lr=0.1)`, `setattr(cfg, "lr", 0.1)` */
function laidOverIn(node: SyntaxNode, { text, parents }: Tree): Found[] {
  if (node.type === 'dictionary') {
    const parts = namedChildren(node);
    const isOver =
      parts.some(({ type }) => type === 'dictionary_splat') ||
      parents.get(node)?.type === 'binary_operator';
    return isOver ? entriesOf(node, text) : [];
  }
  const called = node.type === 'call' ? calledName(node, text) : '';
  if (!LAYS_OVER.test(called)) return [];
  const given = namedChildren(childOf(node, 'arguments') ?? node);
  if (called === 'setattr') {
    const [, key, value] = given;
    const name = key && literalString(key, text);
    return name === undefined ? [] : numbered(name, value, text);
  }
  // `dict(lr=0.1)` alone is laid over nothing.
  if (called === 'dict' && given.every(({ type }) => type === 'keyword_argument')) return [];
  return given.flatMap((one) => {
    if (one.type === 'dictionary') return called === 'update' ? entriesOf(one, text) : [];
    if (one.type !== 'keyword_argument') return [];
    const value = childOf(one, 'value');
    return value?.type === 'dictionary'
      ? entriesOf(value, text)
      : numbered(textOf(childOf(one, 'name'), text), value, text);
  });
}

function entriesOf(dictionary: SyntaxNode, text: string): Found[] {
  return namedChildren(dictionary).flatMap((pair) => {
    const key = pair.type === 'pair' ? childOf(pair, 'key') : undefined;
    const name = key && literalString(key, text);
    return name === undefined ? [] : numbered(name, childOf(pair, 'value'), text);
  });
}

function numbered(name: string, node: SyntaxNode | undefined, text: string): Found[] {
  const value = node && isNumber(node) ? literalValue(node, text) : undefined;
  return value === undefined ? [] : [{ name, value, how: 'instead' }];
}

function isNumber({ type }: SyntaxNode): boolean {
  return /^(integer|float|unary_operator)$/.test(type);
}

/** Whether every run that is meant comes to a node, since nothing decides about it but that the run is no short one; and whether the node is one of several. */
function surroundings(
  node: SyntaxNode,
  { text, parents }: Tree,
): { readonly isAlways: boolean; readonly isVariant: boolean } {
  let below = node;
  let isVariant = false;
  for (let at = parents.get(node); at !== undefined; at = parents.get(below)) {
    if (/^(function|class)_definition$/.test(at.type)) break;
    if (VARIANT.test(at.type)) isVariant = true;
    const condition =
      at.type === 'if_statement'
        ? childOf(at, 'condition')
        : at.type === 'conditional_expression'
          ? namedChildren(at)[1]
          : undefined;
    const isConsequence = below.field === 'consequence' || below === namedChildren(at)[0];
    const isDecided =
      condition !== undefined &&
      below !== condition &&
      !isMeant(textOf(condition, text), isConsequence);
    if (isDecided || /^(except_clause|case_clause|elif_clause)$/.test(at.type))
      return { isAlways: false, isVariant };
    below = at;
  }
  return { isAlways: true, isVariant };
}

/** Whether a branch is taken in all but short runs. */
function isMeant(condition: string, isConsequence: boolean): boolean {
  if (/\b__name__\b/.test(condition)) return true;
  const isShort = SMALL.test(condition);
  return isShort && /^\(?not\b/.test(condition) === isConsequence;
}
