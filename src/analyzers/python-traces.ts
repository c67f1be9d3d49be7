import { isUnmistakable } from '../diagnostics/package-names.ts';
import { STANDARD_LIBRARY } from '../diagnostics/standard-library.ts';
import type { TraceFacts } from '../diagnostics/trace-facts.ts';
import { readAffixes } from './python-affixes.ts';
import { readConstantsUsed, readFormulaNumbers, readTaken } from './python-constants.ts';
import { readForced } from './python-forced.ts';
import { readIdle } from './python-idle.ts';
import { readLabels } from './python-labels.ts';
import { readLeaks } from './python-leaks.ts';
import { readLookups } from './python-lookups.ts';
import { readLiterals, readNumbers } from './python-literals.ts';
import { storeOf } from './python-attribute-sets.ts';
import { readDefinitions, readMentions } from './python-mentions.ts';
import { chainOf, importOrigin, type NamedTree } from './python-references.ts';
import { readRegistries } from './python-registries.ts';
import { readResorts } from './python-resorts.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { readGivenNames, readSettingsChains } from './python-settings-chains.ts';
import { readParts } from './python-parts.ts';
import { childOf, type SyntaxNode } from './syntax-tree.ts';

/** Reads attributes whose names the text does not hold, or all of an object's. */
const READS_ALL =
  /\b(vars|asdict|astuple|replace|fields)\(|__dict__|_get_kwargs|\bgetattr\(\s*[^,()]+,\s*[^"'\s]|__getattr|\bOmegaConf\.structured\b/;

/** What a Python file shows of how values, names and data move. */
export function readTraces(tree: NamedTree, scopes: ReadonlyMap<SyntaxNode, Scope>): TraceFacts {
  const { text } = tree;
  return {
    ...readAttributes(tree, scopes),
    readsAll: READS_ALL.test(text),
    ...readLookups(tree, scopes),
    idle: readIdle(tree, scopes),
    literals: readLiterals(scopes, text),
    forced: readForced(tree, scopes),
    settingsChains: readSettingsChains(tree, scopes),
    givenNames: readGivenNames(scopes, text),
    numbers: readNumbers(scopes.keys(), text),
    formulaNumbers: readFormulaNumbers(tree, scopes),
    constantsUsed: readConstantsUsed(tree, scopes),
    ...readTaken(tree, scopes),
    ...readLabels(scopes, text),
    ...readAffixes(tree, scopes),
    registries: readRegistries(tree, scopes),
    definitions: readDefinitions(tree),
    mentions: readMentions(tree),
    ...readParts(scopes, text),
    leaks: readLeaks(scopes, text),
    ...readResorts(tree, scopes),
  };
}

function readAttributes(
  tree: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): Pick<TraceFacts, 'attributesRead' | 'ownAttributesRead' | 'handedOn'> {
  const read = new Set<string>();
  const own = new Set<string>();
  const handedOn = new Set<string>();
  for (const node of scopes.keys()) {
    const parent = tree.parents.get(node);
    if (isHandedOn(node, parent)) handedOn.add(lastName(node, tree.text));
    if (node.type !== 'attribute' || storeOf(node, tree) !== undefined) continue;
    const name = textOf(childOf(node, 'attribute'), tree.text);
    const [from = '', ...rest] = chainOf(childOf(node, 'object'), tree.text) ?? [];
    if (/^(self|cls)$/.test(from) && rest.length === 0) own.add(name);
    else if (!isLibrary(from, tree)) read.add(name);
  }
  return {
    attributesRead: [...read],
    ownAttributesRead: [...own],
    handedOn: [...handedOn],
  };
}

/** Whether a name or attribute stands as a value of its own: not called, read from, defined or bound. */
function isHandedOn(node: SyntaxNode, parent: SyntaxNode | undefined): boolean {
  if (!/^(identifier|attribute)$/.test(node.type) || parent === undefined) return false;
  if (/^(function|name|attribute|object|left)$/.test(node.field ?? '')) return false;
  return !/^(parameters|import_|dotted_name|aliased_import|type|attribute)/.test(parent.type);
}

function lastName(node: SyntaxNode, text: string): string {
  return textOf(node.type === 'attribute' ? childOf(node, 'attribute') : node, text);
}

/** `np` of `import numpy as np`. */
function isLibrary(name: string, { bindings, text }: NamedTree): boolean {
  const bound = bindings.module.bindings.get(name) ?? [];
  return (
    bound.length > 0 &&
    bound.every((binding) => {
      const origin =
        binding.node.type === 'import_statement' ? importOrigin(binding, text) : undefined;
      const [first = ''] = origin?.module.split('.') ?? [];
      return STANDARD_LIBRARY.has(first) || isUnmistakable(first);
    })
  );
}
