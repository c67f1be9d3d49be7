import type { LiteralFact } from '../diagnostics/trace-facts.ts';
import { literalValue } from './literal-value.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Longer expressions are no names. */
const MAX_LENGTH = 200;

const SETTINGS_NAME =
  /(^|\.)(cfg|conf|config|configs|settings|hparams|hp|params|args|opts?|options)(\[|$)/i;

/** The literals that a file gives names, but for those that a class declares, which are its settings. */
export function readLiterals(scopes: ReadonlyMap<SyntaxNode, Scope>, text: string): LiteralFact[] {
  const overriding = overridingIn(scopes.keys(), text);
  const literals: LiteralFact[] = [];
  const parsed = new Set(
    [...text.matchAll(/\b(\w+)\s*(?::[^=\n]+)?=\s*[\w.()]*\bparse_args\(/g)].map(
      ([, name]) => name,
    ),
  );
  let callee = '';
  for (const [node, scope] of scopes) {
    if (node.type === 'call') {
      callee = shortText(childOf(node, 'function'), text);
      literals.push(...unnamedIn(node, scope, { callee, text }));
    }
    const named = namedLiteral(node, scope, text);
    const value = named && literalValue(named.node, text);
    if (named === undefined || value === undefined) continue;
    literals.push({
      ...{ name: named.name, value, how: named.how },
      of: named.how === 'argument' ? callee : named.of,
      ofSettings: SETTINGS_NAME.test(named.of) || parsed.has(named.of),
      overrides: overriding.has(node),
      isConditional: scope.isConditional,
      line: node.line,
      symbol: scope.symbol,
    });
  }
  return literals;
}

/** Numbers that a call is given by their place, those of one digit left out. */
function unnamedIn(
  call: SyntaxNode,
  { isConditional, symbol }: Scope,
  { callee, text }: { readonly callee: string; readonly text: string },
): LiteralFact[] {
  return namedChildren(childOf(call, 'arguments') ?? call).flatMap((node) => {
    if (!/^(integer|float)$/.test(node.type) || node.end - node.start < 2) return [];
    const value = literalValue(node, text);
    if (value === undefined) return [];
    const fact = {
      name: '',
      value,
      how: 'place',
      of: callee,
      ofSettings: false,
      overrides: false,
    } as const;
    return [{ ...fact, isConditional, line: node.line, symbol }];
  });
}

/** The values of all numbers of a file. */
export function readNumbers(nodes: Iterable<SyntaxNode>, text: string): string[] {
  const numbers = new Set<string>();
  for (const node of nodes) {
    const value = /^(integer|float)$/.test(node.type) ? literalValue(node, text) : undefined;
    if (value !== undefined) numbers.add(value);
  }
  return [...numbers];
}

/** The text of a node without blanks; empty where nobody writes one so long. */
function shortText(node: SyntaxNode | undefined, text: string): string {
  if (node === undefined || node.end - node.start > MAX_LENGTH) return '';
  return textOf(node, text).replace(/\s/g, '');
}

interface NamedLiteral {
  readonly name: string;
  readonly node: SyntaxNode | undefined;
  readonly how: LiteralFact['how'];
  readonly of: string;
}

function namedLiteral(node: SyntaxNode, { level }: Scope, text: string): NamedLiteral | undefined {
  switch (node.type) {
    case 'assignment':
      return level === 'class' ? undefined : assigned(node, text);
    case 'default_parameter':
    case 'typed_default_parameter': {
      const name = textOf(childOf(node, 'name'), text);
      return { name, node: childOf(node, 'value'), how: 'default', of: '' };
    }
    case 'keyword_argument': {
      const name = textOf(childOf(node, 'name'), text);
      return { name, node: childOf(node, 'value'), how: 'argument', of: '' };
    }
    case 'pair': {
      const key = childOf(node, 'key');
      const name = key === undefined ? undefined : literalString(key, text);
      return name === undefined
        ? undefined
        : { name, node: childOf(node, 'value'), how: 'entry', of: '' };
    }
    default:
      return undefined;
  }
}

function assigned(node: SyntaxNode, text: string): NamedLiteral | undefined {
  const left = childOf(node, 'left');
  const value = childOf(node, 'right');
  const written = shortText(left, text);
  if (left?.type === 'identifier') return { name: written, node: value, how: 'variable', of: '' };
  const [, of = '', name = ''] =
    /^([A-Za-z_][\w.]*(?:\[["']\w+["']\])*)(?:\.(?=\w+$)|\[["'](?=\w+["']\]$))(\w+)/.exec(
      written,
    ) ?? [];
  if (name === '') return undefined;
  return { name, node: value, how: of === 'self' ? 'variable' : 'setting', of };
}

/** Statements that give a literal to a name which the same block took from settings, before anything read it. */
function overridingIn(nodes: Iterable<SyntaxNode>, text: string): ReadonlySet<SyntaxNode> {
  const found = new Set<SyntaxNode>();
  for (const block of nodes) {
    if (!/^(block|module)$/.test(block.type)) continue;
    const taken = new Set<string>();
    for (const statement of namedChildren(block)) {
      const [inner] = namedChildren(statement);
      const assignment = inner?.type === 'assignment' ? inner : undefined;
      const left = assignment && childOf(assignment, 'left');
      const name = left?.type === 'identifier' ? textOf(left, text) : '';
      const value = assignment && childOf(assignment, 'right');
      const isLiteral = literalValue(value, text) !== undefined;
      if (assignment !== undefined && isLiteral && taken.has(name)) found.add(assignment);
      for (const one of taken)
        if (new RegExp(`\\b${one}\\b`).test(textOf(statement, text))) taken.delete(one);
      if (name !== '' && isSettingRead(shortText(value, text), name)) taken.add(name);
    }
  }
  return found;
}

/** `cfg["train"]["lr"]`, `cfg.lr`, `cfg.get("lr", 1)`, also within `float(…)`, for the name `lr`. */
function isSettingRead(written: string, name: string): boolean {
  const read = new RegExp(
    `^(?:(?:int|float|str|bool)\\()?[A-Za-z_][\\w.]*(?:\\[["']\\w+["']\\])*(?:\\.${name}|\\[["']${name}["']\\]|\\.get\\(["']${name}["'][^()]*\\))\\)?$`,
  );
  return read.test(written.replace(/\s/g, ''));
}
