import { type CodeFacts, type ModuleBinding, NO_CODE } from '../diagnostics/code-facts.ts';
import { readCommandLine } from './python-arguments.ts';
import { readBindings } from './python-bindings.ts';
import type { Binding } from './python-name-scopes.ts';
import { computedSets, otherAttributes, setsOfOthers } from './python-attribute-sets.ts';
import { readCalls, readMembers } from './python-calls.ts';
import { classFact } from './python-classes.ts';
import { actsWhenRun } from './python-effects.ts';
import { decoratorsOf, functionFact } from './python-functions.ts';
import { readEmptyFunctions } from './python-hollow.ts';
import { probedNames } from './python-names.ts';
import { newObjectOf } from './python-receivers.ts';
import { readOperations } from './python-operations.ts';
import { importOrigin, type NamedTree, onlyBinding, parentsOf } from './python-references.ts';
import { scopedNodes, textOf } from './python-scopes.ts';
import { readTraces } from './python-traces.ts';
import { readUndefined } from './python-undefined.ts';
import { readSaidNames } from './said-names.ts';
import { childOf, type SyntaxNode } from './syntax-tree.ts';

/** `Extension("package._fast", …)`, by whatever builds it. */
const EXTENSION = /\b\w*Extension\(\s*(?:name\s*=\s*)?["']([\w.]+)["']/g;

/** What the checks across files need to know of a Python file that parses. */
export function readCode(root: SyntaxNode, text: string): CodeFacts {
  const scopes = new Map(scopedNodes(root, text));
  const bindings = readBindings(root, text);
  const tree = { root, text, bindings, parents: parentsOf(scopes.keys()) };
  return {
    ...NO_CODE,
    bindings: moduleBindings(tree),
    otherBases: otherBases(tree, scopes.keys()),
    calls: readCalls(tree, scopes),
    members: readMembers(tree, scopes, probedNames(text)),
    operations: readOperations(tree, scopes),
    undefinedNames: readUndefined(bindings, scopes, root, text),
    attributesSet: setsOfOthers(tree, scopes.keys()),
    computedSets: computedSets(tree, scopes.keys()),
    otherAttributes: otherAttributes(tree, scopes.keys()),
    said: readSaidNames(text),
    emptyFunctions: readEmptyFunctions(scopes, text),
    compiled: [...text.matchAll(EXTENSION)].map(([, name = '']) => name),
    commandLine: readCommandLine(scopes, text),
    traces: readTraces(tree, scopes),
    acts: actsWhenRun(root, bindings.module, text),
  };
}

function moduleBindings(tree: NamedTree): ModuleBinding[] {
  return [...tree.bindings.module.bindings].flatMap(([name, bound]) => {
    const [binding] = bound;
    if (binding === undefined || name === '*') return [];
    const { line } = binding.node;
    const isOnly = bound.length === 1 || sameImports(bound, tree);
    return [isOnly ? moduleBinding(name, binding, tree) : { name, line, kind: 'unknown' as const }];
  });
}

function moduleBinding(name: string, binding: Binding, tree: NamedTree): ModuleBinding {
  const { line } = binding.node;
  switch (binding.kind) {
    case 'function': {
      const decorators = decoratorsOf(tree.parents.get(binding.node), tree.text);
      const details = { symbol: name, decorators, isMethod: false };
      const fact = functionFact(binding.node, details, tree.text);
      return fact
        ? { name, line, kind: 'function', function: fact }
        : { name, line, kind: 'unknown' };
    }
    case 'class':
      return { name, line, kind: 'class', class: classFact(binding.node, tree) };
    case 'import': {
      const origin = importOrigin(binding, tree.text);
      return origin ? { name, line, kind: 'import', origin } : { name, line, kind: 'unknown' };
    }
    case 'assignment': {
      const of = newObjectOf(binding.value, tree);
      return of ? { name, line, kind: 'unknown', of } : { name, line, kind: 'unknown' };
    }
    case 'parameter':
    case 'other':
      return { name, line, kind: 'unknown' };
  }
}

/** `import a.b` and `import a.c` both bind `a` to the same module. */
function sameImports(bound: readonly Binding[], { text }: { readonly text: string }): boolean {
  const origins = bound.map((binding) => JSON.stringify(importOrigin(binding, text) ?? null));
  return origins.every((origin) => origin !== 'null' && origin === origins[0]);
}

function otherBases({ text, bindings }: NamedTree, nodes: Iterable<SyntaxNode>): string[] {
  return [...nodes].flatMap((node) => {
    if (node.type !== 'class_definition') return [];
    const name = textOf(childOf(node, 'name'), text);
    const isIndexed = onlyBinding(bindings.module, name)?.node === node;
    const bases = isIndexed ? '' : textOf(childOf(node, 'superclasses'), text);
    return [...bases.matchAll(/(\w+)\s*[,)[]/g)].map(([, base = '']) => base);
  });
}
