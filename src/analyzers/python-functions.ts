import type { FunctionFact, Parameter } from '../diagnostics/class-facts.ts';
import { textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Decorators that leave a function's parameters as they are. */
const TRANSPARENT =
  /^@((abc\.)?abstractmethod|(functools\.)?(lru_)?cache|(torch\.)?(no_grad|inference_mode|enable_grad)|(typing\.)?(final|override)|(contextlib\.)?(async)?contextmanager|torch\.jit\.\w+|jax\.jit|jit)\s*(\(.*\))?$/s;
const ROLES: Readonly<Record<string, FunctionFact['role']>> = {
  '@staticmethod': 'static',
  '@classmethod': 'class',
  '@property': 'property',
  '@cached_property': 'property',
  '@functools.cached_property': 'property',
};

/** What callers meet of a function; undefined where a decorator may change it. */
export function functionFact(
  definition: SyntaxNode,
  {
    symbol,
    decorators,
    isMethod,
  }: Readonly<{ symbol: string; decorators: readonly string[]; isMethod: boolean }>,
  text: string,
): FunctionFact | undefined {
  // Python calls these on the class without being told.
  if (isMethod && /\.__(new|init_subclass|class_getitem)__$/.test(symbol)) return undefined;
  let role: FunctionFact['role'] = isMethod ? 'method' : 'function';
  for (const decorator of decorators) {
    const given = ROLES[decorator];
    if (given !== undefined) role = given;
    else if (!TRANSPARENT.test(decorator)) return undefined;
  }
  const parameters = parametersOf(definition, text);
  return parameters && { symbol, parameters, role };
}

/** The decorators of a definition as written. */
export function decoratorsOf(decorated: SyntaxNode | undefined, text: string): string[] {
  if (decorated?.type !== 'decorated_definition') return [];
  return decorated.children
    .filter(({ type }) => type === 'decorator')
    .map((decorator) => textOf(decorator, text).trim());
}

function parametersOf(definition: SyntaxNode, text: string): Parameter[] | undefined {
  const list = childOf(definition, 'parameters');
  if (list === undefined) return undefined;
  const parameters: Parameter[] = [];
  let kind: Parameter['kind'] = 'either';
  for (const node of namedChildren(list)) {
    if (node.type === 'keyword_separator') kind = 'keyword';
    else if (node.type === 'positional_separator') {
      for (const [index, parameter] of parameters.entries())
        parameters[index] = { ...parameter, kind: 'positional' };
    } else {
      const parameter = parameterOf(node, kind, text);
      if (parameter === undefined) return undefined;
      if (parameter.kind === 'rest') kind = 'keyword';
      parameters.push(parameter);
    }
  }
  return parameters;
}

function parameterOf(
  node: SyntaxNode,
  kind: Parameter['kind'],
  text: string,
): Parameter | undefined {
  switch (node.type) {
    case 'identifier':
      return { name: textOf(node, text), kind, isOptional: false };
    case 'default_parameter':
    case 'typed_default_parameter':
      return { name: textOf(childOf(node, 'name'), text), kind, isOptional: true };
    case 'typed_parameter': {
      const [inner] = namedChildren(node);
      return inner === undefined ? undefined : parameterOf(inner, kind, text);
    }
    case 'list_splat_pattern':
      return { name: textOf(namedChildren(node)[0], text), kind: 'rest', isOptional: true };
    case 'dictionary_splat_pattern':
      return { name: textOf(namedChildren(node)[0], text), kind: 'keywords', isOptional: true };
    default:
      return undefined;
  }
}
