import type { ClassFact, DataclassFact, FieldFact, Reference } from '../diagnostics/code-facts.ts';
import type { NameScope } from './python-name-scopes.ts';
import { isStored } from './python-calls.ts';
import { decoratorsOf, functionFact } from './python-functions.ts';
import { heldBy, newObjectOf } from './python-receivers.ts';
import { type NamedTree, onlyBinding, referenceTo } from './python-references.ts';
import { textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const DATACLASS = /^@(dataclasses\.)?dataclass\b(\((.*)\))?$/s;
/** Class decorators that neither take away nor add what callers use. */
const HARMLESS_DECORATOR = /^@((functools\.)?total_ordering|(typing\.)?(final|runtime_checkable))$/;
/** Ways to set or make up attributes whose names the text does not hold. */
const COMPUTED =
  /\bdef __(getattr|getattribute|setattr|new)__|\bsetattr\(\s*(self|cls|type\(self\)|self\.__class__)\s*,\s*(?!["']\w+["'])|__setattr__\(\s*(?!(self,\s*)?["']\w+["'])|__dict__|\bvars\(\s*(self|cls)?\s*\)|\blocals\(\)|\bexec\(/;
/** How a PyTorch module takes up what is then an attribute of it. */
const REGISTERS =
  /self\.(?:register_buffer|register_parameter|add_module|register_module)\(\s*(?:name\s*=\s*)?(?:["'](\w+)["']|(.))/g;
const SETS_BY_NAME =
  /__setattr__\(\s*(?:self,\s*)?["'](\w+)["']|\bsetattr\(\s*self\s*,\s*["'](\w+)["']/g;

/** What callers can know of a class at module level. */
export function classFact(definition: SyntaxNode, tree: NamedTree): ClassFact {
  const { text, bindings, parents } = tree;
  const body = childOf(definition, 'body');
  const scope = body && bindings.scopeOf.get(body);
  const source = textOf(definition, text);
  const decorators = decoratorsOf(parents.get(definition), text);
  const dataclass = dataclassFact(decorators);
  const registered = [...source.matchAll(REGISTERS)];
  const set = attributesSet(definition, tree);
  const named = [...source.matchAll(SETS_BY_NAME)].map(([, one, other]) => one ?? other ?? '');
  const bound = [...(scope?.bindings.keys() ?? [])];
  const setNames = set.map(({ name }) => name);
  return {
    name: textOf(childOf(definition, 'name'), text),
    bases: basesOf(definition, tree),
    dataclass,
    fields: fieldsOf(body, text),
    methods:
      scope === undefined
        ? []
        : methodsOf(scope, tree).filter(
            ({ symbol }) => !setNames.includes(symbol.split('.')[1] ?? ''),
          ),
    attributes: [
      ...new Set([...bound, ...setNames, ...named, ...registered.map(([, name = '']) => name)]),
    ],
    instances: instancesOf(set, bound),
    isDynamic:
      COMPUTED.test(source) ||
      registered.some(([, , computed]) => computed !== undefined) ||
      hasMetaclass(definition, text) ||
      bound.includes('*') ||
      decorators.some((mark) => !DATACLASS.test(mark) && !HARMLESS_DECORATOR.test(mark)),
  };
}

function dataclassFact(decorators: readonly string[]): DataclassFact | null {
  const options = decorators.map((mark) => DATACLASS.exec(mark)).find((match) => match !== null);
  if (options === undefined) return null;
  const written = options[3] ?? '';
  return {
    makesInit: !/\binit\s*=\s*False\b/.test(written),
    keywordOnly: /\bkw_only\s*=\s*True\b/.test(written),
  };
}

function basesOf(definition: SyntaxNode, tree: NamedTree): (Reference | null)[] {
  const list = childOf(definition, 'superclasses');
  return (list === undefined ? [] : namedChildren(list))
    .filter(({ type }) => type !== 'keyword_argument')
    .map((base) => {
      // `Generic[T]` is `Generic` to whoever makes an object of it.
      const named = base.type === 'subscript' ? childOf(base, 'value') : base;
      return referenceTo(named, tree) ?? null;
    });
}

function hasMetaclass(definition: SyntaxNode, text: string): boolean {
  const list = childOf(definition, 'superclasses');
  return (list === undefined ? [] : namedChildren(list)).some(
    (node) =>
      node.type === 'keyword_argument' &&
      !/^metaclass\s*=\s*(abc\.)?ABCMeta$/.test(textOf(node, text)),
  );
}

function methodsOf(scope: NameScope, { text, parents }: NamedTree): ClassFact['methods'] {
  const owner = textOf(childOf(scope.node, 'name'), text);
  return [...scope.bindings.keys()].flatMap((name) => {
    const binding = onlyBinding(scope, name);
    if (binding?.kind !== 'function') return [];
    const decorators = decoratorsOf(parents.get(binding.node), text);
    const fact = functionFact(
      binding.node,
      { symbol: `${owner}.${name}`, decorators, isMethod: true },
      text,
    );
    return fact === undefined ? [] : [fact];
  });
}

interface AttributeSet {
  readonly name: string;
  /** The class whose new object it is set to. */
  readonly of: Reference | undefined;
}

function attributesSet(definition: SyntaxNode, tree: NamedTree): AttributeSet[] {
  const owner = textOf(childOf(definition, 'name'), tree.text);
  return [...descendants(definition)].flatMap((node) => {
    if (node.type !== 'attribute' || !isStored(node, tree)) return [];
    const held = heldBy(childOf(node, 'object'), tree);
    if ((held?.kind !== 'self' && held?.kind !== 'own-class') || held.owner !== owner) return [];
    const parent = tree.parents.get(node);
    const value = parent?.type === 'assignment' ? childOf(parent, 'right') : undefined;
    return [{ name: textOf(childOf(node, 'attribute'), tree.text), of: newObjectOf(value, tree) }];
  });
}

function instancesOf(
  set: readonly AttributeSet[],
  bound: readonly string[],
): ClassFact['instances'] {
  return set.flatMap(({ name, of }) => {
    const isOnly = set.filter((other) => other.name === name).length === 1;
    return of !== undefined && isOnly && !bound.includes(name) ? [{ name, of }] : [];
  });
}

/** Annotated names in a class body, in their order; from `_: KW_ONLY` on they are keywords. */
function fieldsOf(body: SyntaxNode | undefined, text: string): FieldFact[] {
  const fields: FieldFact[] = [];
  let keywordOnly = false;
  for (const statement of body === undefined ? [] : namedChildren(body)) {
    const [node] = statement.type === 'expression_statement' ? namedChildren(statement) : [];
    const type = node?.type === 'assignment' ? childOf(node, 'type') : undefined;
    if (node === undefined || type === undefined) continue;
    const annotation = textOf(type, text);
    if (/\bClassVar\b/.test(annotation)) continue;
    if (/^(dataclasses\.)?KW_ONLY$/.test(annotation)) keywordOnly = true;
    else fields.push(fieldOf(node, keywordOnly, text));
  }
  return fields;
}

function fieldOf(node: SyntaxNode, keywordOnly: boolean, text: string): FieldFact {
  const value = childOf(node, 'right');
  const written = textOf(value, text);
  const options = /^(?:dataclasses\.)?field\(([\s\S]*)\)$/.exec(written)?.[1];
  const isOptional =
    options === undefined ? value !== undefined : /\bdefault(_factory)?\s*=/.test(options);
  return {
    name: textOf(childOf(node, 'left'), text),
    isOptional,
    isKeyword: /\bkw_only\s*=\s*True\b/.test(options ?? '') || keywordOnly,
    isParameter: !/\binit\s*=\s*False\b/.test(options ?? ''),
  };
}
