import { isMerge, isSink, loaderOf, wrapperOf } from './known-callees.ts';
import { evaluate, extended, useAll } from './python-expressions.ts';
import { textOf } from './python-scopes.ts';
import { settingsSource } from './settings-source.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';
import {
  anyOf,
  type Frame,
  flowTo,
  place,
  type Reading,
  type Result,
  take,
  UNKNOWN,
  use,
} from './value-reading.ts';

/** Methods of mappings and of settings objects, which are never keys. */
const READS_ALL = /^(items|keys|values|__iter__|toDict|to_dict|asdict|dict|model_dump)$/;
const SAME = /^(copy|deepcopy|clone)$/;
const GETS = /^(get|pop|setdefault|__getitem__)$/;

/** What a call may give, all its arguments read. */
export function evaluateCall(reading: Reading, node: SyntaxNode, frame: Frame): Result {
  const callee = childOf(node, 'function');
  const argumentList = childOf(node, 'arguments');
  if (callee === undefined || argumentList === undefined) return UNKNOWN;
  const name = textOf(callee, reading.text).replace(/\s/g, '');
  const loader = loaderOf(name);
  if (loader !== undefined) {
    useAll(reading, argumentList, frame);
    reading.sources.push(settingsSource(reading, node, loader, frame));
    return { places: [place(`load:${node.start}`)], unknown: false };
  }
  const [first, second] = positional(argumentList);
  const wrapper = wrapperOf(name);
  if (wrapper !== undefined && first !== undefined && namedChildren(argumentList).length <= 2) {
    const { places, unknown } = evaluate(reading, first, frame);
    const changed = wrapper.dotted ? places.map((at) => ({ ...at, wrapped: true })) : places;
    return { places: changed, unknown: unknown || second !== undefined };
  }
  const spread = /(^|\.)(SimpleNamespace|Namespace)$/.test(name)
    ? onlySpread(argumentList)
    : undefined;
  if (spread !== undefined) {
    const { places, unknown } = evaluate(reading, spread, frame);
    return { places: places.map((at) => ({ ...at, wrapped: true })), unknown };
  }
  if (isMerge(name) && (callee.type === 'identifier' || isStatic(reading, callee, frame)))
    return merged(reading, argumentList, frame);
  if (isSink(name)) {
    for (const argument of namedChildren(argumentList))
      take(reading, evaluate(reading, argument, frame), argument, frame);
    return UNKNOWN;
  }
  if (name === 'getattr' && first !== undefined && second !== undefined)
    return gotten(reading, evaluate(reading, first, frame), argumentList, { frame, skip: 1 });
  if (callee.type === 'attribute' && !isStatic(reading, callee, frame))
    return methodCall(reading, callee, argumentList, frame);
  // `TABLE[cfg["name"]](…)` reads a key before it calls.
  if (callee.type === 'subscript' || callee.type === 'call')
    use(reading, evaluate(reading, callee, frame), callee, frame);
  return plainCall(reading, name, argumentList, frame);
}

/** The union of mappings; what is laid over the first may add keys to it. */
function merged(reading: Reading, argumentList: SyntaxNode, frame: Frame): Result {
  const results = namedChildren(argumentList).map((argument) => {
    const result = evaluate(reading, argument, frame);
    take(reading, result, argument, frame);
    return result;
  });
  const all = anyOf(results);
  if (all.unknown) reading.opened.push(...(results[0]?.places ?? []));
  return all;
}

/** `self.method` and `module.function` are found by their names; `value.method` depends on the value. */
function isStatic(reading: Reading, callee: SyntaxNode, frame: Frame): boolean {
  const text = textOf(callee, reading.text);
  const root = text.split('.')[0] ?? '';
  if (!/^[\w.]+$/.test(text)) return false;
  if (root === 'self') return text.split('.').length === 2 && frame.owner !== undefined;
  return reading.bindings.ownerOf(root, frame.symbols) === undefined;
}

