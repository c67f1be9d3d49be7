import { isUnmistakable } from '../diagnostics/package-names.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import type { TraceFacts } from '../diagnostics/trace-facts.ts';
import { importOrigin, type NamedTree } from './python-references.ts';
import { calledName, type Scope, textOf } from './python-scopes.ts';
import { templateOf } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Lists what there is, so that nobody has to name it. */
const LISTS =
  /\b__subclasses__|\bgetmembers\(|(?<![.\w])(eval|exec|dir)\(|\bsys\.modules\b|\bvars\(\s*(?:sys|importlib|\w+_module|module)/;
const LOADS = /\b(import_module|__import__|load_module|exec_module)\(/;

/** Where a file finds functions and classes by names that are computed. */
export function readLookups(
  tree: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): Pick<TraceFacts, 'looksUp' | 'lookups'> {
  const { text } = tree;
  const lookups: { of: string; shape: string }[] = [];
  let looksUp = LISTS.test(text);
  for (const node of scopes.keys()) {
    const found = node.type === 'call' ? byGetattr(node, tree) : byGlobals(node, text);
    if (found === undefined) continue;
    const isShaped = /[A-Za-z]/.test(found.shape);
    if (found.of === undefined && !isShaped && LOADS.test(text)) looksUp = true;
    else if (found.of !== undefined || isShaped)
      lookups.push({ of: found.of ?? '*', shape: found.shape });
  }
  return { looksUp, lookups };
}

interface Lookup {
  /** Undefined for an object that may be anything. */
  readonly of: string | undefined;
  readonly shape: string;
}

/** `getattr(models, name)`; undefined where a library's or a written name is taken. */
function byGetattr(call: SyntaxNode, tree: NamedTree): Lookup | undefined {
  const { text, bindings } = tree;
  if (textOf(childOf(call, 'function'), text) !== 'getattr') return undefined;
  const [from, name] = namedChildren(childOf(call, 'arguments') ?? call);
  if (from === undefined || name === undefined) return undefined;
  const shape = shapeOf(name, text);
  if (shape === undefined) return undefined;
  const [root = ''] = textOf(from, text).split('.');
  const bound = /^[\w.]+$/.test(textOf(from, text))
    ? (bindings.module.bindings.get(root) ?? [])
    : [];
  const origins = bound.flatMap((binding) => importOrigin(binding, text) ?? []);
  if (origins.length === 0) return { of: undefined, shape };
  const isForeign = origins.every(({ level, module }) => {
    const first = module.split('.')[0] ?? '';
    return level === 0 && (STANDARD_LIBRARY.has(first) || isUnmistakable(first));
  });
  return isForeign ? undefined : { of: root, shape };
}

/** `globals()[name]`, `globals().get(name)` */
function byGlobals(node: SyntaxNode, text: string): Lookup | undefined {
  if (node.type !== 'subscript') return undefined;
  const holder = childOf(node, 'value');
  if (holder?.type !== 'call' || !/^(globals|locals|vars)$/.test(calledName(holder, text)))
    return undefined;
  const shape = shapeOf(childOf(node, 'subscript') ?? node, text);
  return shape === undefined ? undefined : { of: '', shape };
}

/** A name with a NUL for what is put in; undefined where it is written whole. */
function shapeOf(name: SyntaxNode, text: string): string | undefined {
  if (name.type === 'binary_operator') {
    const parts = namedChildren(name).map((part) => templateOf(part, text) ?? '\0');
    return parts.join('');
  }
  const template = templateOf(name, text);
  if (template === undefined) return '\0';
  return template.includes('\0') ? template : undefined;
}
