import type { Place } from '../diagnostics/settings-facts.ts';
import { copiedMapping, isOfAnotherType } from './copied-mapping.ts';
import { evaluateCall } from './python-settings-calls.ts';
import { textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';
import {
  anyOf,
  type Frame,
  flowTo,
  NOTHING,
  place,
  type Reading,
  type Result,
  UNKNOWN,
  use,
} from './value-reading.ts';

/** Expressions nested deeper are not followed: the reading is recursive. */
const MAX_DEPTH = 120;
const MAX_PATH = 8;

/** What an expression may be. All below it is read too. */
export function evaluate(reading: Reading, node: SyntaxNode, outer: Frame): Result {
  if (outer.depth > MAX_DEPTH) return UNKNOWN;
  const frame = { ...outer, depth: outer.depth + 1 };
  const inner = (child: SyntaxNode | undefined): Result =>
    child === undefined ? NOTHING : evaluate(reading, child, frame);
  switch (node.type) {
    case 'parenthesized_expression':
    case 'await':
    case 'as_pattern':
      return inner(namedChildren(node)[0]);
    case 'identifier':
      return variable(reading, node, frame);
    case 'attribute':
      return attribute(reading, node, frame);
    case 'subscript':
      return subscript(reading, node, frame);
    case 'call':
      return evaluateCall(reading, node, frame);
    case 'boolean_operator': {
      const results = [inner(childOf(node, 'left')), inner(childOf(node, 'right'))];
      if (node.children.some(({ type }) => type === 'or')) return anyOf(results);
      for (const result of results) use(reading, result, node, frame);
      return UNKNOWN;
    }
    case 'conditional_expression': {
      const [consequence, condition, alternative] = namedChildren(node);
      if (condition) use(reading, inner(condition), condition, frame);
      const other = isOfAnotherType(alternative, condition, reading.text);
      return anyOf([inner(consequence), other ? NOTHING : inner(alternative)]);
    }
    case 'none':
    case 'integer':
    case 'float':
    case 'true':
    case 'false':
      return NOTHING;
    case 'list':
    case 'list_comprehension':
      // What is in a list has no place of its own, and the list itself has no keys.
      useAll(reading, node, frame);
      return NOTHING;
    case 'dictionary':
      if (namedChildren(node).length === 0) return NOTHING;
      if (namedChildren(node).every(({ type }) => type === 'dictionary_splat'))
        return anyOf(namedChildren(node).map((splat) => inner(namedChildren(splat)[0])));
      for (const key of numberedKeys(node)) reading.handled.add(key);
      break;
    case 'dictionary_comprehension': {
      const copied = copiedMapping(node, frame, reading.text);
      if (copied !== undefined) return inner(copied);
      break;
    }
    case 'named_expression': {
      const result = inner(childOf(node, 'value'));
      const to = nodeOf(reading, textOf(childOf(node, 'name'), reading.text), frame);
      if (to !== undefined) flowTo(reading, result, to, { node, frame });
      return result;
    }
    case 'keyword_argument':
      if (node.field !== null) break;
      return inner(childOf(node, 'value'));
    default:
      break;
  }
  useAll(reading, node, frame);
  return UNKNOWN;
}

/** Keys of a dict that are given numbers: these set something, and read no settings. */
function numberedKeys(node: SyntaxNode): SyntaxNode[] {
  return namedChildren(node).flatMap((pair) => {
    const value = pair.type === 'pair' ? childOf(pair, 'value') : undefined;
    const key = childOf(pair, 'key');
    return key && /^(integer|float|unary_operator)$/.test(value?.type ?? '') ? [key] : [];
  });
}

/** Reads all expressions below a node, using each. */
export function useAll(reading: Reading, node: SyntaxNode, frame: Frame): void {
  for (const child of namedChildren(node)) {
    // A loop's variables are bound, not used.
    if (child.field === 'left' && node.type === 'for_in_clause') continue;
    use(reading, evaluate(reading, child, frame), child, frame);
  }
}

/** The node of a variable, or undefined when no scope binds the name. */
export function nodeOf({ bindings }: Reading, name: string, frame: Frame): string | undefined {
  const owner = bindings.ownerOf(name, frame.symbols);
  return owner === undefined ? undefined : `v:${owner}:${name}`;
}

/** The same places with one key more. */
export function extended(
  { places, unknown }: Result,
  key: string,
  changes: Partial<Pick<Place, 'dotted' | 'optional'>> = {},
): Result {
  const keyed = changes.dotted !== true;
  const longer = places.map((at) => ({ ...at, ...changes, keyed, path: [...at.path, key] }));
  return longer.some(({ path }) => path.length > MAX_PATH) ? UNKNOWN : { places: longer, unknown };
}

function variable(reading: Reading, node: SyntaxNode, frame: Frame): Result {
  const name = textOf(node, reading.text);
  const found = nodeOf(reading, name, frame);
  if (found !== undefined) return { places: [place(found)], unknown: false };
  reading.handedOn.add(name);
  return { places: [place(`import:${name}`)], unknown: false };
}

function attribute(reading: Reading, node: SyntaxNode, frame: Frame): Result {
  const object = childOf(node, 'object');
  const name = childOf(node, 'attribute');
  if (object === undefined || name === undefined) return UNKNOWN;
  const key = textOf(name, reading.text);
  if (frame.owner !== undefined && textOf(object, reading.text) === 'self') {
    return { places: [place(`field:${frame.owner}:${key}`)], unknown: false };
  }
  // What click hands from a group to its commands.
  if (key === 'obj' && /^(ctx|context)$/.test(textOf(object, reading.text)))
    return { places: [place('field:click:obj')], unknown: false };
  reading.handled.add(name);
  return extended(evaluate(reading, object, frame), key, { dotted: true });
}

function subscript(reading: Reading, node: SyntaxNode, frame: Frame): Result {
  const value = childOf(node, 'value');
  const keys = node.children.filter(({ field }) => field === 'subscript');
  const [key] = keys;
  if (value === undefined || key === undefined) return UNKNOWN;
  const result = evaluate(reading, value, frame);
  const name = keys.length === 1 ? literalString(key, reading.text) : undefined;
  if (name !== undefined) {
    reading.handled.add(key);
    return extended(result, name);
  }
  for (const each of keys) use(reading, evaluate(reading, each, frame), each, frame);
  use(reading, result, node, frame);
  return UNKNOWN;
}
