import { qualify, type Scope, scopedNodes, textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const INTERFACE_CLASS =
  /^(_?(Base|Abstract|Null|No_?[A-Zo]|Dummy)|I[A-Z][a-z])|(Base|Interface|Mixin|Protocol|Hooks?|Callbacks?)$/;
/** Decorators that leave the body to be what runs; under any other an empty body may be the point (`@overload`, `@app.group()`). */
const PLAIN_DECORATOR =
  /^@(staticmethod|classmethod|(functools\.)?(cached_)?property|(torch\.)?(no_grad|inference_mode|jit\.\w+)|(functools\.)?(lru_)?cache|\w+\.setter|(jax\.)?jit|tf\.function|partial|(functools\.)?wraps)\b/;
const NO_OP_NAME = /(^|_)no_?op|^_*(null|dummy|ignore|do_nothing)/i;
/** Methods of interfaces made by others, which often have nothing to do. */
const HOOK_NAME =
  /^(close|clean_?up|flush|shutdown|tear_?down|render|(on|visit)_\w+|set(Up|_up)|(setUp|tearDown)(Class)?)$/;
/** Special methods of which nothing is taken back; `__call__`, `__len__` and the like are asked for a value. */
const SILENT_SPECIAL =
  /^__(init|post_init|init_subclass|set_name|a?enter|a?exit|del|setattr|delattr|setitem|delitem|setstate|set|delete)__$/;

/** A function or class that may turn out to be hollow. */
export interface Candidate {
  readonly node: SyntaxNode;
  readonly scope: Scope;
  readonly name: string;
  /** Its decorators as written. */
  readonly marks: readonly string[];
  readonly text: string;
  /** The file defines the name a second time, as in two branches, or overrides it in a subclass. */
  readonly isReplaced: boolean;
}

/** Every function and class of a file that runs. */
export function readCandidates(root: SyntaxNode, text: string): Candidate[] {
  const candidates: Candidate[] = [];
  const decorators = new Map<SyntaxNode, readonly string[]>();
  const defined = new Map<string, number>();
  for (const [node, scope] of scopedNodes(root, text)) {
    const definition = childOf(node, 'definition');
    if (definition !== undefined) decorators.set(definition, marksOf(node, text));
    if (scope.typing || !/^(function|class)_definition$/.test(node.type)) continue;
    const name = textOf(childOf(node, 'name'), text);
    const marks = decorators.get(node) ?? [];
    for (const symbol of [qualify(scope, name), ...inheritedSymbols(scope, name, text)])
      defined.set(symbol, (defined.get(symbol) ?? 0) + 1);
    candidates.push({ node, scope, name, marks, text, isReplaced: false });
  }
  return candidates.map((candidate) => {
    const count = defined.get(qualify(candidate.scope, candidate.name)) ?? 0;
    return { ...candidate, isReplaced: count > 1 };
  });
}

function marksOf(decorated: SyntaxNode, text: string): string[] {
  const marks = decorated.children.filter(({ type }) => type === 'decorator');
  return marks.map((mark) => textOf(mark, text));
}

/** A method under the names it has in its class's bases. */
function inheritedSymbols({ owner }: Scope, name: string, text: string): string[] {
  if (owner === undefined) return [];
  const bases = textOf(childOf(owner, 'superclasses'), text).match(/\w+/g) ?? [];
  return bases.map((base) => `${base}.${name}`);
}

/** Whether a function may do nothing: by its decorators, its name, its class, or because something else is defined in its place. */
export function isAllowedFunction({
  scope,
  name,
  marks,
  text,
  isReplaced,
  node,
}: Candidate): boolean {
  if (!marks.every((mark) => PLAIN_DECORATOR.test(mark)) || NO_OP_NAME.test(name)) return true;
  // A function within a function is most often a callback that has to be given.
  if (isReplaced || (scope.level === 'function' && onlyPasses(childOf(node, 'body')))) return true;
  const { owner } = scope;
  if (owner === undefined) return false;
  const className = textOf(childOf(owner, 'name'), text);
  const bases = textOf(childOf(owner, 'superclasses'), text);
  return (
    /\b(ABC|ABCMeta|Protocol|Interface|\w*(Error|Exception|Warning))\b/.test(bases) ||
    INTERFACE_CLASS.test(className) ||
    // A test that an heir leaves out of those that it inherits.
    (name.startsWith('test') && isHeir(bases) && onlyPasses(childOf(node, 'body'))) ||
    // An empty `__init__` or `close` only replaces the inherited one.
    HOOK_NAME.test(name) ||
    (SILENT_SPECIAL.test(name) && onlyPasses(childOf(node, 'body')))
  );
}

function isHeir(bases: string): boolean {
  return /\w/.test(bases) && !/^\(\s*(unittest\.|absltest\.)?(TestCase|object)\s*\)$/.test(bases);
}

/** Whether a body is `pass` alone. */
export function onlyPasses(body: SyntaxNode | undefined): boolean {
  return body !== undefined && namedChildren(body).every(({ type }) => type === 'pass_statement');
}
