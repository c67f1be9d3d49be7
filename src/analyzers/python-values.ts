import { EMPTY_FLOW, holeKey, type Place, type ValueFlow } from '../diagnostics/settings-facts.ts';
import { parameterNames, readBindings, targetNames } from './python-scope-owners.ts';
import { isTestedKey, returnsOtherType } from './copied-mapping.ts';
import { evaluate, extended, nodeOf, useAll } from './python-expressions.ts';
import { textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';
import { type Frame, flowTo, place, type Reading, type Result, use } from './value-reading.ts';

/** Blocks nested deeper are not read: no one writes them, and the reading is recursive. */
const MAX_BLOCKS = 60;
const CATCHES_MISSING =
  /\bexcept\b\s*(:|[^:\n]*\b(KeyError|AttributeError|LookupError|Exception|BaseException|TypeError)\b)/;
const EXPECTS_ERROR = /\b(raises|assertRaises\w*|suppress)\s*\(/;

/** The flow of values through a Python file, and the nodes of keys that it accounts for. */
export function readValues(
  root: SyntaxNode,
  text: string,
): { readonly flow: ValueFlow; readonly handled: ReadonlySet<SyntaxNode> } {
  const reading: Reading = {
    ...{ text, bindings: readBindings(root, text), handled: new Set(), sources: [], flows: [] },
    ...{ unknown: new Set(), reads: [], consumed: [], opened: [], removed: [], spreads: [] },
    ...{ functions: [], handedOn: new Set(), typed: [] },
  };
  const frame = {
    symbol: '',
    symbols: [''],
    owner: undefined,
    guarded: false,
    node: root,
    depth: 0,
  };
  try {
    readBlock(reading, root, frame, 0);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { flow: EMPTY_FLOW, handled: new Set() };
  }
  const probed = probedKeys(text);
  for (const [index, read] of reading.reads.entries())
    if (read.at.path.some((key) => probed.has(key)))
      reading.reads[index] = { ...read, at: { ...read.at, optional: true } };
  const { sources, flows, reads, consumed, opened, removed, spreads, functions, typed } = reading;
  const lists = { sources, flows, reads, consumed, opened, removed, spreads, functions, typed };
  const { unknown, handedOn, handled } = reading;
  return { flow: { ...lists, unknown: [...unknown], handedOn: [...handedOn] }, handled };
}

/** Keys that the file asks for before it reads them. */
function probedKeys(text: string): ReadonlySet<string> {
  const memberships = text.matchAll(/["']([\w.-]+)["']\s+(?:not\s+)?in\s+[\w"'[]/g);
  const probes = text.matchAll(/\b(?:has|set|del)attr\([^,()]*,\s*["'](\w+)["']/g);
  return new Set([...memberships, ...probes].map(([, key = '']) => key));
}

function readBlock(reading: Reading, block: SyntaxNode, frame: Frame, level: number): void {
  if (level > MAX_BLOCKS) return;
  const statements = namedChildren(block);
  for (const [index, statement] of statements.entries())
    if (
      statement.type !== 'return_statement' ||
      !returnsOtherType(statement, statements.slice(0, index), reading.text)
    )
      readStatement(reading, statement, frame, level + 1);
}

function readStatement(reading: Reading, node: SyntaxNode, frame: Frame, level: number): void {
  switch (node.type) {
    case 'function_definition':
      readFunction(reading, node, frame, level);
      break;
    case 'class_definition':
      readClass(reading, node, frame, level);
      break;
    case 'decorated_definition':
      readDecorated(reading, node, frame, level);
      break;
    case 'assignment':
      readAssignment(reading, node, frame);
      break;
    case 'return_statement': {
      const [value] = namedChildren(node);
      const to = `return:${frame.symbol}`;
      const section = value && givenSection(reading, value, frame);
      if (section !== undefined) for (const from of section) reading.flows.push({ from, to });
      else if (value) flowTo(reading, evaluate(reading, value, frame), to, { node, frame });
      break;
    }
    case 'delete_statement':
      for (const target of namedChildren(node))
        if (target.type === 'subscript') openTarget(reading, target, frame);
      break;
    case 'case_pattern':
      forget(reading, node, frame);
      break;
    case 'global_statement':
    case 'nonlocal_statement':
    case 'import_statement':
    case 'import_from_statement':
      break;
    default:
      forgetBound(reading, node, frame);
      readParts(reading, node, frame, level);
  }
}

/** What a function at module level returns of a mapping under a key that is its parameter: `return load()[section]`; undefined for anything else. */
function givenSection(
  reading: Reading,
  value: SyntaxNode,
  frame: Frame,
): readonly Place[] | undefined {
  const container = value.type === 'subscript' ? childOf(value, 'value') : undefined;
  const keys = value.children.filter(({ field }) => field === 'subscript');
  const [key] = keys;
  const isFunction = frame.node.type === 'function_definition' && !frame.symbol.includes('.');
  if (container === undefined || key?.type !== 'identifier' || keys.length > 1 || !isFunction)
    return undefined;
  const name = textOf(key, reading.text);
  const index = parameterNames(frame.node, reading.text).indexOf(name);
  const isSet = new RegExp(`\\b${name}\\s*=[^=]`).test(
    textOf(childOf(frame.node, 'body'), reading.text),
  );
  if (index < 0 || isSet) return undefined;
  const result = extended(evaluate(reading, container, frame), holeKey(index));
  if (result.unknown || result.places.length === 0) return undefined;
  return result.places;
}

/** Loops, `with … as` and `except … as` bind names to what is not followed. */
function forgetBound(reading: Reading, node: SyntaxNode, frame: Frame): void {
  switch (node.type) {
    case 'for_statement': {
      const right = childOf(node, 'right');
      if (right) use(reading, evaluate(reading, right, frame), right, frame);
      forget(reading, childOf(node, 'left'), frame);
      break;
    }
    case 'augmented_assignment':
      forget(reading, childOf(node, 'left'), frame);
      break;
    case 'with_item':
    case 'except_clause':
      for (const child of namedChildren(node))
        if (child.type === 'as_pattern') forget(reading, child.children.at(-1), frame);
      break;
    default:
      break;
  }
}

function readClass(reading: Reading, node: SyntaxNode, frame: Frame, level: number): void {
  const symbol = within(frame, textOf(childOf(node, 'name'), reading.text));
  const superclasses = childOf(node, 'superclasses');
  if (superclasses) useAll(reading, superclasses, frame);
  const body = childOf(node, 'body');
  const symbols = [symbol, ...frame.symbols];
  if (body) readBlock(reading, body, { ...frame, symbol, symbols, owner: symbol }, level);
}

/** Statements below a statement as statements, expressions as expressions. */
function readParts(reading: Reading, node: SyntaxNode, outer: Frame, level: number): void {
  const frame = guards(node, reading.text) ? { ...outer, guarded: true } : outer;
  for (const child of namedChildren(node)) {
    if (child.field === 'left') continue;
    if (child.field === 'right' && node.type === 'for_statement') continue;
    if (
      /(^|_)(block|clause|statement|item|definition|pattern)$/.test(child.type) &&
      level <= MAX_BLOCKS
    ) {
      if (child.type === 'block') readBlock(reading, child, frame, level);
      else readStatement(reading, child, frame, level + 1);
    } else if (child.type === 'assignment' || child.type === 'augmented_assignment')
      readStatement(reading, child, frame, level + 1);
    else use(reading, evaluate(reading, child, frame), child, frame);
  }
}

function guards(node: SyntaxNode, text: string): boolean {
  if (node.type === 'try_statement') return CATCHES_MISSING.test(textOf(node, text));
  if (node.type !== 'with_statement') return false;
  return EXPECTS_ERROR.test(textOf(namedChildren(node)[0], text));
}

function readFunction(reading: Reading, node: SyntaxNode, outer: Frame, level: number): void {
  const symbol = within(outer, textOf(childOf(node, 'name'), reading.text));
  const isMethod = outer.owner !== undefined && outer.owner === outer.symbol;
  // Names of a class are not seen from within its methods.
  const visible = isMethod ? outer.symbols.slice(1) : outer.symbols;
  const symbols = [symbol, ...visible];
  const frame: Frame = { ...outer, symbol, symbols, node, guarded: false };
  reading.functions.push({ symbol, parameters: parameterNames(node, reading.text) });
  for (const parameter of namedChildren(childOf(node, 'parameters') ?? node)) {
    if (!/(default_parameter|typed_parameter)$/.test(parameter.type)) continue;
    const [name = ''] = targetNames(
      childOf(parameter, 'name') ?? namedChildren(parameter)[0],
      reading.text,
    );
    const type = textOf(childOf(parameter, 'type'), reading.text);
    if (type !== '') reading.typed.push({ node: `v:${symbol}:${name}`, type });
    const value = childOf(parameter, 'value');
    if (value) use(reading, evaluate(reading, value, outer), value, outer);
  }
  const body = childOf(node, 'body');
  if (body) readBlock(reading, body, frame, level);
}

function readDecorated(reading: Reading, node: SyntaxNode, frame: Frame, level: number): void {
  const definition = childOf(node, 'definition');
  const decorators = namedChildren(node).filter(({ type }) => type === 'decorator');
  for (const decorator of decorators) useAll(reading, decorator, frame);
  if (definition === undefined) return;
  readStatement(reading, definition, frame, level);
  const isMarked = (mark: RegExp): boolean =>
    decorators.some((each) => mark.test(textOf(each, reading.text)));
  const [parameter] = parameterNames(definition, reading.text);
  const symbol = within(frame, textOf(childOf(definition, 'name'), reading.text));
  if (parameter === undefined) return;
  if (isMarked(/^@\s*(click\.)?pass_obj\b/))
    reading.flows.push({ from: place('field:click:obj'), to: `v:${symbol}:${parameter}` });
  if (!isMarked(/^@\s*(hydra\.)?main\b/)) return;
  const source = { format: 'yaml', dotted: true, files: [], reads: null, hinted: true } as const;
  reading.sources.push({ ...source, node: `v:${symbol}:${parameter}` });
}

function readAssignment(reading: Reading, node: SyntaxNode, frame: Frame): void {
  const left = childOf(node, 'left');
  const right = childOf(node, 'right');
  if (left === undefined || right === undefined) return;
  // In `a = b = value` the value is another assignment.
  if (right.type === 'assignment') {
    readAssignment(reading, right, frame);
    forget(reading, left, frame);
    return;
  }
  const result = evaluate(reading, right, frame);
  const to = targetNode(reading, left, frame);
  if (to !== undefined) {
    const type = textOf(childOf(node, 'type'), reading.text);
    if (type !== '') reading.typed.push({ node: to, type });
    flowTo(reading, result, to, { node, frame });
    return;
  }
  if (/^(attribute|subscript)$/.test(left.type)) openTarget(reading, left, frame);
  use(reading, result, right, frame);
  forget(reading, left, frame);
}

/** The variable or field that an assignment gives its value to; undefined for anything else. */
function targetNode(reading: Reading, left: SyntaxNode, frame: Frame): string | undefined {
  if (left.type === 'identifier') return nodeOf(reading, textOf(left, reading.text), frame);
  if (/^(ctx|context)\.obj$/.test(textOf(left, reading.text))) return 'field:click:obj';
  const isOwn =
    left.type === 'attribute' && textOf(childOf(left, 'object'), reading.text) === 'self';
  if (!isOwn || frame.owner === undefined) return undefined;
  return `field:${frame.owner}:${textOf(childOf(left, 'attribute'), reading.text)}`;
}

/** `cfg["a"]["b"] = value` and `cfg.a.b = value` add `b` to what is there. */
function openTarget(reading: Reading, left: SyntaxNode, frame: Frame): void {
  const container = childOf(left, left.type === 'attribute' ? 'object' : 'value');
  if (container === undefined) return;
  const outer: Result = evaluate(reading, container, frame);
  const index = left.children.find(({ field }) => field === 'subscript');
  const key =
    index === undefined
      ? textOf(childOf(left, 'attribute'), reading.text)
      : literalString(index, reading.text);
  const isThere = key === undefined && isTestedKey(index, container, frame, reading.text);
  if (key !== undefined && index !== undefined) reading.handled.add(index);
  for (const at of outer.places)
    if (!isThere) reading.opened.push(key === undefined ? at : { ...at, path: [...at.path, key] });
  if (index !== undefined) use(reading, evaluate(reading, index, frame), index, frame);
}

/** The names of a target may hold anything from here on. */
function forget(reading: Reading, target: SyntaxNode | undefined, frame: Frame): void {
  for (const name of targetNames(target, reading.text)) {
    const node = nodeOf(reading, name, frame);
    if (node !== undefined) reading.unknown.add(node);
  }
}

function within({ symbol }: Frame, name: string): string {
  return symbol === '' ? name : `${symbol}.${name}`;
}
