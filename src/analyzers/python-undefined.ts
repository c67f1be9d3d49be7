import type { UndefinedName } from '../diagnostics/code-facts.ts';
import { nearestName } from '../diagnostics/nearest-name.ts';
import { BUILTIN_NAMES } from './python-builtins.ts';
import type { Bindings, NameLoad } from './python-bindings.ts';
import { lookUp, type NameScope } from './python-name-scopes.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Names of Python 2, which code that also runs there uses behind a test of the version; and one of notebooks. */
const ELSEWHERE =
  /^(unicode|long|basestring|xrange|raw_input|unichr|file|reduce|cmp|execfile|buffer|get_ipython)$/;
/** Ways to bind names that the text does not hold; enumerations export theirs by the last two. */
const MAKES_NAMES = /\b(exec|globals|locals|vars|_convert_?)\s*\(|\bglobal_enum\b/;
const ASKS_VERSION = /\bPY[23]\b|version_info|get_ipython/;

/**
 * Names that fail as soon as they are looked up. Silent in a file with a star import, and for annotations that are
 * never evaluated.
 */
export function readUndefined(
  { module, loads }: Bindings,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
  root: SyntaxNode,
  text: string,
): UndefinedName[] {
  if (hasStar(module, loads) || MAKES_NAMES.test(text)) return [];
  const postponed = postponesAnnotations(root, text);
  const asksVersion = ASKS_VERSION.test(text);
  return loads.flatMap((load) => {
    const { name, node, scope } = load;
    if (BUILTIN_NAMES.has(name) || lookUp(scope, name) !== undefined) return [];
    if (asksVersion && ELSEWHERE.test(name)) return [];
    const place = scopes.get(node);
    if (isNeverEvaluated(load, postponed) || place?.catchesName || place?.typing) return [];
    const nearest = nearestName(name, namesInScope(scope)) ?? null;
    return [{ name, line: node.line, symbol: place?.symbol ?? '', nearest }];
  });
}

function isNeverEvaluated({ annotation }: NameLoad, postponed: boolean): boolean {
  return annotation === 'never-evaluated' || (annotation === 'evaluated' && postponed);
}

/** Star imports are allowed at module level only; one in a function would not compile. */
function hasStar(module: NameScope, loads: readonly NameLoad[]): boolean {
  return module.bindings.has('*') || loads.some(({ scope }) => scope.bindings.has('*'));
}

function postponesAnnotations(root: SyntaxNode, text: string): boolean {
  return namedChildren(root).some(
    (statement) =>
      statement.type === 'future_import_statement' &&
      statement.children.some((child) => /\bannotations\b/.test(textOf(child, text))),
  );
}

function namesInScope(scope: NameScope): string[] {
  const names: string[] = [...BUILTIN_NAMES];
  for (let one: NameScope | undefined = scope; one !== undefined; one = one.parent)
    names.push(...one.bindings.keys());
  return names;
}
