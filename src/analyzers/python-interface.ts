import type { Definition, FileInterface } from '../domain/interface.ts';
import type { ImportUse } from '../diagnostics/parsed-file.ts';
import { toImport } from './python-imports.ts';
import { type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Characters of a signature and of a value; longer ones end in an ellipsis. */
const MAX_SIGNATURE_LENGTH = 300;
const MAX_VALUE_LENGTH = 80;
/** Of a dictionary with words as keys: those are labels and columns as often as data. */
const MAX_DICTIONARY_LENGTH = 2_400;
/** Longer strings are texts, and deeper lists data. */
const MAX_NAME_LENGTH = 120;
const MAX_LIST_DEPTH = 4;

type Member = Definition['members'][number];

/** What a Python file offers and needs; `names` are those it binds at module level. */
export function readInterface(
  root: SyntaxNode,
  text: string,
  imports: readonly ImportUse[],
  names: readonly string[],
): FileInterface {
  const definitions: Definition[] = [];
  const members = new Map<SyntaxNode, Member[]>();
  const fields: Field[] = [];
  for (const [node, scope] of scopedNodes(root, text)) {
    fields.push(...fieldsOf(node, scope, text));
    const definition = definitionOf(node, scope, text);
    if (definition === undefined) continue;
    if (scope.level === 'module') {
      const own: Member[] = [];
      if (node.type === 'class_definition') members.set(node, own);
      definitions.push({ ...definition, members: own });
    } else if (scope.owner !== undefined) {
      const { name, signature, summary } = definition;
      members.get(scope.owner)?.push({ name, signature, summary });
    }
  }
  return {
    imports: imports.map(toImport),
    definitions: definitions.map((each) => withFields(each, fields)),
    names: [...names],
    dynamic: isDynamic(names, text),
  };
}

/** `self.width: int = …` in a constructor. */
interface Field {
  readonly owner: string;
  readonly name: string;
  readonly type: string;
}

function fieldsOf(node: SyntaxNode, scope: Scope, text: string): Field[] {
  const [, owner] = /^(\w+)\.__init__$/.exec(scope.symbol) ?? [];
  if (owner === undefined || node.type !== 'assignment') return [];
  const [, name] = /^self\.([a-zA-Z]\w*)$/.exec(textOf(childOf(node, 'left'), text)) ?? [];
  if (name === undefined) return [];
  return [{ owner, name, type: oneLine(textOf(childOf(node, 'type'), text), MAX_VALUE_LENGTH) }];
}

/** A class with what its constructor sets and its body does not name. */
function withFields(definition: Definition, all: readonly Field[]): Definition {
  if (definition.kind !== 'class') return definition;
  const known = new Set(definition.members.map(({ name }) => name));
  const fields = all
    .filter(({ owner, name }) => owner === definition.name && !known.has(name) && known.add(name))
    .map(({ name, type }) => (type === '' ? name : `${name}: ${type}`));
  return fields.length === 0 ? definition : { ...definition, fields };
}

/** The names in a literal `__all__`, or null when there is none or it is computed. */
export function readExported(root: SyntaxNode, text: string): string[] | null {
  if (/\b__all__\s*\.\s*(append|extend|insert|remove)\(/.test(text)) return null;
  let exported: string[] | null = null;
  for (const [node, scope] of scopedNodes(root, text)) {
    if (scope.level !== 'module' || textOf(childOf(node, 'left'), text) !== '__all__') continue;
    const value = childOf(node, 'right');
    const strings = value === undefined ? [] : namedChildren(value);
    const isLiteral = value !== undefined && /^(list|tuple)$/.test(value.type);
    if (!isLiteral || !strings.every(({ type }) => type === 'string')) return null;
    exported = [...(exported ?? []), ...strings.map((item) => unquote(textOf(item, text)))];
  }
  return exported;
}

/** The first statement of a block when it is a docstring. */
export function docstringOf(block: SyntaxNode | undefined): SyntaxNode | undefined {
  const [first] = block === undefined ? [] : namedChildren(block);
  const [value] = first?.type === 'expression_statement' ? namedChildren(first) : [];
  return value?.type === 'string' || value?.type === 'concatenated_string' ? value : undefined;
}

function isDynamic(names: readonly string[], text: string): boolean {
  return (
    names.includes('__getattr__') ||
    /\b(globals|vars|locals)\(\)\s*(\[[^\]]*\]\s*=[^=]|\.(update|setdefault|__setitem__)\()/.test(
      text,
    ) ||
    /\bsys\.(modules\[[^\]]+\]\s*=[^=]|modules\[__name__\]|meta_path\.)/.test(text) ||
    /^exec\(/m.test(text)
  );
}

function definitionOf(
  node: SyntaxNode,
  scope: Scope,
  text: string,
): Omit<Definition, 'members'> | undefined {
  const name = textOf(childOf(node, 'name'), text);
  switch (node.type) {
    case 'function_definition':
    case 'class_definition': {
      if (scope.level === 'function') return undefined;
      const kind = node.type === 'class_definition' ? 'class' : 'function';
      const signature = decorated(node, text, headOf(node, text));
      return { kind, name, signature, summary: summaryOf(node, text) };
    }
    case 'assignment':
      return scope.level === 'function' ? undefined : constantOf(node, text);
    default:
      return undefined;
  }
}

function constantOf(node: SyntaxNode, text: string): Omit<Definition, 'members'> | undefined {
  const left = childOf(node, 'left');
  const name = textOf(left, text);
  if (left?.type !== 'identifier' || /^__\w+__$/.test(name)) return undefined;
  const type = childOf(node, 'type');
  const value = childOf(node, 'right');
  const signature =
    name +
    (type === undefined ? '' : `: ${oneLine(textOf(type, text), MAX_SIGNATURE_LENGTH)}`) +
    (value === undefined ? '' : ` = ${oneLine(textOf(value, text), longestValue(value, text))}`);
  return { kind: 'constant', name, signature, summary: '' };
}

/** Lists of names are columns and choices, which others must spell alike: they are never cut. */
function longestValue(value: SyntaxNode, text: string): number {
  if (isListOfNames(value)) return Number.POSITIVE_INFINITY;
  if (value.type === 'dictionary' && /^\{\s*['"]/.test(textOf(value, text)))
    return MAX_DICTIONARY_LENGTH;
  // A field of a data class: its default is often a list, too.
  return /^field\s*\(/.test(textOf(value, text)) ? MAX_SIGNATURE_LENGTH : MAX_VALUE_LENGTH;
}

/** A list, tuple or set of short strings and other such lists, or a sum of them. */
function isListOfNames(value: SyntaxNode, depth = 1): boolean {
  if (depth > MAX_LIST_DEPTH) return false;
  const parts = namedChildren(value).filter(({ type }) => type !== 'comment');
  switch (value.type) {
    case 'list':
    case 'tuple':
    case 'set':
    case 'binary_operator':
    case 'parenthesized_expression':
    case 'list_splat':
      return parts.every((part) => isName(part) || isListOfNames(part, depth + 1));
    default:
      return false;
  }
}

function isName({ type, start, end }: SyntaxNode): boolean {
  return type === 'identifier' || (type === 'string' && end - start <= MAX_NAME_LENGTH);
}

function headOf(node: SyntaxNode, text: string): string {
  const colon = node.children.findLast((child) => child.type === ':');
  return oneLine(text.slice(node.start, colon?.start ?? node.end), MAX_SIGNATURE_LENGTH);
}

/** Decorators stand before the definition in the text but beside it in the tree, so they are read off the lines above. */
function decorated(node: SyntaxNode, text: string, signature: string): string {
  const above = /(?:^[ \t]*@[^\n]*\n)+[ \t]*$/m.exec(text.slice(0, node.start).slice(-600));
  const decorators = above?.[0].match(/@[\w.]+/g) ?? [];
  return [...decorators, signature].join(' ');
}

function summaryOf(node: SyntaxNode, text: string): string {
  const docstring = docstringOf(childOf(node, 'body'));
  const lines = unquote(textOf(docstring, text)).split('\n');
  return oneLine(lines.find((line) => line.trim() !== '') ?? '', MAX_SIGNATURE_LENGTH);
}

function unquote(literal: string): string {
  return literal.replace(/^[a-zA-Z]*("""|'''|"|')/, '').replace(/("""|'''|"|')$/, '');
}

function oneLine(text: string, maxLength: number): string {
  const line = text
    .replace(/(^|[ \t])#[^\n'"]*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/([([{]) /g, '$1')
    .replace(/,? ([)\]}])/g, '$1')
    .trim();
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`;
}
