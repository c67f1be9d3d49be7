import type { SettingsChain } from '../diagnostics/trace-facts.ts';
import type { NamedTree } from './python-references.ts';
import { type Scope, textOf } from './python-scopes.ts';
import { literalString } from './python-words.ts';
import { childOf, namedChildren, type SyntaxNode } from './syntax-tree.ts';

const SETTINGS = /^_?(\w+_)?(cfg|conf|config|configs|settings|hparams|hp)$/i;
/** Nobody writes longer ones. */
const MAX_CHAIN = 8;

/** Keys that are read two or more levels below what is called like settings, wherever it comes from: `cfg.train.lr`, `self.config["train"]["lr"]`. */
export function readSettingsChains(
  { text, parents }: NamedTree,
  scopes: ReadonlyMap<SyntaxNode, Scope>,
): SettingsChain[] {
  const chains: SettingsChain[] = [];
  for (const [node, scope] of scopes) {
    if (!/^(attribute|subscript)$/.test(node.type) || scope.catchesAttribute) continue;
    const parent = parents.get(node);
    // Only the whole of it; what is called is a method, and what is set is no read.
    if (parent !== undefined && isPart(node, parent)) continue;
    const chain = chainOf(node, text);
    if (chain === undefined || isInTry(node, parents)) continue;
    chains.push({ keys: chain, line: node.line, symbol: scope.symbol });
  }
  return chains;
}

function isPart(node: SyntaxNode, parent: SyntaxNode): boolean {
  if (/^(attribute|subscript)$/.test(parent.type)) return node.field !== 'subscript';
  return (
    (parent.type === 'call' && node.field === 'function') ||
    (/assignment$/.test(parent.type) && node.field === 'left') ||
    parent.type === 'delete_statement'
  );
}

/** The keys below the settings; undefined for what is not called so, or has other than literal keys. */
function chainOf(node: SyntaxNode, text: string): string[] | undefined {
  const keys: string[] = [];
  let link: SyntaxNode | undefined = node;
  while (link !== undefined && keys.length < MAX_CHAIN) {
    const isOwn =
      link.type === 'attribute' && /^(self|cls)$/.test(textOf(childOf(link, 'object'), text));
    const name =
      link.type === 'identifier'
        ? textOf(link, text)
        : isOwn
          ? textOf(childOf(link, 'attribute'), text)
          : undefined;
    if (name !== undefined) return SETTINGS.test(name) && keys.length > 1 ? keys : undefined;
    const index = link.children.filter(({ field }) => field === 'subscript');
    const [only] = index;
    const key =
      link.type === 'attribute'
        ? textOf(childOf(link, 'attribute'), text)
        : index.length === 1 && only
          ? literalString(only, text)
          : undefined;
    if (key === undefined || !/^(attribute|subscript)$/.test(link.type)) return undefined;
    keys.unshift(key);
    link = childOf(link, link.type === 'attribute' ? 'object' : 'value');
  }
  return undefined;
}

function isInTry(node: SyntaxNode, parents: ReadonlyMap<SyntaxNode, SyntaxNode>): boolean {
  for (let at = parents.get(node); at !== undefined; at = parents.get(at)) {
    if (at.type === 'try_statement') return true;
    if (/^(function_definition|class_definition|module)$/.test(at.type)) return false;
  }
  return false;
}

/** Names of arguments that are given anything but the setting or attribute of that name. */
export function readGivenNames(scopes: ReadonlyMap<SyntaxNode, Scope>, text: string): string[] {
  const names = new Set<string>();
  for (const node of scopes.keys()) {
    if (node.type !== 'keyword_argument') continue;
    const name = textOf(childOf(node, 'name'), text);
    const value = childOf(node, 'value');
    const [, last] = value === undefined ? [] : namedChildren(value);
    const key =
      value?.type === 'attribute'
        ? textOf(childOf(value, 'attribute'), text)
        : value?.type === 'subscript' && last
          ? literalString(last, text)
          : undefined;
    if (key !== name) names.add(name);
  }
  return [...names];
}
