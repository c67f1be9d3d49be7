import type { SettingsFacts } from '../diagnostics/settings-facts.ts';
import { textOf } from './python-scopes.ts';
import { childOf, descendants, namedChildren, type SyntaxNode } from './syntax-tree.ts';

/** Longer strings are texts, not names. */
const MAX_LENGTH = 120;
const HOLE = '\0';

/** The value of a string literal without holes; undefined for any other expression. */
export function literalString(node: SyntaxNode, text: string): string | undefined {
  const template = templateOf(node, text);
  return template?.includes(HOLE) === false ? template : undefined;
}

/** A string with a NUL for each hole: `f"a_{b}.csv"` is `a_\0.csv`. Undefined for anything but a string. */
export function templateOf(node: SyntaxNode, text: string): string | undefined {
  if (node.type === 'concatenated_string') {
    const parts = namedChildren(node).map((part) => templateOf(part, text));
    return parts.every((part) => part !== undefined) ? parts.join('') : undefined;
  }
  if (node.type !== 'string' || node.end - node.start > 4 * MAX_LENGTH) return undefined;
  return namedChildren(node)
    .map((part) => {
      if (part.type === 'interpolation') return HOLE;
      return part.type === 'string_content' ? textOf(part, text) : '';
    })
    .join('');
}

/** The strings and names that a Python file holds; `handled` keys are accounted for elsewhere. */
export function readWords(
  root: SyntaxNode,
  text: string,
  handled: ReadonlySet<SyntaxNode>,
): Pick<SettingsFacts, 'strings' | 'templates' | 'names' | 'loose' | 'looseStrings' | 'keywords'> {
  const strings = new Set<string>();
  const templates = new Set<string>();
  const names = new Set<string>();
  const loose = new Set<string>();
  const looseStrings = new Set<string>();
  const keywords = new Set<string>();
  for (const node of descendants(root)) {
    if (node.type === 'identifier') {
      const name = textOf(node, text);
      names.add(name);
      if (node.field === 'attribute' && !handled.has(node)) loose.add(name);
    }
    if (node.type === 'keyword_argument') {
      const name = childOf(node, 'name');
      if (name !== undefined) keywords.add(textOf(name, text));
    }
    const template = templateOf(node, text);
    if (template === undefined || template.length > MAX_LENGTH) continue;
    if (template.includes(HOLE) || /[%{]/.test(template)) templates.add(withHoles(template));
    if (template.includes(HOLE)) continue;
    strings.add(template);
    if (handled.has(node)) continue;
    loose.add(template);
    looseStrings.add(template);
  }
  return {
    ...{ strings: [...strings], templates: [...templates] },
    ...{
      names: [...names],
      loose: [...loose],
      looseStrings: [...looseStrings],
      keywords: [...keywords],
    },
  };
}

/** The holes of `"%s.csv" % name` and `"{}.csv".format(name)` as well. */
function withHoles(template: string): string {
  return template.replace(/%[-+ #0-9.]*[sdifgr]|\{[^{}]*\}/g, HOLE);
}
