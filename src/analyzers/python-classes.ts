import type { ClassFact, DataclassFact, FieldFact, Reference } from '../diagnostics/class-facts.ts';
import type { NameScope } from './python-name-scopes.ts';
import { type AttributeSet, setsOfClass } from './python-attribute-sets.ts';
import { decoratorsOf, functionFact } from './python-functions.ts';
import { type NamedTree, onlyBinding, referenceTo } from './python-references.ts';
import { textOf } from './python-scopes.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const DATACLASS = /^@(dataclasses\.)?dataclass\b(\((.*)\))?$/s;
/** Class decorators that neither take away nor add what callers use. */
const HARMLESS_DECORATOR = /^@((functools\.)?total_ordering|(typing\.)?(final|runtime_checkable))$/;
/** Those that make methods of the fields that a class shows, and of nothing else. */
const READS_FIELDS = /^@(attrs?\.(s|attrs|define|frozen|mutable|dataclass)|define|frozen)\b/;
/** Ways to make up attributes whose names the text does not hold. */
const MADE_UP =
  /\bdef __(getattr|getattribute|setattr|new)__|__dict__|\bvars\(\s*(self|cls)?\s*\)|\blocals\(\)|\bexec\(/;
/** Readings of an object's dictionary, which put nothing there. */
const READS_DICTIONARY =
  /(\*\*|\{|\b(dict|len|str|repr|list|sorted|print|deepcopy|dumps)\(\s*)?(\bself\.__dict__|\bvars\(\s*self\s*\))(\s*\.\s*(items|keys|values|get|copy)\b)?/g;

/** What callers can know of a class at module level. */
export function classFact(definition: SyntaxNode, tree: NamedTree): ClassFact {
  const { text, bindings, parents } = tree;
  const body = childOf(definition, 'body');
  const scope = body && bindings.scopeOf.get(body);
  const source = textOf(definition, text);
  const decorators = decoratorsOf(parents.get(definition), text);
  const dataclass = dataclassFact(decorators);
  const { set, isComputed } = setsOfClass(definition, tree);
  const bound = [...(scope?.bindings.keys() ?? []), ...slotsOf(scope, text)];
  const setNames = set.map(({ name }) => name);
  const makesUpAttributes =
    isComputed || makesUp(source, bound) || hasMetaclass(definition, text) || bound.includes('*');
  const unusual = decorators.filter(
    (mark) => !DATACLASS.test(mark) && !HARMLESS_DECORATOR.test(mark),
  );
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
      ...new Set([...bound, ...set.filter(({ needsOne }) => !needsOne).map(({ name }) => name)]),
    ],
    instances: instancesOf(set, bound),
    isDynamic: makesUpAttributes || unusual.length > 0,
    makesUpAttributes,
    decorators: decoratorReferences(parents.get(definition), tree),
  };
}

/** Whether a class's text can give it attributes that it does not name. */
function makesUp(source: string, bound: readonly string[]): boolean {
  if (bound.includes('__getattr__') || bound.includes('__getattribute__')) return true;
  const text = source.replace(READS_DICTIONARY, (written, before, _of, _name, after) =>
    before === undefined && after === undefined ? written : '',
  );
  return MADE_UP.test(text);
}

/** The names that `__slots__` lists; whoever sets them may be somebody else. */
function slotsOf(scope: NameScope | undefined, text: string): string[] {
  const slots = scope?.bindings.get('__slots__') ?? [];
  return slots.flatMap(({ value }) =>
    [...textOf(value, text).matchAll(/["'](\w+)["']/g)].map(([, name = '']) => name),
  );
}

/** What decorates a class besides that which is known to give it nothing. */
function decoratorReferences(
  decorated: SyntaxNode | undefined,
  tree: NamedTree,
): (Reference | null)[] {
  const marks = decorated?.type === 'decorated_definition' ? decorated.children : [];
  return marks.flatMap((mark) => {
    const written = textOf(mark, tree.text).trim();
    const isKnown = [DATACLASS, HARMLESS_DECORATOR, READS_FIELDS].some((one) => one.test(written));
    if (mark.type !== 'decorator' || isKnown) return [];
    const [named] = namedChildren(mark);
    const callee = named?.type === 'call' ? childOf(named, 'function') : named;
    return [referenceTo(callee, tree) ?? null];
  });
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
