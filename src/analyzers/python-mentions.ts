import type { DefinitionFact, Mention } from '../diagnostics/trace-facts.ts';
import { decoratorsOf } from './python-functions.ts';
import type { NamedTree } from './python-references.ts';
import { textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Decorators after which only who names the function calls it. */
const SILENT =
  /^@((functools\.)?(lru_)?cache|(torch\.)?(no_grad|inference_mode|enable_grad)|(dataclasses\.)?dataclass|(jax\.)?jit|torch\.jit\.\w+|tf\.function|(typing\.)?(final|runtime_checkable)|(functools\.)?total_ordering|(contextlib\.)?contextmanager)\b/;

/** The functions and classes of a module, each that it defines once. */
export function readDefinitions(tree: NamedTree): DefinitionFact[] {
  return [...tree.bindings.module.bindings].flatMap(([name, bound]): DefinitionFact[] => {
    const [binding] = bound;
    if (bound.length !== 1 || !binding || !/^(function|class)$/.test(binding.kind)) return [];
    const marks = decoratorsOf(tree.parents.get(binding.node), tree.text);
    return [
      {
        ...{ name, line: binding.node.line, isClass: binding.kind === 'class' },
        isDecorated: marks.some((mark) => !SILENT.test(mark)),
      },
    ];
  });
}

/** The names that a file mentions, by the top-level definition that does; what an import binds is only mentioned by its uses. */
export function readMentions({ root, text }: NamedTree): Mention[] {
  const mentions = new Map<string, Set<string>>([['', new Set()]]);
  for (const statement of namedChildren(root)) {
    const definition =
      statement.type === 'decorated_definition' ? childOf(statement, 'definition') : statement;
    const isDefinition = /^(function|class)_definition$/.test(definition?.type ?? '');
    const symbol = isDefinition && definition ? textOf(childOf(definition, 'name'), text) : '';
    const names = mentions.get(symbol) ?? new Set<string>();
    mentions.set(symbol, names);
    // An import by itself uses nothing.
    for (const node of descendants(statement, ({ type }) => !/^(future_)?import_/.test(type)))
      for (const name of namesAt(node, text)) if (name !== symbol) names.add(name);
  }
  return [...mentions].map(([symbol, names]) => ({ symbol, names: [...names] }));
}

function namesAt(node: SyntaxNode, text: string): readonly string[] {
  if (node.type === 'identifier') return [textOf(node, text)];
  if (node.type !== 'string') return [];
  // `"pkg.module:run"` and `"run"` may be looked up.
  return literalString(node, text)?.match(/[A-Za-z_]\w*/g) ?? [];
}