function methodCall(
  reading: Reading,
  callee: SyntaxNode,
  argumentList: SyntaxNode,
  frame: Frame,
): Result {
  const object = childOf(callee, 'object');
  const method = textOf(childOf(callee, 'attribute'), reading.text);
  if (object === undefined) return UNKNOWN;
  const value = evaluate(reading, object, frame);
  if (GETS.test(method)) {
    const found = gotten(reading, value, argumentList, { frame, skip: 0 });
    // What was taken out or put in is there no more, or is there now.
    if (method === 'pop') reading.removed.push(...found.places);
    if (method === 'setdefault') reading.opened.push(...found.places);
    return found;
  }
  useAll(reading, argumentList, frame);
  if (SAME.test(method)) return value;
  use(reading, value, callee, frame);
  // Any other method may add keys.
  if (!READS_ALL.test(method)) reading.opened.push(...value.places);
  return UNKNOWN;
}

/** `value.get("key", default)`, or `getattr(value, "key", default)` with the key as the second argument. */
function gotten(
  reading: Reading,
  value: Result,
  argumentList: SyntaxNode,
  { frame, skip }: { readonly frame: Frame; readonly skip: number },
): Result {
  const [key, fallback] = positional(argumentList).slice(skip);
  const name = key && literalString(key, reading.text);
  if (key === undefined || name === undefined) {
    useAll(reading, argumentList, frame);
    use(reading, value, argumentList, frame);
    return UNKNOWN;
  }
  // A method of this name may take more than a key: `settings.get("a.b")`.
  if (/^\w+$/.test(name)) reading.handled.add(key);
  // No plain mapping has dotted keys; what takes them complains of those that are not there.
  const optional = (skip === 0 && !name.includes('.')) || fallback !== undefined;
  const found = extended(value, name, { optional, ...(skip === 1 ? { dotted: true } : {}) });
  return fallback === undefined ? found : anyOf([found, evaluate(reading, fallback, frame)]);
}

function plainCall(reading: Reading, name: string, argumentList: SyntaxNode, frame: Frame): Result {
  const callee = /^[\w.]+$/.test(name) ? ownName(name, frame) : '';
  for (const [index, argument] of namedChildren(argumentList).entries()) {
    const spreads = argument.type === 'dictionary_splat' || argument.type === 'list_splat';
    const keyword = argument.type === 'keyword_argument' ? childOf(argument, 'name') : undefined;
    const value = (spreads ? namedChildren(argument)[0] : childOf(argument, 'value')) ?? argument;
    const expression = keyword || spreads ? value : argument;
    const result = evaluate(reading, expression, frame);
    if (callee === '' || spreads) use(reading, result, argument, frame);
    else {
      const slot = keyword ? `=${textOf(keyword, reading.text)}` : `${index}`;
      flowTo(reading, result, `arg:${callee}:${slot}`, { node: argument, frame });
    }
    if (argument.type === 'dictionary_splat')
      for (const at of result.places)
        reading.spreads.push({ callee, at, line: argument.line, symbol: frame.symbol });
  }
  if (callee === '') return UNKNOWN;
  const given = positional(argumentList).map((one) => literalString(one, reading.text) ?? null);
  const gives = given.some((one) => one !== null) ? { given } : {};
  return { places: [{ ...place(`result:${callee}`), ...gives }], unknown: false };
}

/** The mapping of `Namespace(**mapping)`. */
function onlySpread(argumentList: SyntaxNode): SyntaxNode | undefined {
  const [only, ...rest] = namedChildren(argumentList);
  return only?.type === 'dictionary_splat' && rest.length === 0
    ? namedChildren(only)[0]
    : undefined;
}

/** `self.build` within `Trainer` as `Trainer.build`, and `cls` as `Trainer`. */
function ownName(name: string, { owner }: Frame): string {
  if (owner !== undefined && name === 'cls') return owner;
  return owner !== undefined && name.startsWith('self.') ? `self:${owner}.${name.slice(5)}` : name;
}

function positional(argumentList: SyntaxNode): SyntaxNode[] {
  return namedChildren(argumentList).filter(
    ({ type }) => !/^(keyword_argument|dictionary_splat|list_splat)$/.test(type),
  );
}
